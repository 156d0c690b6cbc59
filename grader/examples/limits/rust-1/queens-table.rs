use std::collections::HashMap;
use std::io::Read;

fn count(n: usize, queens: &mut Vec<usize>) -> u32 {
    if queens.len() == n {
        return 1;
    }
    let row = queens.len();
    let mut total = 0;
    for c in 0..n {
        if (0..row).any(|i| queens[i] == c || queens[i].abs_diff(c) == row - i) {
            continue;
        }
        queens.push(c);
        total += count(n, queens);
        queens.pop();
    }
    total
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut known = HashMap::new();
    for n in text.split_whitespace().map(|word| word.parse().unwrap()) {
        if n == 0 {
            break;
        }
        println!("{}", known.entry(n).or_insert_with(|| count(n, &mut Vec::new())));
    }
}
