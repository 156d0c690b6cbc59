print("too large")
