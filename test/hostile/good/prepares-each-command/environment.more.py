class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        return super().execute({**action, "command": "set -u; umask 022; export TZ=UTC\n" + action["command"]}, cwd)
