print('100.009 Yes\n', end="")
