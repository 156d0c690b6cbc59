print('two word\n', end="")
