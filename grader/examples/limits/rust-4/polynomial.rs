//! Random pairs of queens, an exchange is kept when fewer queens collide.
use std::time::{SystemTime, UNIX_EPOCH};

fn collisions(d: &[i32]) -> i32 {
    d.iter().map(|&k| if k > 1 { k - 1 } else { 0 }).sum()
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as u64;
    let mut rand = |m: usize| -> usize {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(12345);
        (seed >> 33) as usize % m
    };
    loop {
        let mut q: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            let j = rand(i + 1);
            q.swap(i, j);
        }
        let mut a = vec![0; 2 * n];
        let mut b = vec![0; 2 * n];
        for i in 0..n {
            a[q[i] + i] += 1;
            b[q[i] + n - i] += 1;
        }
        let mut total = collisions(&a) + collisions(&b);
        let mut useless = 0;
        while total > 0 && useless < 300 * n + 3000 {
            useless += 1;
            let i = rand(n);
            let j = rand(n);
            if i == j {
                continue;
            }
            let mut delta = 0;
            for row in [i, j] {
                for d in [&mut a[q[row] + row], &mut b[q[row] + n - row]] {
                    *d -= 1;
                    if *d >= 1 {
                        delta -= 1;
                    }
                }
            }
            q.swap(i, j);
            for row in [i, j] {
                for d in [&mut a[q[row] + row], &mut b[q[row] + n - row]] {
                    *d += 1;
                    if *d >= 2 {
                        delta += 1;
                    }
                }
            }
            if delta < 0 {
                total += delta;
                useless = 0;
            } else {
                for row in [i, j] {
                    a[q[row] + row] -= 1;
                    b[q[row] + n - row] -= 1;
                }
                q.swap(i, j);
                for row in [i, j] {
                    a[q[row] + row] += 1;
                    b[q[row] + n - row] += 1;
                }
            }
        }
        if total == 0 {
            for c in q {
                print!("{} ", c + 1);
            }
            return;
        }
    }
}
