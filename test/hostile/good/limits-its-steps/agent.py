from minisweagent.agents.default import AgentConfig, DefaultAgent


class Config(AgentConfig):
    step_limit: int = 40
    wall_time_limit_seconds: int = 600


class HarnessAgent(DefaultAgent):
    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, config_class=Config, **settings)
