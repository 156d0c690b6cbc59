import sys

n = int(sys.argv[1])
q = []

def ok(c):
    for i in xrange(len(q)):
        if q[i] == c or abs(q[i] - c) == len(q) - i:
            return False
    return True

def put():
    if len(q) == n:
        return True
    for c in xrange(n):
        if ok(c):
            q.append(c)
            if put():
                return True
            q.pop()
    return False

put()
for c in q:
    print '#' * c + 'Q' + '#' * (n - c - 1)
