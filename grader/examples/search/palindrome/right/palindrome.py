s = input()
best = s[0]
for i in range(len(s)):
    while i + len(best) < len(s):
        longer = next((k for k in (1, 2) if (t := s[i : i + len(best) + k]) == t[::-1] and len(t) == len(best) + k), 0)
        if not longer:
            break
        best = s[i : i + len(best) + longer]
n = len(best)
i = next(i for i in range(len(s)) if (t := s[i : i + n]) == t[::-1])
print(s[i : i + n])
