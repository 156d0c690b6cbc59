fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut all = Vec::new();
    loop {
        all.push(vec![n; 1 << 17]);
    }
}
