class HarnessAgent:
    """No base class at all: a loop of its own."""

    def __init__(self, model, env, *, system_template, instance_template, cost_limit, output_path):
        self.model, self.env, self.n_calls = model, env, 0
        self.output_path = output_path

    def run(self, task, playbook=""):
        from minisweagent.exceptions import InterruptAgentFlow

        messages = [{"role": "system", "content": "You work. " + playbook}, {"role": "user", "content": task}]
        while self.n_calls < 20:
            self.n_calls += 1
            try:
                message = self.model.query(messages)
                outputs = [self.env.execute(action) for action in message["extra"]["actions"]]
            except InterruptAgentFlow as flow:
                return flow.messages[-1]["extra"]
            messages += [message, *self.model.format_observation_messages(message, outputs)]
        return {"exit_status": "LimitsExceeded"}
