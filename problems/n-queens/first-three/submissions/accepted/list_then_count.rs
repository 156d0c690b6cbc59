//! Two searches: one stops after three solutions, the other only counts.

use std::io;

fn list(n: usize, queens: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if queens.len() == n {
        found.push(queens.clone());
        return;
    }
    for column in 1..=n {
        let row = queens.len();
        let safe = queens.iter().enumerate().all(|(r, &q)| q != column && q.abs_diff(column) != row - r);
        if safe && found.len() < 3 {
            queens.push(column);
            list(n, queens, found);
            queens.pop();
        }
    }
}

fn count(all: u32, columns: u32, left: u32, right: u32) -> u64 {
    if columns == all {
        return 1;
    }
    let mut open = all & !(columns | left | right);
    let mut total = 0;
    while open != 0 {
        let queen = open & open.wrapping_neg();
        open ^= queen;
        total += count(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    total
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).expect("n on standard input");
    let n: usize = line.trim().parse().expect("n is a number");
    let mut found = Vec::new();
    list(n, &mut Vec::new(), &mut found);
    for queens in found {
        let text: Vec<String> = queens.iter().map(usize::to_string).collect();
        println!("{}", text.join(" "));
    }
    println!("{}", count((1 << n) - 1, 0, 0, 0));
}
