//! Names of files and folders.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};

use grader_model::{escaped_name, extension_of};

/// A name or path as it may be shown: escaped.
pub(crate) fn shown(name: &OsStr) -> String {
    grader_model::escaped(name.as_encoded_bytes())
}

/// The name of something in a folder.
pub(crate) struct Name {
    /// As it is.
    pub(crate) raw: OsString,
    /// As it was [`meant`], unless something else in the folder has that name.
    pub(crate) meant: OsString,
    /// The latter as it may be shown.
    pub(crate) shown: String,
}

/// These names of a folder.
pub(crate) fn all_meant(names: Vec<OsString>) -> Vec<Name> {
    let mut uses: HashMap<OsString, usize> = HashMap::new();
    for name in &names {
        *uses.entry(meant(name)).or_default() += 1;
    }
    let names = names.into_iter().map(|raw| {
        let only = Some(meant(&raw)).filter(|it| uses[it] == 1);
        let meant = only.unwrap_or_else(|| raw.clone());
        Name {
            shown: shown(&meant),
            meant,
            raw,
        }
    });
    names.collect()
}

/// The name that a program could not write: `José` for `Jos#U00e9`, as Info-ZIP's `unzip` writes it (its manual, `-U`), and for
/// `Jos%C3%A9`, as browsers do. A name stays as it is unless all of it can be decoded, once, to text that hides nothing and is
/// no path; so does one that escapes only ASCII, such as `50%25.c`.
pub(crate) fn meant(name: &OsStr) -> OsString {
    let decode = |name: &str| from_info_zip(name).or_else(|| from_browser(name));
    let decoded = name.to_str().and_then(|name| {
        let decoded = decode(name).filter(|it| decode(it).is_none())?;
        let is_path = decoded.contains(['/', '\\']);
        let is_hidden = decoded.starts_with('.') && !name.starts_with('.');
        let is_plain = escaped_name(decoded.as_bytes()) == decoded;
        (is_plain && !is_path && !is_hidden).then_some(decoded)
    });
    decoded.map_or_else(|| name.to_owned(), OsString::from)
}

/// Decodes `#U` with four digits, of which two may be a pair of surrogates, and `#L` with six or, from 00, eight.
fn from_info_zip(name: &str) -> Option<String> {
    let mut parts = name.split('#');
    let mut units: Vec<u16> = parts.next()?.encode_utf16().collect();
    for part in parts {
        let count = match part.as_bytes() {
            [b'U', ..] => 4,
            [b'L', b'0', b'0', ..] => 8,
            [b'L', ..] => 6,
            _ => {
                units.extend(format!("#{part}").encode_utf16());
                continue;
            }
        };
        let code = number(part.get(1..=count)?).filter(|code| *code > 0x7f)?;
        match u16::try_from(code) {
            Ok(unit) => units.push(unit),
            Err(_) => units.extend(char::from_u32(code)?.to_string().encode_utf16()),
        }
        units.extend(part[count + 1..].encode_utf16());
    }
    String::from_utf16(&units).ok().filter(|it| it != name)
}

/// Decodes `%` with two digits, if a character beyond ASCII is written so.
fn from_browser(name: &str) -> Option<String> {
    let mut parts = name.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    let mut is_needed = false;
    for part in parts {
        let byte = number(part.get(..2)?)? as u8;
        is_needed |= !byte.is_ascii();
        bytes.push(byte);
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok().filter(|_| is_needed)
}

/// The number with these hexadecimal digits.
fn number(digits: &str) -> Option<u32> {
    let is_number = digits.bytes().all(|it| it.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16);
    number.ok().filter(|_| is_number)
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
    fn escaped_names_are_decoded_as_a_whole_or_not_at_all() {
        for (name, decoded) in [
            ("Jos#U00e9", "José"),
            ("Jose#U0301.c", "Jose\u{301}.c"),
            ("#U7ebf#U6027 C#1.py", "线性 C#1.py"),
            ("#Ud83d#Ude00.c", "😀.c"),
            ("#L01f600ab.c", "😀ab.c"),
            ("#L0001f600.c", "😀.c"),
            ("%E7%BA%BF%20%281%29.py", "线 (1).py"),
            ("王_%e7%ba%bf.py", "王_线.py"),
            ("100%#U00e9.c", "100%é.c"),
        ] {
            assert_eq!(meant(name.as_ref()), decoded, "{name}");
        }
        for name in [
            "C#Unit.cs",
            "Jos#U00e9 C#Unit.cs",
            "#U00e",
            "#U00é9",
            "#U+0e9",
            "#U0041.c",
            "#Ud83d.c",
            "#U0000é",
            "#U202ec.exe",
            "#Ufeffa.c",
            "#U0085",
            "#Lffffff",
            "#L00",
            "#",
            "100%.py",
            "50%25.c",
            "my%20file.c",
            "é%20.c",
            "%C3%A9 100%.c",
            "%C3.c",
            "%C3%A",
            "%+3%A9",
            "%",
            "..%2F..%2F%C3%A9",
            "%C3%A9%5Cx",
            "%C3%A9%00",
            "%2E%C3%A9",
            "%2e%2e%c3%a9",
            "%25C3%25A9%C3%A9",
            "#U00e9%C3%A9",
        ] {
            assert_eq!(meant(name.as_ref()), name);
        }
    }

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
