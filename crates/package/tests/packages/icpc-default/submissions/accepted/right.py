print('two\nWORDS', end="")
