class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        for _ in range(2):
            output = super().execute(action, cwd)
            if output["returncode"] == 0:
                break
        return output
