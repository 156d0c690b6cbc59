from itertools import product


def small(words):
    rows = words - 2
    for columns in range(1, 6) if 1 <= rows <= 3 else []:
        for cells in product(".#", repeat=rows * columns):
            if cells[0] == cells[-1] == "." and rows * columns < 11:
                text = "".join(cells)
                lines = [text[i : i + columns] + "\n" for i in range(0, len(text), columns)]
                yield f"{rows} {columns}\n" + "".join(lines)
