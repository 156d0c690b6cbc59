//! Mutants of `queens-table`.

use crate::masks::{self, Attacks};
use crate::program::{Question, line};
use crate::{Error, Mutant};

/// The largest number of queens that is answered.
const MOST: usize = 16;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "one-diagonal-forgotten",
        "forgets the diagonals down to the right",
        "漏掉了一个方向的对角线",
        |question, output| {
            let mut known = Known::new(masks::one_diagonal_forgotten);
            for n in numbers(question)? {
                line(output, &known.total(n).to_string())?;
            }
            Ok(())
        },
    ),
    Mutant::new(
        "total-not-reset",
        "goes on counting from the answer before",
        "每次计数前没有清零",
        |question, output| {
            let mut known = Known::new(masks::right_step);
            let mut total = 0;
            for n in numbers(question)? {
                // Right: begin with 0.
                total += known.total(n);
                line(output, &total.to_string())?;
            }
            Ok(())
        },
    ),
    Mutant::new(
        "known-n-not-printed",
        "prints nothing for an n that was asked before",
        "重复询问的 n 不再输出",
        |question, output| {
            let mut known = Known::new(masks::right_step);
            for n in numbers(question)? {
                if known.has(n) {
                    continue;
                }
                line(output, &known.total(n).to_string())?;
            }
            Ok(())
        },
    ),
    Mutant::new(
        "one-number-a-line",
        "reads the first number of each line only",
        "每行只读第一个数",
        |question, output| {
            let mut known = Known::new(masks::right_step);
            for text in question.text()?.lines() {
                let Some(word) = text.split_whitespace().next() else {
                    continue;
                };
                match number(word)? {
                    0 => break,
                    n => line(output, &known.total(n).to_string())?,
                }
            }
            Ok(())
        },
    ),
    Mutant::new(
        "table-one-short",
        "counts up to 11 beforehand and answers 0 beyond",
        "预先只算到 11，再大就输出 0",
        |question, output| {
            let mut known = Known::new(masks::right_step);
            for n in numbers(question)? {
                // Right: one more.
                let total = if n < 12 { known.total(n) } else { 0 };
                line(output, &total.to_string())?;
            }
            Ok(())
        },
    ),
];

/// The questions up to the 0.
fn numbers(question: &mut Question<'_>) -> Result<Vec<usize>, Error> {
    let text = question.text()?;
    let mut numbers = Vec::new();
    for word in text.split_whitespace() {
        match number(word)? {
            0 => break,
            n => numbers.push(n),
        }
    }
    Ok(numbers)
}

fn number(word: &str) -> Result<usize, Error> {
    let n = word.parse().ok().filter(|&n| n <= MOST);
    n.ok_or_else(|| Error::NotAQuestion {
        found: word.escape_debug().to_string(),
    })
}

/// Totals that were asked for, each counted once.
struct Known {
    totals: [Option<u64>; MOST + 1],
    step: masks::Step,
}

impl Known {
    fn new(step: masks::Step) -> Self {
        Self {
            totals: [None; MOST + 1],
            step,
        }
    }

    fn has(&self, n: usize) -> bool {
        self.totals[n].is_some()
    }

    fn total(&mut self, n: usize) -> u64 {
        let count = || masks::count(masks::full(n as u32), Attacks::default(), self.step);
        *self.totals[n].get_or_insert_with(count)
    }
}
