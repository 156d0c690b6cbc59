from program import call


def test_large():
    assert call("gcd", 1134903170, 701408733) == "1"
