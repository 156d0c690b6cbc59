//! The report of each student, and the name of its file.

use std::fmt::Write as _;

use grader_model::{Results, StudentResult};
use grader_view::Own;
use sha2::{Digest as _, Sha256};

use crate::document;
use crate::style::Style;

/// The report that a student reads, made only of what that student may see. It has no colour.
pub fn student_report(results: &Results, student: &StudentResult, style: &Style) -> String {
    let style = Style {
        color: false,
        ..*style
    };
    document::personal(&Own::of(results, student).view(), &style)
}

/// File systems take 255 bytes, of which temporary names need some.
const MAX_STEM_BYTES: usize = 200;

/// The name of the file of a student, without its extension: the id, with `%2F` for `/` and the like, so that no two
/// students share a file, now or when others join. If it is too long, a hash follows its first letters.
pub fn file_stem(id: &str) -> String {
    let mut stem = String::new();
    for (at, c) in id.char_indices() {
        if c.is_alphanumeric() || c == '_' || (at > 0 && "-.@+".contains(c)) {
            stem.push(c);
            continue;
        }
        for byte in c.to_string().bytes() {
            // Writing to a String cannot fail.
            let _ = write!(stem, "%{byte:02X}");
        }
    }
    if stem.is_empty() || stem.len() > MAX_STEM_BYTES {
        let begin: String = stem.chars().take(MAX_STEM_BYTES / 8).collect();
        // Nothing else writes two percent signs.
        stem = format!("{begin}%%");
        for byte in &Sha256::digest(id)[..8] {
            let _ = write!(stem, "{byte:02x}");
        }
    }
    stem
}

#[cfg(test)]
mod tests;
