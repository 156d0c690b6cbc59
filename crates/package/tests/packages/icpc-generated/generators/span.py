import sys
from numbers_of import numbers

print(*numbers(int(sys.argv[1]), int(sys.argv[2])))
