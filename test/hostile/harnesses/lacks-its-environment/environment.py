from pydantic import BaseModel


class Config(BaseModel):
    cwd: str
