use std::time::{SystemTime, UNIX_EPOCH};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 32) as usize * bound) >> 32
    }

    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

struct Board {
    queens: Vec<usize>,
    rising: Vec<i32>,
    falling: Vec<i32>,
}

impl Board {
    fn shuffled(n: usize, random: &mut Random) -> Self {
        let mut queens: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            queens.swap(i, random.below(i + 1));
        }
        let mut board = Self { queens, rising: vec![0; 2 * n], falling: vec![0; 2 * n] };
        for row in 0..n {
            board.put(row, 1);
        }
        board
    }

    fn energy(&self) -> i32 {
        self.rising.iter().chain(&self.falling).map(|&count| (count - 1).max(0)).sum()
    }

    fn put(&mut self, row: usize, step: i32) -> i32 {
        let fall = row + self.queens.len() - self.queens[row];
        let mut change = 0;
        for count in [&mut self.rising[row + self.queens[row]], &mut self.falling[fall]] {
            let before = (*count - 1).max(0);
            *count += step;
            change += (*count - 1).max(0) - before;
        }
        change
    }

    fn exchange(&mut self, a: usize, b: usize) -> i32 {
        let removed = self.put(a, -1) + self.put(b, -1);
        self.queens.swap(a, b);
        removed + self.put(a, 1) + self.put(b, 1)
    }
}

fn anneal(n: usize, random: &mut Random) -> Option<Vec<usize>> {
    let mut board = Board::shuffled(n, random);
    let mut energy = board.energy();
    let mut temperature = 1.0f64;
    while temperature > 0.05 {
        for _ in 0..10 * n {
            if energy == 0 {
                return Some(board.queens);
            }
            let (a, b) = (random.below(n), random.below(n));
            if a == b {
                continue;
            }
            let change = board.exchange(a, b);
            if change <= 0 || random.uniform() < (f64::from(-change) / temperature).exp() {
                energy += change;
            } else {
                board.exchange(a, b);
            }
        }
        temperature *= 0.97;
    }
    None
}

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).expect("usage: annealing n");
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut random = Random(clock | 1);
    let queens = loop {
        if let Some(queens) = anneal(n, &mut random) {
            break queens;
        }
    };
    for queen in queens {
        println!("{}", queen + 1);
    }
}
