guess = 1
while True:
    print(guess, flush=True)
    answer = input()
    if answer == "=":
        break
    guess += 1
