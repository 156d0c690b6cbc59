//! Names of files and folders.

use std::ffi::OsStr;

use grader_model::extension_of;

/// A name or path as it may be shown: escaped.
pub(crate) fn shown(name: &OsStr) -> String {
    grader_model::escaped(name.as_encoded_bytes())
}

/// The part of a name before the last dot.
pub(crate) fn stem_of(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// What systems add to the name of a copy.
const COPY: [&str; 6] = ["copy", "kopie", "copie", "copia", "cópia", "副本"];

/// The name without the marks of a copy, in lower case: `sum.py` for `Sum (1).py`, `sum copy 2.py`, `sum - Copy.py` and
/// `sum - 副本.py`. `None` if it has none.
pub(crate) fn without_copy_marks(name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let stem = stem_of(&lower);
    let mut bare = stem.strip_prefix("copy of ").unwrap_or(stem);
    while let Some(left) = without_mark(bare) {
        bare = left.trim_end_matches([' ', '-', '_', '的']);
    }
    let is_marked = bare.len() < stem.len() && !bare.is_empty();
    is_marked.then(|| format!("{bare}{}", &lower[stem.len()..]))
}

/// The name without the marks of a copy, in its own case if that can be told.
pub(crate) fn bare_name(name: &str) -> String {
    let Some(bare) = without_copy_marks(name) else {
        return name.to_owned();
    };
    let stem = stem_of(&bare);
    let at = name.to_lowercase().find(stem);
    let own = at.and_then(|at| name.get(at..at + stem.len()));
    match own.filter(|own| own.to_lowercase() == stem) {
        Some(own) => format!("{own}{}", &name[stem_of(name).len()..]),
        None => bare,
    }
}

/// What stands before a mark at the end: `(1)`, `(copy)`, `copy`, `copy 2`.
fn without_mark(stem: &str) -> Option<&str> {
    if let Some(inner) = stem.strip_suffix([')', '）']) {
        let (before, mark) = inner.rsplit_once(['(', '（'])?;
        let is_number = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_digit());
        return (is_number || COPY.contains(&mark)).then_some(before);
    }
    let word = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = word.trim_end();
    let before = COPY.iter().find_map(|copy| word.strip_suffix(copy))?;
    // `xcopy` is a word of its own.
    let is_apart = before.ends_with([' ', '-', '_']) || word.ends_with("副本");
    is_apart.then_some(before)
}

/// The name of an archive without its extension: `s1` of `s1.tar.gz`.
pub(crate) fn without_ending(name: &str) -> &str {
    let stem = stem_of(name);
    let is_double = extension_of(stem) == "tar";
    if is_double { stem_of(stem) } else { stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_copy_keeps_its_case() {
        for (name, bare) in [
            ("BinarySearchTree (1).java", "BinarySearchTree.java"),
            ("Copy of Node.JAVA", "Node.JAVA"),
            ("İ - 副本.c", "i\u{307}.c"),
            ("Node.java", "Node.java"),
        ] {
            assert_eq!(bare_name(name), bare, "{name}");
        }
    }

    #[test]
    fn the_marks_of_copies_are_removed() {
        for (name, bare) in [
            ("Sum (1).java", Some("sum.java")),
            ("gcd(2).py", Some("gcd.py")),
            ("mean copy.py", Some("mean.py")),
            ("mean copy 2.py", Some("mean.py")),
            ("mean - Copy.py", Some("mean.py")),
            ("mean - Copy (2) (1).py", Some("mean.py")),
            ("mean (Kopie).py", Some("mean.py")),
            ("Copy of mean.py", Some("mean.py")),
            ("mean - 副本.py", Some("mean.py")),
            ("mean的副本.py", Some("mean.py")),
            ("平均（1）.py", Some("平均.py")),
            ("sum (1)", Some("sum")),
            ("mean.py", None),
            ("xcopy.c", None),
            ("copy.c", None),
            ("(1).c", None),
            ("f(x).c", None),
            ("mean2.py", None),
        ] {
            assert_eq!(without_copy_marks(name).as_deref(), bare, "{name}");
        }
    }
}
