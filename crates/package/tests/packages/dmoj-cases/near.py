import sys

_, _, output, answer = sys.argv
with open(output) as found, open(answer) as expected:
    sys.exit(abs(int(found.read()) - int(expected.read())) > 1)
