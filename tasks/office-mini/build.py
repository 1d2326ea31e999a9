"""Writes the built pack: the committed sources, the generated inputs and what the judges compare with.

Usage: python build.py OUT         build into OUT, a folder that is new or empty
       python build.py --check     build into a temporary folder and compare with inputs.sha256
       python build.py --update    rewrite inputs.sha256

The same sources give the same bytes on every machine. Exit code 1 where an input's hash differs
from inputs.sha256.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from builder.input_hashes import differences, read_hashes, write_hashes  # noqa: E402
from builder.pack import build_pack  # noqa: E402

SOURCE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="build.py", description="Build the office-mini pack.")
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--check", action="store_true", help="compare with inputs.sha256 and write nothing")
    parser.add_argument("--update", action="store_true", help="rewrite inputs.sha256")
    arguments = parser.parse_args()
    if (arguments.out is None) != (arguments.check or arguments.update):
        parser.error("give a folder, or --check, or --update")
    if arguments.out is not None:
        if arguments.out.exists() and any(arguments.out.iterdir()):
            parser.error(f"{arguments.out} is not empty")
        return _compare(build_pack(SOURCE, arguments.out))
    with tempfile.TemporaryDirectory() as scratch:
        hashes = build_pack(SOURCE, Path(scratch))
    if arguments.update:
        write_hashes(SOURCE, hashes)
        return 0
    return _compare(hashes)


def _compare(hashes: dict[str, str]) -> int:
    found = differences(read_hashes(SOURCE), hashes)
    for line in found:
        print(line, file=sys.stderr)
    print(f"{len(hashes)} inputs, {len(found)} differ from inputs.sha256")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
