fn main() {
    let mut args = std::env::args().skip(1);
    let n: u32 = args.next().unwrap().parse().unwrap();
    let k: u64 = args.next().unwrap().parse().unwrap();
    for d in 1..=n {
        let moves = (k + (1 << (d - 1))) >> d;
        let direction = if (n - d) % 2 == 0 { 2 } else { 1 };
        print!("{} ", moves % 3 * direction % 3);
    }
    println!();
}
