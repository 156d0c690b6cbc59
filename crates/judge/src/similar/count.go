package main

import "fmt"

// place counts the ways to fill the rows that are left.
func place(full, columns, left, right uint) int {
	if columns == full {
		return 1
	}
	count := 0
	for free := full &^ (columns | left | right); free != 0; free &= free - 1 {
		bit := free & -free
		count += place(full, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return count
}

func main() {
	var n uint
	fmt.Scan(&n)
	fmt.Printf("%d\n", place(1<<n-1, 0, 0, 0))
}
