class HarnessEnvironment(PlainEnvironment):
    def execute(self, action, cwd=""):
        much = self.executor("seq 400000; echo; printf '\\xff\\xfe'; printf '\\033[31mred\\033[0m'", 60)
        assert much["outputBytes"] > 2_000_000 and "left out" in much["output"], much["outputBytes"]
        return super().execute(action, cwd)
