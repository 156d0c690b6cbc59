use rand::seq::SliceRandom;

fn legal(queens: &[usize]) -> bool {
    (0..queens.len()).all(|a| (0..a).all(|b| queens[a].abs_diff(queens[b]) != a - b))
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut queens: Vec<usize> = (1..=n).collect();
    while !legal(&queens) {
        queens.shuffle(&mut rand::thread_rng());
    }
    for queen in queens {
        print!("{queen} ");
    }
}
