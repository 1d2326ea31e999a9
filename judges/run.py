"""Judge one task's outputs and write the verdict.

Usage: python -I run.py TESTS --workdir DIR --verdict DIR

TESTS holds `judge.py` (which defines `judge`, a `TaskJudge`) and what it compares with.
Exit code 0 whenever a verdict was written. A defect of the judge itself ends with code 3,
a message on standard error and no verdict: that is no statement about the outputs.
"""

import argparse
import os
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.setrecursionlimit(6_000)

from anneal_judges.core.case import Case  # noqa: E402
from anneal_judges.core.load_judge import load_judge  # noqa: E402
from anneal_judges.core.write_verdict import remove_verdict, write_verdict  # noqa: E402

JUDGE_DEFECT = 3


def main() -> int:
    parser = argparse.ArgumentParser(prog="run.py", description="Judge one task's outputs.")
    parser.add_argument("tests", type=Path)
    parser.add_argument("--workdir", type=Path, required=True, help="the collected working directory")
    parser.add_argument("--verdict", type=Path, required=True, help="where reward.txt and judge.json go")
    arguments = parser.parse_args()
    tests, workdir, verdict = (p.resolve() for p in (arguments.tests, arguments.workdir, arguments.verdict))
    os.chdir("/")
    remove_verdict(verdict)
    try:
        judge = load_judge(tests / "judge.py")
        report = judge.report(Case(workdir=workdir, tests=tests))
        write_verdict(report, verdict)
    except Exception:
        traceback.print_exc()
        return JUDGE_DEFECT
    return 0


if __name__ == "__main__":
    sys.exit(main())
