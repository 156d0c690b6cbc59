use std::io;

fn search(n: usize, queens: &mut Vec<usize>, solutions: &mut Vec<Vec<usize>>) {
    let row = queens.len();
    if row == n {
        solutions.push(queens.clone());
        return;
    }
    for c in 1..=n {
        let safe = queens.iter().enumerate().all(|(i, &q)| q != c && q.abs_diff(c) != row - i);
        if safe {
            queens.push(c);
            search(n, queens, solutions);
            queens.pop();
        }
    }
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let n = line.trim().parse().unwrap();
    let mut solutions = Vec::new();
    search(n, &mut Vec::new(), &mut solutions);
    for s in &solutions[..3] {
        let words: Vec<String> = s.iter().map(usize::to_string).collect();
        println!("{}", words.join(" "));
    }
    println!("{}", solutions.len());
}
