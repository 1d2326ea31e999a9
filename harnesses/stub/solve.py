"""A harness that does nothing: no model, no packages. It measures what the engine itself costs per attempt."""

import json
import sys
from pathlib import Path

out = Path(sys.argv[sys.argv.index("--out") + 1])
(out / "outcome.json").write_text(json.dumps({"version": 1, "exit_status": "Submitted", "exception_signature": ""}))
