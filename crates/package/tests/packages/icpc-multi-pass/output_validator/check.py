import os
import sys

feedback = sys.argv[3]
answer = open(sys.argv[2]).read().strip()
output = sys.stdin.read().strip()
if os.path.exists(feedback + "/second"):
    sys.exit(42 if output == answer else 43)
if output == answer:
    sys.exit(43)
open(feedback + "/second", "w").close()
with open(feedback + "/nextpass.in", "w", errors="surrogateescape") as next_input:
    next_input.write("decode " + output + "\n")
sys.exit(42)
