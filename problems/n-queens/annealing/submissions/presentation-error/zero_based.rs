fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let mut seed = clock.as_nanos() as u64 | 1;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed >> 20
    };
    let mut queens: Vec<usize> = (0..n).collect();
    let energy = |queens: &[usize]| {
        let mut up = vec![0; 2 * n];
        let mut down = vec![0; 2 * n];
        let mut pairs = 0;
        for (row, &column) in queens.iter().enumerate() {
            pairs += up[row + column] + down[row + n - column];
            up[row + column] += 1;
            down[row + n - column] += 1;
        }
        pairs
    };
    let mut now = energy(&queens);
    let mut temperature = 2.0f64;
    while now > 0 {
        let (a, b) = (next() as usize % n, next() as usize % n);
        queens.swap(a, b);
        let after = energy(&queens);
        let chance = (f64::from(now - after) / temperature).exp();
        if after <= now || ((next() % 1_000_000) as f64) < chance * 1e6 {
            now = after;
        } else {
            queens.swap(a, b);
        }
        temperature = if temperature < 0.1 { 1.0 } else { temperature * 0.9999 };
    }
    let text: Vec<String> = queens.iter().map(usize::to_string).collect();
    println!("{}", text.join(" "));
}
