use std::io;

// Takes the highest free bit first, so the solutions come in falling order.
fn place(n: usize, queens: &mut Vec<usize>, masks: (u32, u32, u32), total: &mut u64) {
    if queens.len() == n {
        *total += 1;
        if *total <= 3 {
            let text: Vec<String> = queens.iter().map(usize::to_string).collect();
            println!("{}", text.join(" "));
        }
        return;
    }
    let (columns, left, right) = masks;
    let mut open = ((1u32 << n) - 1) & !(columns | left | right);
    while open != 0 {
        let column = 31 - open.leading_zeros();
        let queen = 1 << column;
        open ^= queen;
        queens.push(column as usize + 1);
        place(n, queens, (columns | queen, (left | queen) << 1, (right | queen) >> 1), total);
        queens.pop();
    }
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let n = line.trim().parse().unwrap();
    let mut total = 0;
    place(n, &mut Vec::new(), (0, 0, 0), &mut total);
    println!("{total}");
}
