use std::io::{self, Read};

fn place(full: u32, columns: u32, left: u32, right: u32) -> u32 {
    if columns == full {
        return 1;
    }
    let mut free = full & !(columns | left | right);
    let mut total = 0;
    while free != 0 {
        let bit = free & free.wrapping_neg();
        free ^= bit;
        total += place(full, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    total
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).unwrap();
    let mut table = [None; 13];
    for word in input.split_whitespace() {
        let n: usize = word.parse().unwrap();
        if n == 0 {
            break;
        }
        let answer = *table[n].get_or_insert_with(|| place((1 << n) - 1, 0, 0, 0));
        println!("{answer}");
    }
}
