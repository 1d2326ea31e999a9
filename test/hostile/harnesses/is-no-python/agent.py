class HarnessAgent(:
    pass
