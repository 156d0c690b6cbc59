print(int(float(input()) ** 0.5))
