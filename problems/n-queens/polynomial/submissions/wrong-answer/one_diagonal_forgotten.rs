fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut seed: u64 = 2463534242;
    let mut below = |bound: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        ((seed >> 32) as usize) % bound
    };
    let mut queens: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        queens.swap(i, below(i + 1));
    }
    // Rising diagonals only; the falling ones never come into it.
    let mut rising = vec![0i32; 2 * n];
    for row in 0..n {
        rising[row + queens[row]] += 1;
    }
    loop {
        let attacked: Vec<usize> = (0..n).filter(|&row| rising[row + queens[row]] > 1).collect();
        if attacked.is_empty() {
            break;
        }
        for row in attacked {
            if rising[row + queens[row]] < 2 {
                continue;
            }
            let other = below(n);
            if row == other {
                continue;
            }
            rising[row + queens[row]] -= 1;
            rising[other + queens[other]] -= 1;
            let (a, b) = (row + queens[other], other + queens[row]);
            if rising[a] + rising[b] + i32::from(a == b) <= 1 {
                queens.swap(row, other);
            }
            rising[row + queens[row]] += 1;
            rising[other + queens[other]] += 1;
        }
    }
    let text: Vec<String> = queens.iter().map(|queen| (queen + 1).to_string()).collect();
    println!("{}", text.join(" "));
}
