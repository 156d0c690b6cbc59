import sys


def odd(n, k):
    if n == k == 0:
        return True
    if k % 2 > n % 2:
        return False
    return odd(n // 2, k // 2)


words = sys.stdin.read().split()
for n, k in zip(words[::2], words[1::2]):
    print("odd" if odd(int(n), int(k)) else "even")
