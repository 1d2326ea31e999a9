class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        late = self.executor("sleep 30", 1)
        assert late["timedOut"] and late["returncode"] == -1, late
        return super().execute(action, cwd)
