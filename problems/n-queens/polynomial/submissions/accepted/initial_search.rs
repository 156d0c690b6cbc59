//! Sosic and Gu: place most queens without conflict by random draws, then repair the few that are left.

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}

struct Board {
    queens: Vec<usize>,
    rising: Vec<u32>,
    falling: Vec<u32>,
}

impl Board {
    fn new(n: usize) -> Self {
        Self { queens: (0..n).collect(), rising: vec![0; 2 * n], falling: vec![0; 2 * n] }
    }

    fn diagonals(&self, row: usize) -> (usize, usize) {
        (row + self.queens[row], row + self.queens.len() - self.queens[row])
    }

    fn add(&mut self, row: usize) {
        let (rise, fall) = self.diagonals(row);
        self.rising[rise] += 1;
        self.falling[fall] += 1;
    }

    fn remove(&mut self, row: usize) {
        let (rise, fall) = self.diagonals(row);
        self.rising[rise] -= 1;
        self.falling[fall] -= 1;
    }

    /// How many other queens share a diagonal with this one, counted with `own` for itself.
    fn attacked(&self, row: usize, own: u32) -> bool {
        let (rise, fall) = self.diagonals(row);
        self.rising[rise] > own || self.falling[fall] > own
    }

    fn exchange(&mut self, a: usize, b: usize) {
        self.remove(a);
        self.remove(b);
        self.queens.swap(a, b);
        self.add(a);
        self.add(b);
    }

    fn attempt(n: usize, random: &mut Random) -> Option<Vec<usize>> {
        let mut board = Self::new(n);
        let mut placed = 0;
        for _ in 0..4 * n {
            if placed == n {
                break;
            }
            let pick = placed + random.below(n - placed);
            board.queens.swap(placed, pick);
            if !board.attacked(placed, 0) {
                board.add(placed);
                placed += 1;
            }
        }
        for row in placed..n {
            board.add(row);
        }
        for row in placed..n {
            let mut tries = 7000;
            while board.attacked(row, 1) {
                if tries == 0 {
                    return None;
                }
                tries -= 1;
                let other = random.below(n);
                if other == row {
                    continue;
                }
                board.exchange(row, other);
                if board.attacked(row, 1) || board.attacked(other, 1) {
                    board.exchange(row, other);
                }
            }
        }
        Some(board.queens)
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).expect("usage: polynomial n");
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut random = Random(clock | 1);
    let queens = loop {
        if let Some(queens) = Board::attempt(n, &mut random) {
            break queens;
        }
    };
    let mut text = String::new();
    for queen in queens {
        writeln!(text, "{}", queen + 1).expect("a string takes everything");
    }
    print!("{text}");
}
