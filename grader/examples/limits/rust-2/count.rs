fn place(n: usize, row: usize, columns: u32, up: u32, down: u32, count: &mut u64) {
    if row == n {
        *count += 1;
        return;
    }
    for c in 0..n {
        let bit = 1 << c;
        if (columns | up | down) & bit == 0 {
            place(n, row + 1, columns | bit, (up | bit) << 1, (down | bit) >> 1, count);
        }
    }
}

fn main() {
    let n = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut count = 0;
    place(n, 0, 0, 0, 0, &mut count);
    println!("{count}");
}
