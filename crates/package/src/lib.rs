//! Problem packages of other judges: imports several formats, exports two.
//!
//! Each reader fills in a `Draft`, which alone creates files. It reads a file as a type with the keys of its format, by `yaml` or
//! `xml`. Nothing is dropped silently: the notes list keys that no type has, and everything else that a problem cannot
//! express, one sentence per item.

mod cms;
mod constants;
mod dmoj;
mod draft;
mod error;
mod expected;
mod export;
mod folder;
mod fps;
mod hydro;
mod kattis;
mod library_checker;
mod luogu;
mod options;
mod output;
mod pairs;
mod plain;
mod polygon;
mod qduoj;
mod statement;
mod test_groups;
mod uoj;
mod xml;
mod yaml;

use grader_problem::{DiskLibrary, Library as _};

use constants::MAX_ENTRIES;
use draft::Draft;
pub use error::PackageError;
use error::unsupported;
pub use export::{ExportFormat, ExportOptions, Exported, export};
use folder::PackageFolder;
pub use options::ImportOptions;
pub use output::Imported;

/// Files that only formats have that are not read.
const NOT_READ: [(&str, &str); 3] = [
    (
        "problem.rbx.yml",
        "rbx; export it for Polygon (`rbx package polygon`)",
    ),
    ("description/problem.info", "BOCA"),
    ("in_gen/gen.cfg", "pisek"),
];

/// Reads a package. The problem's id is `name`, reduced to lower-case letters, digits and `-`.
///
/// # Errors
/// If its format is unknown or unsupported, it has a mistake, or a path leads out of its folder.
pub fn import(
    package: &DiskLibrary,
    name: &str,
    options: &ImportOptions,
) -> Result<Imported, PackageError> {
    let folder = PackageFolder::new(package);
    let around = package.around();
    let around = around.as_ref().map(PackageFolder::new);
    let entries = folder.list("").unwrap_or_default();
    let has = |name: &str| entries.iter().any(|entry| entry.name == name);
    let id = plain_id(name);
    let (is_for_tests, mut is_plain) = (options.is_for_tests(), false);
    let draft = Draft::new(&folder, &id, options.clone());
    let imported = if has("problem.yaml") && hydro::is_package(&folder) {
        hydro::import(draft)
    } else if has("problem.yaml") {
        kattis::import(draft)
    } else if has(cms::FILE) {
        cms::import(draft)
    } else if has("init.yml") {
        dmoj::import(draft)
    } else if let Some(file) = fps::file(&folder, &entries) {
        fps::import(&folder, &file, &id, options)
    } else if has("problem.xml") {
        polygon::import(draft)
    } else if has("info.toml") {
        library_checker::import(draft, around.as_ref())
    } else if has(uoj::FILE) {
        uoj::import(draft)
    } else if has(qduoj::FILE) {
        qduoj::import(draft)
    } else if luogu::is_package(&folder) {
        luogu::import(draft)
    } else if let Some((_, format)) = NOT_READ.iter().find(|it| draft.is_file(it.0)) {
        unsupported(format!("packages of {format} are not supported"))
    } else {
        is_plain = true;
        plain::import(draft)
    };
    if folder.is_too_large() || around.is_some_and(|it| it.is_too_large()) {
        return unsupported(format!(
            "the package has more than {MAX_ENTRIES} files, or circular links"
        ));
    }
    if is_for_tests && !is_plain {
        return unsupported(
            "`--time`, `--memory` and `--points` are for a folder of tests; this package has its own",
        );
    }
    imported
}

/// The name, reduced to lower-case letters, digits and `-`.
fn plain_id(name: &str) -> String {
    let name = name.to_lowercase();
    let words = name.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        "problem".to_owned()
    } else {
        words.join("-")
    }
}
