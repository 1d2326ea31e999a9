import sys

for _ in range(50):
    sys.stdout.write("x" * (1 << 20))
sys.exit("printed")
