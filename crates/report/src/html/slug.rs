//! Names of pages.

use std::collections::BTreeSet;

/// Longest slug without its number.
const MAX_LENGTH: usize = 60;

/// For each id a name of small letters, digits and `-`, each of which is there once.
pub(super) fn slugs<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    ids.map(|id| {
        let lower = id.to_lowercase();
        let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let mut plain = words.join("-");
        plain.truncate(MAX_LENGTH);
        if plain.is_empty() {
            "student".clone_into(&mut plain);
        }
        let mut slug = plain.clone();
        let mut number = 1;
        while !taken.insert(slug.clone()) {
            number += 1;
            slug = format!("{plain}-{number}");
        }
        slug
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_unique() {
        let ids = ["s01", "S01", "../etc", "王小明", "李雷", "con.", "s01-2"];
        assert_eq!(
            slugs(ids.into_iter()),
            [
                "s01",
                "s01-2",
                "etc",
                "student",
                "student-2",
                "con",
                "s01-2-2"
            ]
        );
    }
}
