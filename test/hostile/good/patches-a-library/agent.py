import minisweagent.agents.default as default

original = default.DefaultAgent.execute_actions


def counted(self, message):
    self.extra_template_vars["actions"] = self.extra_template_vars.get("actions", 0) + 1
    return original(self, message)


default.DefaultAgent.execute_actions = counted


class HarnessAgent(default.DefaultAgent):
    pass
