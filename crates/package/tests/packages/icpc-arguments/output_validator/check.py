import sys
word = sys.argv[sys.argv.index('--word') + 1]
sys.exit(42 if sys.stdin.read().strip() == word else 43)
