print('0.51\n', end="")
