import sys

feedback = sys.argv[3]
n = int(open(sys.argv[1]).read())
words = sys.stdin.read().split()
if len(words) != 2 or not all(word.isdigit() for word in words) or sum(map(int, words)) != n:
    with open(feedback + "/teammessage.txt", "w") as message:
        message.write("no sum")
    sys.exit(43)
if "different" in sys.argv[4:] and words[0] == words[1]:
    sys.exit(43)
sys.exit(42)
