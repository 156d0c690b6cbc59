s = input()
best = ""
for centre in range(2 * len(s) - 1):
    left = centre // 2
    right = left + centre % 2
    while left >= 0 and right < len(s) and s[left] == s[right]:
        left, right = left - 1, right + 1
    if right - left - 1 > len(best):
        best = s[left + 1 : right]
print(best)
