import sys


def gray(n):
    if n == 0:
        return [""]
    shorter = gray(n - 1)
    return ["0" + code for code in shorter] + ["1" + code for code in reversed(shorter)]


print("\n".join(gray(int(sys.argv[1]))))
