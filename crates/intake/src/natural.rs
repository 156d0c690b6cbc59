//! The order in which people list names: `s2` before `s10`, `B` beside `b`.

use std::cmp::Ordering;

/// Compares names: runs of digits by value, letters without regard to case; what is then still equal by
/// its characters.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    keys(a).cmp(keys(b)).then_with(|| a.cmp(b))
}

/// One piece of a name. Numbers sort before letters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    /// Length without leading zeros, then the digits: no number is too long.
    Number(usize, &'a str),
    Letter(char),
}

fn keys(mut name: &str) -> impl Iterator<Item = Key<'_>> {
    std::iter::from_fn(move || {
        let first = name.chars().next()?;
        let end = name
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(name.len());
        if end == 0 {
            name = &name[first.len_utf8()..];
            return Some(Key::Letter(first.to_lowercase().next().unwrap_or(first)));
        }
        let digits = name[..end].trim_start_matches('0');
        name = &name[end..];
        Some(Key::Number(digits.len(), digits))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_by_value() {
        let mut names = ["s10", "s2", "张三", "S1", "s02", "b", "A", "10", "9"];
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(
            names,
            ["9", "10", "A", "b", "S1", "s02", "s2", "s10", "张三"]
        );
    }
}
