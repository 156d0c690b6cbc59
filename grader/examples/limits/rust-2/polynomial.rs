// As in the paper: exchange pairs of queens while the number of collisions gets smaller.
fn random(state: &mut u32) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state as usize
}

fn lose(counter: &mut u32) -> i64 {
    *counter -= 1;
    if *counter > 0 { 1 } else { 0 }
}

fn gain(counter: &mut u32) -> i64 {
    *counter += 1;
    if *counter > 1 { 1 } else { 0 }
}

fn exchange(queen: &mut Vec<usize>, up: &mut Vec<u32>, down: &mut Vec<u32>, a: usize, b: usize) -> i64 {
    let n = queen.len();
    let mut change = 0;
    for i in [a, b] {
        change -= lose(&mut up[i + queen[i]]);
        change -= lose(&mut down[i + n - queen[i]]);
    }
    queen.swap(a, b);
    for i in [a, b] {
        change += gain(&mut up[i + queen[i]]);
        change += gain(&mut down[i + n - queen[i]]);
    }
    change
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut state = std::process::id() ^ 0x9e3779b9;
    loop {
        let mut queen: Vec<usize> = (0..n).collect();
        for i in 0..n {
            let j = i + random(&mut state) % (n - i);
            queen.swap(i, j);
        }
        let mut up = vec![0u32; 2 * n];
        let mut down = vec![0u32; 2 * n];
        let mut collisions = 0;
        for i in 0..n {
            collisions += gain(&mut up[i + queen[i]]);
            collisions += gain(&mut down[i + n - queen[i]]);
        }
        'search: loop {
            let mut better = false;
            for i in 0..n {
                for j in i + 1..n {
                    let attacked = |k: usize| up[k + queen[k]] > 1 || down[k + n - queen[k]] > 1;
                    if !attacked(i) && !attacked(j) {
                        continue;
                    }
                    let change = exchange(&mut queen, &mut up, &mut down, i, j);
                    if change >= 0 {
                        exchange(&mut queen, &mut up, &mut down, i, j);
                        continue;
                    }
                    collisions += change;
                    better = true;
                    if collisions == 0 {
                        break 'search;
                    }
                }
            }
            if !better {
                break;
            }
        }
        if collisions == 0 {
            let text: Vec<String> = queen.iter().map(|q| (q + 1).to_string()).collect();
            println!("{}", text.join(" "));
            return;
        }
    }
}
