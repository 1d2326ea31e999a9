class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        """A command may start something that serves it; it ends with the command."""
        serve = "/usr/bin/python3 -I -c 'import socket, time; s = socket.create_server((\"127.0.0.1\", 8000)); time.sleep(60)' > /dev/null 2>&1 &"
        return super().execute({**action, "command": serve + "\n" + action["command"]}, cwd)
