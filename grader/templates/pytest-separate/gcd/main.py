import os
import sys

# What the student's code prints is no answer.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

from gcd import gcd

for line in sys.stdin:
    name, a, b = line.split()
    print(gcd(int(a), int(b)), file=answers, flush=True)
