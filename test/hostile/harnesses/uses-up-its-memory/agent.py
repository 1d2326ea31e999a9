held = []
while True:
    held.append(bytearray(64 << 20))
