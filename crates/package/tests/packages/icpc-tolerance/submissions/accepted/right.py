print('5.0000001e-1\n', end="")
