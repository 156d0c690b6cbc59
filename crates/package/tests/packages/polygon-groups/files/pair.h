static int half(int total) { return total / 2; }
