# The first line of standard input holds the arguments.
import os
import runpy
import sys

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "PROGRAM")
sys.argv = [program] + sys.stdin.buffer.readline().decode().split()
runpy.run_path(program, run_name="__main__")
