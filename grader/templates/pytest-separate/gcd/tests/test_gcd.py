from program import call


def gcd(a, b):
    return int(call("gcd", a, b))


def test_small():
    assert gcd(12, 18) == 6


def test_coprime():
    assert gcd(35, 64) == 1


def test_zero():
    assert gcd(0, 5) == 5
