import sys

n = int(sys.argv[1])
everything = []
while n:
    everything.append(bytearray(b"x" * (1 << 20)))
