fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    while std::hint::black_box(n) > 0 {}
}
