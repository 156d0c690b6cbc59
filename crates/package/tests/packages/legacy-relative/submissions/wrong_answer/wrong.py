print('1002 x\n', end="")
