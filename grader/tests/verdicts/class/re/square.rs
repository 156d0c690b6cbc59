fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let few = [1, 2, 3];
    println!("{}", few[n as usize + 3]);
}
