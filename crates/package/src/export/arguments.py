# The first line of standard input holds the arguments.
import os
import runpy
import sys

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "PROGRAM")
line = b""
# Byte by byte: what follows is the program's own input.
while (byte := os.read(0, 1)) not in (b"", b"\n"):
    line += byte
sys.argv = [program] + line.decode().split()
runpy.run_path(program, run_name="__main__")
