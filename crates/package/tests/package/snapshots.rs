//! Whole outputs, kept in files: `tests/package/snapshots/<name>.txt`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Asserts that the output is the one that is kept. Set `BITCRAFT_BLESS` to keep it instead, and read what changed.
pub(crate) fn assert_kept(name: &str, output: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/package/snapshots")
        .join(format!("{name}.txt"));
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, output).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == output, "{name} is now:\n{output}");
}

/// Notes and files as a text. Of a file that is also one of the `originals`, only that one's path is shown.
pub(crate) fn drawn(
    notes: impl IntoIterator<Item = impl AsRef<str>>,
    files: &BTreeMap<String, Vec<u8>>,
    originals: &BTreeMap<String, Vec<u8>>,
) -> String {
    let mut text = String::new();
    for note in notes {
        writeln!(text, "note: {}", note.as_ref()).unwrap();
    }
    for (path, bytes) in files {
        let same = originals.iter().filter(|(_, original)| *original == bytes);
        let mut same: Vec<&String> = same.map(|(original, _)| original).collect();
        // Small files are often equal: the likeliest one is that of the same name.
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        same.sort_by_key(|original| name(original) != name(path));
        match same.first() {
            Some(original) => writeln!(text, "\n== {path} is {original}"),
            None => write!(text, "\n== {path}\n{}", String::from_utf8_lossy(bytes)),
        }
        .unwrap();
    }
    text
}
