class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        output = super().execute(action, cwd)
        return {**output, "output": output["output"][:4000]}
