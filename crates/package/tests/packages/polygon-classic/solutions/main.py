print("No" if int(input()) % 2 else "Yes", file=open("yes.out", "w"))
