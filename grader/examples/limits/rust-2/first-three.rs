use std::io::Read;

struct Search {
    n: usize,
    columns: Vec<bool>,
    up: Vec<bool>,
    down: Vec<bool>,
    board: Vec<usize>,
    total: u32,
}

impl Search {
    fn row(&mut self, row: usize) {
        if row == self.n {
            self.total += 1;
            if self.total <= 3 {
                let line: Vec<String> = self.board.iter().map(|c| (c + 1).to_string()).collect();
                println!("{}", line.join(" "));
            }
            return;
        }
        for c in 0..self.n {
            if self.columns[c] || self.up[row + c] || self.down[row + self.n - c] {
                continue;
            }
            self.columns[c] = true;
            self.up[row + c] = true;
            self.down[row + self.n - c] = true;
            self.board[row] = c;
            self.row(row + 1);
            self.columns[c] = false;
            self.up[row + c] = false;
            self.down[row + self.n - c] = false;
        }
    }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let n: usize = input.trim().parse().unwrap();
    let mut search = Search {
        n,
        columns: vec![false; n],
        up: vec![false; 2 * n],
        down: vec![false; 2 * n + 1],
        board: vec![0; n],
        total: 0,
    };
    search.row(0);
    println!("{}", search.total);
}
