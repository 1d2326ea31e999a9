import json
import os

with open("/out/outcome.json", "w") as file:
    json.dump({"version": 1, "exit_status": "Submitted", "exception_signature": ""}, file)
os._exit(3)
