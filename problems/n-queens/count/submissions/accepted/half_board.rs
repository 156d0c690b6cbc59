//! The bit-mask recursion; the first queen stands in the left half or in the middle column.

fn search(all: u32, columns: u32, left: u32, right: u32) -> u64 {
    let mut open = all & !(columns | left | right);
    let mut total = 0;
    while open != 0 {
        let queen = open & open.wrapping_neg();
        open ^= queen;
        let taken = columns | queen;
        if taken == all {
            return total + 1;
        }
        total += search(all, taken, (left | queen) << 1, (right | queen) >> 1);
    }
    total
}

fn main() {
    let n: u32 = std::env::args()
        .nth(1)
        .and_then(|argument| argument.parse().ok())
        .expect("usage: count n");
    let all = (1 << n) - 1;
    let first = |column: u32| {
        let queen = 1 << column;
        search(all, queen, queen << 1, queen >> 1)
    };
    let mirrored: u64 = (0..n / 2).map(first).sum();
    let middle = if n % 2 == 1 { first(n / 2) } else { 0 };
    println!("{}", 2 * mirrored + middle);
}
