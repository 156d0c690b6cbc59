import sys

wanted = [int(word.split("=")[1]) for word in sys.argv[1:]]
count = len(sys.stdin.read().split())
sys.exit(42 if all(count == number for number in wanted) else 43)
