import sys

with open(sys.argv[1]) as file:
    number = int(file.read())
for _ in range(7):
    line = sys.stdin.readline(20)
    if not line.strip().isdigit():
        print("wrong output format expected a number", file=sys.stderr)
        sys.exit(2)
    guess = int(line)
    print("=" if guess == number else "<" if number < guess else ">", flush=True)
    if guess == number:
        sys.exit(0)
print("wrong answer too many guesses", file=sys.stderr)
sys.exit(1)
