from twice import twice

print(twice(int(input())))
