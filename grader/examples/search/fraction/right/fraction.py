from fractions import Fraction

a, b, c, d = map(int, input().split())
print(Fraction(a, b) + Fraction(c, d))
