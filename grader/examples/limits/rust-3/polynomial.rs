use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A random number without crates: the seed of a hash map.
fn seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

fn main() {
    let n: i64 = std::env::args().nth(1).expect("n").parse().expect("n is a number");
    let mut x = seed() | 1;
    let mut random = move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x % n as u64) as i64
    };
    let mut q: Vec<i64> = (0..n).collect();
    for i in 0..n as usize {
        let j = random() as usize;
        q.swap(i, j);
    }
    let mut d1 = vec![0i32; 2 * n as usize + 1];
    let mut d2 = vec![0i32; 2 * n as usize + 1];
    for i in 0..n {
        d1[(i + q[i as usize]) as usize] += 1;
        d2[(i - q[i as usize] + n) as usize] += 1;
    }
    let mut quiet = 0i64;
    loop {
        let mut bad: Vec<i64> = Vec::new();
        for i in 0..n {
            let c = q[i as usize];
            if d1[(i + c) as usize] > 1 || d2[(i - c + n) as usize] > 1 {
                bad.push(i);
            }
        }
        if bad.is_empty() {
            break;
        }
        let mut moved = false;
        for &i in &bad {
            // up to 20 partners
            for _ in 0..20 {
                let j = random();
                let (a, b) = (q[i as usize], q[j as usize]);
                if i == j {
                    continue;
                }
                let count = |d1: &Vec<i32>, d2: &Vec<i32>, r: i64, c: i64| d1[(r + c) as usize] + d2[(r - c + n) as usize];
                let before = count(&d1, &d2, i, a) + count(&d1, &d2, j, b);
                for (r, c, k) in [(i, a, -1), (j, b, -1), (i, b, 1), (j, a, 1)] {
                    d1[(r + c) as usize] += k;
                    d2[(r - c + n) as usize] += k;
                }
                let after = count(&d1, &d2, i, b) + count(&d1, &d2, j, a);
                if after < before {
                    q.swap(i as usize, j as usize);
                    moved = true;
                    break;
                }
                for (r, c, k) in [(i, b, -1), (j, a, -1), (i, a, 1), (j, b, 1)] {
                    d1[(r + c) as usize] += k;
                    d2[(r - c + n) as usize] += k;
                }
            }
        }
        quiet = if moved { 0 } else { quiet + 1 };
        if quiet > 200 {
            // stuck: shake the board by some random exchanges
            for _ in 0..n / 2 + 1 {
                let (i, j) = (random(), random());
                if i == j {
                    continue;
                }
                let (a, b) = (q[i as usize], q[j as usize]);
                for (r, c, k) in [(i, a, -1), (j, b, -1), (i, b, 1), (j, a, 1)] {
                    d1[(r + c) as usize] += k;
                    d2[(r - c + n) as usize] += k;
                }
                q.swap(i as usize, j as usize);
            }
            quiet = 0;
        }
    }
    for c in &q {
        println!("{}", c + 1);
    }
}
