use std::io;

fn main() {
    for line in io::stdin().lines() {
        let line = line.unwrap();
        let numbers: Vec<u64> = line.split_whitespace().map(|w| w.parse().unwrap()).collect();
        if let [n, k] = numbers[..] {
            println!("{}", if !n & k == 0 { "odd" } else { "even" });
        }
    }
}
