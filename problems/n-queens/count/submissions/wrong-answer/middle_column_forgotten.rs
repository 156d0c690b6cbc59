fn search(all: u32, columns: u32, left: u32, right: u32) -> u64 {
    if columns == all {
        return 1;
    }
    let mut open = all & !(columns | left | right);
    let mut total = 0;
    while open != 0 {
        let queen = open & open.wrapping_neg();
        open ^= queen;
        total += search(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    total
}

fn main() {
    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let all = (1 << n) - 1;
    let mut total = 0;
    for column in 0..n / 2 {
        let queen = 1 << column;
        total += search(all, queen, queen << 1, queen >> 1);
    }
    println!("{}", total * 2);
}
