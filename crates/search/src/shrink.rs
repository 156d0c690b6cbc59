//! Smaller texts beside a text: with lines, words, letters or values taken away.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::mem;

/// Larger texts are left as they are.
const MAX_BYTES: usize = 1 << 20;
/// Of so few pieces, neighbours are taken from everywhere, not only from multiples of their number, and also any two.
const FEW: usize = 16;

type Line<'a> = Vec<Cow<'a, str>>;

/// Takes something from the lines. Returns how many pieces, and whether the first line may count them.
type Step<'a> = Box<dyn Fn(&mut Vec<Line<'a>>) -> (usize, bool)>;

/// The texts that are one step smaller than this one, those that lack most first. Most inputs begin with numbers that
/// count what follows, so what is taken away is also subtracted from each number of the first line.
pub(crate) fn smaller(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines = text.lines().filter(|_| text.len() <= MAX_BYTES);
    let lines: Vec<Line<'_>> = lines
        .map(|it| it.split(' ').map(Cow::from).collect())
        .collect();
    let steps = steps(&lines);
    steps.into_iter().flat_map(move |step| texts(&lines, &step))
}

/// By which texts are compared: the number of words, of bytes, and the bytes.
pub(crate) fn size(text: &str) -> (usize, usize, &str) {
    (text.split_whitespace().count(), text.len(), text)
}

fn steps<'a>(lines: &[Line<'a>]) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::new();
    for (from, count) in chunks(lines.len()) {
        steps.push(Box::new(move |lines| {
            lines.drain(from..from + count);
            // The counts themselves are gone with the first line.
            (count, from > 0)
        }));
    }
    for (line, words) in lines.iter().enumerate() {
        for (from, count) in chunks(words.len()).filter(|it| it.1 < words.len()) {
            steps.push(Box::new(move |lines| {
                lines[line].drain(from..from + count);
                (count, line > 0)
            }));
        }
    }
    // Such as a pair of parentheses.
    for (line, words) in lines.iter().enumerate().filter(|it| it.1.len() <= FEW) {
        for (second, first) in (2..words.len()).flat_map(|it| (0..it - 1).map(move |at| (it, at))) {
            steps.push(Box::new(move |lines| {
                lines[line].remove(second);
                lines[line].remove(first);
                (2, line > 0)
            }));
        }
    }
    // From all words of a length, as a column of a grid.
    let words = lines.iter().flatten().filter(|it| is_letters(it));
    for length in words.map(|it| it.len()).collect::<BTreeSet<_>>() {
        for (from, count) in chunks(length).filter(|it| it.1 < length) {
            steps.push(Box::new(move |lines| {
                let words = lines.iter_mut().flatten();
                for word in words.filter(|it| is_letters(it) && it.len() == length) {
                    *word = [&word[..from], &word[from + count..]].concat().into();
                }
                (count, true)
            }));
        }
    }
    for (line, words) in lines.iter().enumerate() {
        for (word, text) in words.iter().enumerate() {
            let value = text.parse::<i64>().unwrap_or_default();
            let lower = [0, value / 2, value - value.signum()];
            for less in lower.into_iter().filter(|it| *it != value) {
                steps.push(Box::new(move |lines| {
                    lines[line][word] = less.to_string().into();
                    (0, false)
                }));
            }
        }
    }
    steps
}

fn texts<'a>(lines: &[Line<'a>], step: &Step<'a>) -> Vec<String> {
    let mut lines = lines.to_vec();
    let (taken, has_counts) = step(&mut lines);
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
