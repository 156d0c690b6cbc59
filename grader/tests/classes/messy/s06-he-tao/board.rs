fn place(n: usize, queens: &mut Vec<usize>) -> bool {
    let row = queens.len();
    if row == n {
        return true;
    }
    for column in 0..n {
        let free = queens
            .iter()
            .enumerate()
            .all(|(r, &c)| c != column && c.abs_diff(column) != row - r);
        if free {
            queens.push(column);
            if place(n, queens) {
                return true;
            }
            queens.pop();
        }
    }
    false
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut queens = Vec::new();
    place(n, &mut queens);
    for &q in &queens {
        let line: String = (0..n).map(|c| if c == q { 'Q' } else { '#' }).collect();
        println!("{line}");
    }
}
