use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

struct Board {
    queen: Vec<usize>,
    up: Vec<u32>,
    down: Vec<u32>,
    state: u64,
}

impl Board {
    fn random(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.state >> 33) as usize) % limit
    }

    fn diagonals(&self, i: usize) -> (usize, usize) {
        (i + self.queen[i], i + self.queen.len() - self.queen[i])
    }

    fn put(&mut self, i: usize) {
        let (u, d) = self.diagonals(i);
        self.up[u] += 1;
        self.down[d] += 1;
    }

    fn lift(&mut self, i: usize) {
        let (u, d) = self.diagonals(i);
        self.up[u] -= 1;
        self.down[d] -= 1;
    }

    fn load(&self, i: usize) -> u32 {
        let (u, d) = self.diagonals(i);
        self.up[u] + self.down[d]
    }

    fn exchange(&mut self, i: usize, j: usize) {
        self.lift(i);
        self.lift(j);
        self.queen.swap(i, j);
        self.put(i);
        self.put(j);
    }

    fn start(&mut self) {
        let n = self.queen.len();
        self.up.fill(0);
        self.down.fill(0);
        let mut i = 0;
        let mut tries = 0;
        while i < n {
            let j = i + self.random(n - i);
            self.queen.swap(i, j);
            tries += 1;
            let (u, d) = self.diagonals(i);
            if tries > 4 * n || self.up[u] + self.down[d] == 0 {
                self.put(i);
                i += 1;
            }
        }
    }

    fn search(&mut self) -> bool {
        let n = self.queen.len();
        for _ in 0..100 {
            for i in 0..n {
                for _ in 0..1000 {
                    if self.load(i) == 2 {
                        break;
                    }
                    let j = self.random(n);
                    if i == j {
                        continue;
                    }
                    let before = self.load(i) + self.load(j);
                    self.exchange(i, j);
                    if self.load(i) + self.load(j) >= before {
                        self.exchange(i, j);
                    }
                }
            }
            if (0..n).all(|i| self.load(i) == 2) {
                return true;
            }
        }
        false
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).expect("n").parse().expect("a number");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
    let mut board = Board {
        queen: (0..n).collect(),
        up: vec![0; 2 * n + 1],
        down: vec![0; 2 * n + 1],
        state: now.as_nanos() as u64,
    };
    loop {
        board.start();
        if board.search() {
            break;
        }
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    for q in &board.queen {
        write!(out, "{} ", q + 1).unwrap();
    }
    writeln!(out).unwrap();
}
