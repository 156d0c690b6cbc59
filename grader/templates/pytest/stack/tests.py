from stack import Stack


def test_push():
    stack = Stack()
    stack.push(1)
    assert stack.pop() == 1


def test_order():
    stack = Stack()
    for value in (1, 2, 3):
        stack.push(value)
    assert [stack.pop() for _ in range(3)] == [3, 2, 1]


def test_pop_of_an_empty_stack():
    assert Stack().pop() is None
