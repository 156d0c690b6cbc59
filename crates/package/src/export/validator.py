# Lets a program that ends with 0 if it accepts serve as an input validator.
import os
import runpy
import sys
import traceback

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "PROGRAM")
sys.argv[0] = program
status = 0
try:
    runpy.run_path(program, run_name="__main__")
except SystemExit as end:
    status = end.code
except BaseException:
    traceback.print_exc()
    status = 43
sys.exit(42 if status in (None, 0, 42) else 43)
