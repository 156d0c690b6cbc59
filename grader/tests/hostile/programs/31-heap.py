# Takes memory and uses it, a megabyte at a time.
# It must be stopped at its limit; by itself it stops at a gigabyte.
blocks = [bytearray(b"x" * (1 << 20)) for _ in range(1024)]
print(42)
