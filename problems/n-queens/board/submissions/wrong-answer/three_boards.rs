fn place(n: usize, queens: &mut Vec<usize>, found: &mut usize) {
    if *found == 3 {
        return;
    }
    let row = queens.len();
    if row == n {
        *found += 1;
        for &queen in queens.iter() {
            println!("{}Q{}", "#".repeat(queen), "#".repeat(n - queen - 1));
        }
        return;
    }
    for column in 0..n {
        let safe = queens
            .iter()
            .enumerate()
            .all(|(above, &queen)| queen != column && queen.abs_diff(column) != row - above);
        if safe {
            queens.push(column);
            place(n, queens, found);
            queens.pop();
        }
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut found = 0;
    place(n, &mut Vec::new(), &mut found);
}
