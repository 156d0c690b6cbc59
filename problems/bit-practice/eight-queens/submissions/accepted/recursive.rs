fn count(placed: &mut Vec<i32>) -> u32 {
    if placed.len() == 8 {
        return 1;
    }
    let row = placed.len() as i32;
    let mut total = 0;
    for column in 0..8 {
        let attacked = placed
            .iter()
            .enumerate()
            .any(|(r, &c)| c == column || (c - column).abs() == row - r as i32);
        if !attacked {
            placed.push(column);
            total += count(placed);
            placed.pop();
        }
    }
    total
}

fn main() {
    println!("{}", count(&mut Vec::new()));
}
