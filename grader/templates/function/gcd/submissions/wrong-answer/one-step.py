def gcd(a, b):
    return a % b if b else b
