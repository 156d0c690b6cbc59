pub fn solve(n: usize) -> Vec<String> {
    fn place(n: usize, queens: &mut Vec<usize>) -> bool {
        let row = queens.len();
        if row == n {
            return true;
        }
        for column in 0..n {
            if queens.iter().enumerate().all(|(r, &q)| q != column && q.abs_diff(column) != row - r) {
                queens.push(column);
                if place(n, queens) {
                    return true;
                }
                queens.pop();
            }
        }
        false
    }
    let mut queens = Vec::new();
    place(n, &mut queens);
    queens.iter().map(|&q| format!("{}Q{}", "#".repeat(q), "#".repeat(n - q - 1))).collect()
}
