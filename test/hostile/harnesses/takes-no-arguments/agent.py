class HarnessAgent:
    def __init__(self):
        pass
