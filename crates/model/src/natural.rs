//! Natural order of names: `s2` before `s10`, `B` next to `b`.

use std::cmp::Ordering;

/// Compares names: numbers by value, letters ignoring case; ties by characters.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    key(a).cmp(&key(b)).then_with(|| a.cmp(b))
}

/// The name in lower case, with each number preceded by its length as a byte smaller than any character.
fn key(name: &str) -> Vec<u8> {
    let name = name.to_lowercase().into_bytes();
    let mut key = Vec::new();
    for run in name.chunk_by(|a, b| a.is_ascii_digit() && b.is_ascii_digit()) {
        if run[0].is_ascii_digit() {
            let digits = run.iter().skip_while(|digit| **digit == b'0');
            key.push(digits.clone().count().min(31) as u8);
            key.extend(digits);
        } else {
            key.extend(run);
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_by_value() {
        let mut names = ["s10", "s2", "张三", "S1", "s02", "b", "A", "10", "9"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(
            names,
            ["9", "10", "A", "b", "S1", "s02", "s2", "s10", "张三"]
        );
    }
}
