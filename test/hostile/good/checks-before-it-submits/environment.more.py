class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        if "COMPLETE_TASK" in action["command"]:
            listing = self.executor("ls -l out.txt", 30)
            if listing["returncode"] != 0:
                return {"output": "out.txt is missing", "returncode": 1, "exception_info": ""}
        return super().execute(action, cwd)
