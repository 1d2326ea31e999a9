from pydantic import BaseModel


class Config(BaseModel):
    cwd: str
    timeout: int = 120


class HarnessEnvironment:
    def __init__(self, *, executor, **settings):
        self.config = Config(**settings)

    def execute(self, action, cwd=""):
        return b"bytes"

    def get_template_vars(self, **extra):
        return {**self.config.model_dump(), **extra}

    def serialize(self):
        return {}
