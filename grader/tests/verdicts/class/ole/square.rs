fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    loop {
        println!("0123456789012345678901234567890123456789 {n}");
    }
}
