raise SystemExit(int(input()) % 2)
