use std::time::{SystemTime, UNIX_EPOCH};

struct Lcg(u64);

impl Lcg {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }
}

fn energy(q: &[usize]) -> i32 {
    let n = q.len();
    let mut up = vec![0; 2 * n];
    let mut down = vec![0; 2 * n];
    let mut e = 0;
    for i in 0..n {
        e += up[i + q[i]];
        e += down[i + n - q[i]];
        up[i + q[i]] += 1;
        down[i + n - q[i]] += 1;
    }
    e
}

fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut rng = Lcg(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64);
    let mut q: Vec<usize> = (0..n).collect();
    let mut e = energy(&q);
    while e > 0 {
        let mut t = 5.0;
        while t > 0.05 && e > 0 {
            for _ in 0..n {
                let (i, j) = (rng.below(n), rng.below(n));
                q.swap(i, j);
                let f = energy(&q);
                if f <= e || rng.next() < ((e - f) as f64 / t).exp() {
                    e = f;
                } else {
                    q.swap(i, j);
                }
                if e == 0 {
                    break;
                }
            }
            t *= 0.99;
        }
    }
    for c in q {
        print!("{} ", c + 1);
    }
    println!();
}
