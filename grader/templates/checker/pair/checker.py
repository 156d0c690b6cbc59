import sys

n = int(open(sys.argv[1]).read())
words = sys.stdin.read().split()


def reject(why):
    with open(sys.argv[3] + "teammessage.txt", "w") as message:
        message.write(why)
    sys.exit(43)


if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words):
    reject("expected two positive numbers")
a, b = (int(word[:20]) for word in words)
if a == b or a < 1 or b < 1:
    reject("expected two different positive numbers")
if a + b != n:
    reject(f"the sum is {a + b}, not {n}")
sys.exit(42)
