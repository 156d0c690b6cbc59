import sys

amount, n, *coins = map(int, sys.stdin.read().split())
all_ones = (1 << (amount + 1)) - 1
reached, count = 1, 0
while not reached >> amount & 1:
    more = reached
    for coin in set(coins):
        more |= reached << coin
    more &= all_ones
    if more == reached:
        break
    reached, count = more, count + 1
print(count if reached >> amount & 1 else -1)
