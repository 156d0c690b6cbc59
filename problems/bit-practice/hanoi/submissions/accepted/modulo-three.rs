use std::env;

fn main() {
    let args: Vec<u64> = env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (n, k) = (args[0], args[1]);
    let pegs: Vec<String> = (1..=n)
        .map(|d| {
            let moves = (k + (1 << (d - 1))) >> d;
            let peg = if (n - d) % 2 == 0 { (3 - moves % 3) % 3 } else { moves % 3 };
            (peg + 1).to_string()
        })
        .collect();
    println!("{}", pegs.join(" "));
}
