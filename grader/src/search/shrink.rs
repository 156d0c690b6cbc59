//! Smaller texts beside a text: with lines, words or values taken away.

/// Larger texts are left as they are.
const MAX_BYTES: usize = 1 << 16;

/// The texts that are one step smaller than this one, those that lack most first. Most inputs begin with numbers that
/// count what follows, so what is taken away is also subtracted from each number of the first line.
pub(super) fn smaller(text: &str) -> Vec<String> {
    if text.len() > MAX_BYTES {
        return Vec::new();
    }
    let lines: Vec<Vec<&str>> = text.lines().map(|it| it.split(' ').collect()).collect();
    let mut found = Vec::new();
    for (from, count) in chunks(lines.len()) {
        let mut rest = lines.clone();
        rest.drain(from..from + count);
        // The counts themselves are gone with the first line.
        add(&mut found, &rest, count, from > 0);
    }
    for at in 0..lines.len() {
        for (from, count) in chunks(lines[at].len()).filter(|it| it.1 < lines[at].len()) {
            let mut rest = lines.clone();
            rest[at].drain(from..from + count);
            add(&mut found, &rest, count, at > 0);
        }
    }
    for at in 0..lines.len() {
        for word in 0..lines[at].len() {
            let Ok(value) = lines[at][word].parse::<i64>() else {
                continue;
            };
            let lower = [0, value / 2, value - value.signum()];
            for lower in lower.iter().filter(|it| **it != value) {
                let mut rest = lines.clone();
                let lower = lower.to_string();
                rest[at][word] = &lower;
                found.push(joined(&rest));
            }
        }
    }
    found
}

/// By which texts are compared: the number of words, of bytes, and the bytes.
pub(super) fn size(text: &str) -> (usize, usize, &str) {
    (text.split_whitespace().count(), text.len(), text)
}

/// Adds a text, and if `counts` hold, the texts in which a number of the first line is less by what was taken away.
fn add(found: &mut Vec<String>, lines: &[Vec<&str>], taken: usize, has_counts: bool) {
    found.push(joined(lines));
    let first = lines.first().filter(|_| has_counts);
    for (word, text) in first.into_iter().flatten().enumerate() {
        let less = text.parse::<usize>().ok();
        if let Some(less) = less.and_then(|it| it.checked_sub(taken)) {
            let (mut lines, less) = (lines.to_vec(), less.to_string());
            lines[0][word] = &less;
            found.push(joined(&lines));
        }
    }
}

fn joined(lines: &[Vec<&str>]) -> String {
    lines.iter().map(|words| words.join(" ") + "\n").collect()
}

/// Halves, quarters … and single pieces of so many, as the first and the number.
fn chunks(count: usize) -> impl Iterator<Item = (usize, usize)> {
    let halved = |length: &usize| (*length > 1).then(|| length.div_ceil(2));
    let lengths = std::iter::successors(Some(count.div_ceil(2)).filter(|it| *it > 0), halved);
    lengths.flat_map(move |length| {
        let starts = (0..count).step_by(length);
        starts.map(move |from| (from, length.min(count - from)))
    })
}
