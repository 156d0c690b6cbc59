fn place(n: usize, row: usize, queens: &mut [usize; 8]) -> bool {
    if row == n {
        return true;
    }
    for column in 0..n {
        let safe = (0..row).all(|r| queens[r] != column && queens[r].abs_diff(column) != row - r);
        if safe {
            queens[row] = column;
            if place(n, row + 1, queens) {
                return true;
            }
        }
    }
    false
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut queens = [0; 8];
    place(n, 0, &mut queens);
    for queen in &queens[..n] {
        println!("{}Q{}", "#".repeat(*queen), "#".repeat(n - queen - 1));
    }
}
