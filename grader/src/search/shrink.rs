//! Smaller texts beside a text: with lines, words, letters or values taken away.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::mem;

/// Larger texts are left as they are.
const MAX_BYTES: usize = 1 << 20;
/// Of so few pieces, neighbours are taken from everywhere, not only from multiples of their number, and also any two.
const FEW: usize = 16;

type Line<'a> = Vec<Cow<'a, str>>;

/// What makes a text smaller.
#[derive(Clone, Copy)]
enum Step {
    Lines {
        from: usize,
        count: usize,
    },
    Words {
        line: usize,
        from: usize,
        count: usize,
    },
    /// Such as a pair of parentheses.
    TwoWords {
        line: usize,
        first: usize,
        second: usize,
    },
    /// Of all words of this length, as in a grid without a column.
    Letters {
        length: usize,
        from: usize,
        count: usize,
    },
    Value {
        line: usize,
        word: usize,
        value: i64,
    },
}

/// The texts that are one step smaller than this one, those that lack most first. Most inputs begin with numbers that
/// count what follows, so what is taken away is also subtracted from each number of the first line.
pub(super) fn smaller(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines = text.lines().filter(|_| text.len() <= MAX_BYTES);
    let lines: Vec<Line<'_>> = lines
        .map(|it| it.split(' ').map(Cow::from).collect())
        .collect();
    let steps = steps(&lines);
    steps.into_iter().flat_map(move |step| texts(&lines, step))
}

/// By which texts are compared: the number of words, of bytes, and the bytes.
pub(super) fn size(text: &str) -> (usize, usize, &str) {
    (text.split_whitespace().count(), text.len(), text)
}

fn steps(lines: &[Line<'_>]) -> Vec<Step> {
    let mut steps = Vec::new();
    steps.extend(chunks(lines.len()).map(|(from, count)| Step::Lines { from, count }));
    for (line, words) in lines.iter().enumerate() {
        let some = chunks(words.len()).filter(|it| it.1 < words.len());
        steps.extend(some.map(|(from, count)| Step::Words { line, from, count }));
    }
    for (line, words) in lines.iter().enumerate().filter(|it| it.1.len() <= FEW) {
        for second in 2..words.len() {
            steps.extend((0..second - 1).map(|first| Step::TwoWords {
                line,
                first,
                second,
            }));
        }
    }
    let words = lines.iter().flatten().filter(|it| is_letters(it));
    for length in words.map(|it| it.len()).collect::<BTreeSet<_>>() {
        let some = chunks(length).filter(|it| it.1 < length);
        steps.extend(some.map(|(from, count)| Step::Letters {
            length,
            from,
            count,
        }));
    }
    for (line, words) in lines.iter().enumerate() {
        for (word, text) in words.iter().enumerate() {
            let value = text.parse::<i64>().unwrap_or_default();
            let lower = [0, value / 2, value - value.signum()];
            let lower = lower.into_iter().filter(|it| *it != value);
            steps.extend(lower.map(|value| Step::Value { line, word, value }));
        }
    }
    steps
}

fn texts(lines: &[Line<'_>], step: Step) -> Vec<String> {
    let mut lines = lines.to_vec();
    // The counts themselves are gone with the first line.
    let (taken, has_counts) = match step {
        Step::Lines { from, count } => {
            lines.drain(from..from + count);
            (count, from > 0)
        }
        Step::Words { line, from, count } => {
            lines[line].drain(from..from + count);
            (count, line > 0)
        }
        Step::TwoWords {
            line,
            first,
            second,
        } => {
            lines[line].remove(second);
            lines[line].remove(first);
            (2, line > 0)
        }
        Step::Letters {
            length,
            from,
            count,
        } => {
            let words = lines.iter_mut().flatten();
            for word in words.filter(|it| is_letters(it) && it.len() == length) {
                *word = [&word[..from], &word[from + count..]].concat().into();
            }
            (count, true)
        }
        Step::Value { line, word, value } => {
            lines[line][word] = value.to_string().into();
            (0, false)
        }
    };
    let mut found = vec![joined(&lines)];
    for word in 0..lines.first().filter(|_| has_counts).map_or(0, Vec::len) {
        let number = lines[0][word].parse::<usize>().ok();
        if let Some(less) = number.and_then(|it| it.checked_sub(taken)) {
            let before = mem::replace(&mut lines[0][word], less.to_string().into());
            found.push(joined(&lines));
            lines[0][word] = before;
        }
    }
    found
}

/// Whether letters can be taken from a word.
fn is_letters(word: &str) -> bool {
    word.is_ascii() && word.len() > 1 && word.parse::<i64>().is_err()
}

fn joined(lines: &[Line<'_>]) -> String {
    lines.iter().map(|words| words.join(" ") + "\n").collect()
}

/// Halves, quarters … and single pieces of so many, as the first and the number.
fn chunks(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let halved = |length: &usize| (*length > 1).then(|| length.div_ceil(2));
    let lengths = std::iter::successors(Some(count.div_ceil(2)).filter(|it| *it > 0), halved);
    lengths.flat_map(move |length| {
        let starts = (0..count).step_by(if count > FEW { length } else { 1 });
        starts.map(move |from| (from, length.min(count - from)))
    })
}
