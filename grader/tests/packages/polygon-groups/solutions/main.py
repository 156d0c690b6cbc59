from tools import pair

print(*pair(int(input())))
