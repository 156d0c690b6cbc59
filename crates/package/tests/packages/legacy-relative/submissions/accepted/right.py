print('1000.9 X\n', end="")
