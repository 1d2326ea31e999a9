"""Judge the outputs of one task that was imported from OfficeBench, in faithful mode.

Usage: python -I officebench.py TESTS [--workdir /testbed] [--verdict /logs/verifier]

TESTS holds `spec.json`, `pristine/` and `expected/`. Exit code 0 whenever a verdict was written. A defect of the judge
itself, a missing reference included, ends with code 3, a message on standard error and no verdict.
"""

import argparse
import os
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from anneal_judges.core.write_verdict import remove_verdict, write_verdict  # noqa: E402
from anneal_judges.officebench import Place  # noqa: E402
from anneal_judges.officebench_guard import guarded  # noqa: E402
from anneal_judges.officebench_spec import read_spec, verdict  # noqa: E402

JUDGE_DEFECT = 3


def main() -> int:
    parser = argparse.ArgumentParser(prog="officebench.py", description="Judge an imported OfficeBench task.")
    parser.add_argument("tests", type=Path)
    parser.add_argument("--workdir", type=Path, default=Path("/testbed"), help="the collected working directory")
    parser.add_argument("--verdict", type=Path, default=Path("/logs/verifier"), help="where the verdict goes")
    arguments = parser.parse_args()
    tests, workdir, target = (p.resolve() for p in (arguments.tests, arguments.workdir, arguments.verdict))
    os.chdir("/")
    remove_verdict(target)
    try:
        write_verdict(verdict(read_spec(tests), Place(workdir, tests), guarded), target)
    except Exception:
        traceback.print_exc()
        return JUDGE_DEFECT
    return 0


if __name__ == "__main__":
    sys.exit(main())
