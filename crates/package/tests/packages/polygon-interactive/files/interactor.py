import sys

secret = int(open(sys.argv[1]).read())
for _ in range(10):
    line = sys.stdin.readline(20).strip()
    if not line.isdigit():
        break
    guess = int(line)
    if guess == secret:
        print("correct", flush=True)
        print("ok", file=sys.stderr)
        sys.exit(0)
    print("lower" if secret < guess else "higher", flush=True)
print("wrong answer not found", file=sys.stderr)
sys.exit(1)
