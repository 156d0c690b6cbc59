import sys
from random import random, shuffle

# every attacked queen, one random partner, until all is well
n = int(sys.argv[1])
while True:
    x = [i for i in range(n)]
    shuffle(x)
    s = {}
    d = {}
    for i in range(n):
        s[i + x[i]] = s.get(i + x[i], 0) + 1
        d[i - x[i]] = d.get(i - x[i], 0) + 1
    passes = 0
    ok = False
    while not ok and passes < 1000:
        passes += 1
        ok = True
        for i in range(n):
            if s[i + x[i]] == 1 and d[i - x[i]] == 1:
                continue
            ok = False
            j = int(random() * n)
            if i == j:
                continue
            before = s[i + x[i]] + d[i - x[i]] + s[j + x[j]] + d[j - x[j]]
            for k in (i, j):
                s[k + x[k]] -= 1
                d[k - x[k]] -= 1
            x[i], x[j] = x[j], x[i]
            for k in (i, j):
                s[k + x[k]] = s.get(k + x[k], 0) + 1
                d[k - x[k]] = d.get(k - x[k], 0) + 1
            if s[i + x[i]] + d[i - x[i]] + s[j + x[j]] + d[j - x[j]] >= before:
                for k in (i, j):
                    s[k + x[k]] -= 1
                    d[k - x[k]] -= 1
                x[i], x[j] = x[j], x[i]
                for k in (i, j):
                    s[k + x[k]] += 1
                    d[k - x[k]] += 1
    if ok:
        break
print("\n".join(str(c + 1) for c in x))
