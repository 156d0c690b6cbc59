# @EXPECTED_RESULTS@: RUN-ERROR
n = int(input())
print(n // 2 if n else 1 // n)
