print(float(input()) ** 0.5 + 5e-5)
