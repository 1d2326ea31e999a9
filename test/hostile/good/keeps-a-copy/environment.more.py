class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        self.executor("mkdir -p /tmp/copy && cp -r . /tmp/copy", 60)
        return super().execute(action, cwd)
