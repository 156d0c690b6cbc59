print("YES", file=open("yes.out", "w"))
