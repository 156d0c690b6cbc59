# A comment may name the tag @EXPECTED_RESULTS@ before it is set.
# @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR
print(input())
