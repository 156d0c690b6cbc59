def small(words):
    if words == 6:
        for y in (1, 2, 4, 100, 400):
            for m in (1, 2, 3, 12):
                for d in (1, 2, 28):
                    yield f"1 1 1\n{y} {m} {d}\n"
                    yield f"{y} {m} {d}\n1 1 1\n"
