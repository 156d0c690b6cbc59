def pair(total):
    return total // 2, total - total // 2
