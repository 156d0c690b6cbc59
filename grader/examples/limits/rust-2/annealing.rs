fn pairs(q: &Vec<i32>) -> i32 {
    let mut count = 0;
    for i in 0..q.len() {
        for j in 0..i {
            if (q[i] - q[j]).abs() == (i - j) as i32 {
                count += 1;
            }
        }
    }
    count
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut state = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 33) as usize
    };
    let mut q: Vec<i32> = (1..=n as i32).collect();
    let mut energy = pairs(&q);
    let mut t = 3.0_f64;
    while energy > 0 {
        let i = random() % n;
        let j = random() % n;
        q.swap(i, j);
        let next = pairs(&q);
        let chance = (-((next - energy) as f64) / t).exp();
        if next <= energy || (random() % 1000000) as f64 / 1000000.0 < chance {
            energy = next;
        } else {
            q.swap(i, j);
        }
        t *= 0.9998;
        if t < 0.05 {
            t = 3.0;
        }
    }
    for c in q {
        println!("{c}");
    }
}
