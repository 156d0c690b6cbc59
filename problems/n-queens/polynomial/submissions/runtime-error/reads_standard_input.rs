use std::io;

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let n: usize = line.trim().parse().unwrap();
    // Even columns, then odd ones, with the end pieces exchanged where n mod 6 is 2 or 3.
    let mut even: Vec<usize> = (1..=n).filter(|c| c % 2 == 0).collect();
    let mut odd: Vec<usize> = (1..=n).filter(|c| c % 2 == 1).collect();
    if n % 6 == 2 {
        odd.swap(0, 1);
        odd.retain(|&c| c != 5);
        odd.push(5);
    }
    if n % 6 == 3 {
        even.rotate_left(1);
        odd.rotate_left(2);
    }
    even.append(&mut odd);
    for column in even {
        println!("{column}");
    }
}
