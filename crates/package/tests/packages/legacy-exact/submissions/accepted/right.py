print('A  b\n', end="")
