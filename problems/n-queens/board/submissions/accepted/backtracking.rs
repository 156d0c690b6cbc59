struct Search {
    n: usize,
    columns: Vec<bool>,
    rising: Vec<bool>,
    falling: Vec<bool>,
    queens: Vec<usize>,
}

impl Search {
    fn place(&mut self, row: usize) -> bool {
        if row == self.n {
            return true;
        }
        for column in 0..self.n {
            let (rise, fall) = (row + column, row + self.n - column);
            if self.columns[column] || self.rising[rise] || self.falling[fall] {
                continue;
            }
            self.mark(row, column, true);
            self.queens.push(column);
            if self.place(row + 1) {
                return true;
            }
            self.queens.pop();
            self.mark(row, column, false);
        }
        false
    }

    fn mark(&mut self, row: usize, column: usize, taken: bool) {
        self.columns[column] = taken;
        self.rising[row + column] = taken;
        self.falling[row + self.n - column] = taken;
    }
}

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).expect("usage: board n");
    let mut search = Search {
        n,
        columns: vec![false; n],
        rising: vec![false; 2 * n],
        falling: vec![false; 2 * n + 1],
        queens: Vec::new(),
    };
    search.place(0);
    for &queen in &search.queens {
        let row: String = (0..n).map(|column| if column == queen { 'Q' } else { '#' }).collect();
        println!("{row}");
    }
}
