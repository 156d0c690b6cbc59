# Spins for ever.
# It must be stopped for its CPU time.
while True:
    pass
