with open("/opt/harness/agent.py", "a") as file:
    file.write("# grown\n")
