"""The keeper: one trusted process per attempt, outside every jail. Standard library only, Python 3.11 or newer.

    python3 -I -S keeper.py run STATE_DIRECTORY     an attempt or a judge run, as STATE_DIRECTORY/spec.json says
    python3 -I -S keeper.py nurse                   the same for every state directory named on standard input
    python3 -I -S keeper.py probe                   one jailed command; spec on standard input, findings on standard output

Exit status of `run`: 0 done.json is written, 3 another keeper holds the directory, 4 an earlier keeper of this epoch died.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from modes import main  # noqa: E402

if __name__ == "__main__":
    main(sys.argv[1:])
