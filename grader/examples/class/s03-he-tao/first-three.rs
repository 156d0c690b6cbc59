use std::io;

struct Search {
    n: usize,
    queens: Vec<usize>,
    total: u32,
}

impl Search {
    fn place(&mut self, columns: u32, left: u32, right: u32) {
        if self.queens.len() == self.n {
            self.total += 1;
            if self.total <= 3 {
                let words: Vec<String> = self.queens.iter().map(usize::to_string).collect();
                println!("{}", words.join(" "));
            }
            return;
        }
        for column in 0..self.n {
            let bit = 1 << column;
            if (columns | left | right) & bit == 0 {
                self.queens.push(column + 1);
                self.place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
                self.queens.pop();
            }
        }
    }
}

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let n = line.trim().parse().unwrap();
    let mut search = Search { n, queens: Vec::new(), total: 0 };
    search.place(0, 0, 0);
    println!("{}", search.total);
}
