way, word = input().split()
print(word[::-1] if way == "encode" else word)
