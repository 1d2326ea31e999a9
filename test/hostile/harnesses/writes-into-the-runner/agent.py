with open("/opt/anneal-runner/solve.py", "a") as file:
    file.write("# grown\n")
