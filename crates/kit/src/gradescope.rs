//! The zip that grades an assignment on Gradescope.

use std::collections::BTreeSet;
use std::io::{self, Cursor, Write as _};

use grader_problem::{Assignment, Library};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::KitError;
use crate::statements::below;

/// Grades one submission; see the comments in it.
const RUN_AUTOGRADER: &str = include_str!("gradescope/run_autograder.sh");
/// Prepares the container; `PACKAGES` is replaced by what the assignment's languages need.
const SETUP: &str = include_str!("gradescope/setup.sh");
/// The folder of the assignment in the zip.
const ASSIGNMENT: &str = "assignment";

/// The zip of an assignment whose files are in a folder of a library. `program` is the grader's own program file. The same files give the
/// same bytes.
///
/// # Errors
/// If a file cannot be read.
pub fn gradescope_zip(
    program: &[u8],
    library: &dyn Library,
    folder: &str,
    assignment: &Assignment,
) -> Result<Vec<u8>, KitError> {
    let file = below(folder, "assignment.toml");
    let mut files = vec![(file.clone(), library.read(&file)?)];
    // Beside the problems may lie classes, ledgers and corrections.
    let problems = assignment.problems.iter();
    let tops = problems.filter_map(|entry| {
        let path = entry.problem.folder.strip_prefix(folder)?;
        let top = path.trim_start_matches('/').split('/').next()?;
        Some(below(folder, top))
    });
    for top in tops.collect::<BTreeSet<_>>() {
        collect(library, &top, &mut files)?;
    }
    files.sort();
    let setup = SETUP.replace("PACKAGES", &packages(assignment));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // No entry has a date.
    let mut add = |path: &str, bytes: &[u8], mode| -> Result<(), KitError> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(mode);
        zip.start_file(path, options)?;
        Ok(zip.write_all(bytes)?)
    };
    add("setup.sh", setup.as_bytes(), 0o755)?;
    add("run_autograder", RUN_AUTOGRADER.as_bytes(), 0o755)?;
    add("grader", program, 0o755)?;
    for (path, bytes) in &files {
        let path = path.strip_prefix(folder).unwrap_or(path);
        let path = path.trim_start_matches('/');
        add(&format!("{ASSIGNMENT}/{path}"), bytes, 0o644)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Adds the files in a folder of the assignment and in those below it, but for the sample submissions of problems: the
/// tests of the tests.
fn collect(
    library: &dyn Library,
    folder: &str,
    files: &mut Vec<(String, Vec<u8>)>,
) -> io::Result<()> {
    let entries = library.list(folder)?;
    let is_problem = entries.iter().any(|entry| entry.name == "problem.toml");
    for entry in entries {
        let path = format!("{folder}/{}", entry.name);
        let path = path.trim_start_matches('/').to_owned();
        if !entry.folder {
            let bytes = library.read(&path)?;
            files.push((path, bytes));
        } else if !is_problem || entry.name != "submissions" {
            collect(library, &path, files)?;
        }
    }
    Ok(())
}

/// What Ubuntu calls the compilers of the assignment's languages.
fn packages(assignment: &Assignment) -> String {
    let languages = assignment.problems.iter();
    let languages = languages.flat_map(|entry| &entry.problem.submission.languages);
    // References and checkers may be in C and C++ whatever students write.
    let mut packages = BTreeSet::from(["g++", "gcc", "libc6-dev"]);
    for language in languages.filter_map(|&id| assignment.languages.get(id)) {
        packages.extend(language.definition.package.split_whitespace());
    }
    let problems = assignment.problems.iter().map(|entry| &entry.problem);
    let built = problems.flat_map(|it| it.languages.iter());
    for build in built.filter_map(|it| it.definition.build.as_ref()) {
        // `cmake` needs it, too.
        packages.insert("make");
        packages.extend(build.packages());
    }
    packages.into_iter().collect::<Vec<_>>().join(" ")
}
