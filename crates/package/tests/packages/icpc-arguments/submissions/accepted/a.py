print([0, 'one', 'two', 'three', 'two'][int(input())])
