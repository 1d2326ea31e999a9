class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        """Lines of a command are commands of their own, up to the first that fails."""
        output = {"output": "", "returncode": 0, "exception_info": ""}
        for line in action["command"].splitlines():
            output = super().execute({**action, "command": line}, cwd)
            if output["returncode"] != 0:
                break
        return output
