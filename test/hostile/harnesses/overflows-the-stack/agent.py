import sys

sys.setrecursionlimit(10**9)


class Deeper:
    def __repr__(self):
        return repr([Deeper()])


repr(Deeper())
