"""One case to judge: the collected working directory and the task's sealed data."""

from pathlib import Path

from .files import Files
from .finding import JudgeDefect


class Case:
    """`output` reads what the solver left, `pristine` the inputs as they were handed out.

    A failure to read pristine data is the judge's own defect, never a verdict.
    """

    def __init__(self, workdir: Path, tests: Path) -> None:
        if not workdir.is_dir():
            raise JudgeDefect(f"no working directory at {workdir}")
        self.workdir = workdir
        self.tests = tests
        self.output = Files(workdir)
        self.pristine = Files(tests / "pristine", on_failure=JudgeDefect)
