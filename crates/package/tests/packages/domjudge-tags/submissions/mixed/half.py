# @EXPECTED_RESULTS@: CORRECT
print(int(input()) // 2)
