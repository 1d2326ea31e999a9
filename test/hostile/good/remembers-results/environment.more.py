class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        self.seen = getattr(self, "seen", {})
        command = action["command"]
        if not command.startswith("ls"):
            return super().execute(action, cwd)
        if command not in self.seen:
            self.seen[command] = super().execute(action, cwd)
        return self.seen[command]
