print('100 yes\n', end="")
