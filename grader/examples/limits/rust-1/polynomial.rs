use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

struct Rng(u64);

impl Rng {
    fn next(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

struct Board {
    n: usize,
    queens: Vec<usize>,
    sum: Vec<i32>,
    diff: Vec<i32>,
}

impl Board {
    fn new(n: usize, rng: &mut Rng) -> Board {
        let mut queens: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            queens.swap(i, rng.next(i + 1));
        }
        let mut board = Board { n, queens, sum: vec![0; 2 * n], diff: vec![0; 2 * n] };
        for i in 0..n {
            board.add(i, 1);
        }
        board
    }

    fn add(&mut self, i: usize, k: i32) {
        self.sum[i + self.queens[i]] += k;
        self.diff[i + self.n - self.queens[i]] += k;
    }

    fn attacks(&self, i: usize) -> i32 {
        self.sum[i + self.queens[i]] + self.diff[i + self.n - self.queens[i]] - 2
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.add(i, -1);
        self.add(j, -1);
        self.queens.swap(i, j);
        self.add(i, 1);
        self.add(j, 1);
    }

    fn solved(&self) -> bool {
        (0..self.n).all(|i| self.attacks(i) == 0)
    }
}

fn main() {
    let args: Vec<String> = env::args().collect();
    let n: usize = args[1].parse().unwrap();
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let mut rng = Rng(seed);
    let mut board = Board::new(n, &mut rng);
    while !board.solved() {
        let mut changed = false;
        for i in 0..n {
            if i % 100 == 0 && board.solved() {
                break;
            }
            for j in i + 1..n {
                if board.attacks(i) == 0 && board.attacks(j) == 0 {
                    continue;
                }
                let before = board.attacks(i) + board.attacks(j);
                board.swap(i, j);
                let after = board.attacks(i) + board.attacks(j);
                if after < before {
                    changed = true;
                } else {
                    board.swap(i, j);
                }
            }
        }
        if !changed {
            board = Board::new(n, &mut rng);
        }
    }
    for q in board.queens {
        print!("{} ", q + 1);
    }
    println!();
}
