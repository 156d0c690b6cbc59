# Does nothing wrong.
# Its neighbours must not keep it from its answer.
print(42)
