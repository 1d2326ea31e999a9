"""One module per task, each with `write(directory, random)`."""
