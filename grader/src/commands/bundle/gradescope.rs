//! The zip that grades an assignment on Gradescope.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::Path;

use anyhow::Context as _;
use grader_lms::open_regular;
use grader_problem::{Assignment, Library};
use grader_publish::{atomic_write, probe_write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::exit::{Exit, Failure};
use crate::owned::refuse_foreign;
use crate::terminal::{Terminal, shown};

/// Grades one submission; see the comments in it.
const RUN_AUTOGRADER: &str = include_str!("gradescope/run_autograder.sh");
/// Prepares the container; `PACKAGES` is replaced by what the assignment's languages need.
const SETUP: &str = include_str!("gradescope/setup.sh");
/// The folder of the assignment in the zip.
const ASSIGNMENT: &str = "assignment";

/// Writes the zip.
pub(super) fn write(
    output: &Path,
    assignment: Option<&str>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let place = crate::assignment::find_or_nearest(assignment)?;
    let loaded = place.load(terminal)?;
    refuse_foreign(output, |_| is_bundle(output))?;
    probe_write(output).map_err(|error| Failure::mistake(error.text()))?;
    let program = env::current_exe().and_then(fs::read);
    let program = program.context("cannot read the grader's own program file")?;
    let mut files = Vec::new();
    collect(place.library.as_ref(), &place.folder, &mut files)?;
    files.sort();
    let setup = SETUP.replace("PACKAGES", &packages(&loaded));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // The same files give the same bytes: no entry has a date.
    let mut add = |path: &str, bytes: &[u8], mode| -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(mode);
        zip.start_file(path, options)?;
        zip.write_all(bytes)
    };
    add("setup.sh", setup.as_bytes(), 0o755)?;
    add("run_autograder", RUN_AUTOGRADER.as_bytes(), 0o755)?;
    add("grader", &program, 0o755)?;
    for (path, bytes) in &files {
        let path = path.strip_prefix(&place.folder).unwrap_or(path);
        add(
            &format!("{ASSIGNMENT}/{}", path.trim_start_matches('/')),
            bytes,
            0o644,
        )?;
    }
    let zip = zip.finish().context("cannot make the zip")?.into_inner();
    atomic_write(output, |out| out.write_all(&zip))?;
    let path = shown(output);
    terminal.note(
        format!(
            "bundle written to `{path}`: upload it as the autograder of a programming assignment"
        ),
        format!("自动评测包已写入 `{path}`：在 Gradescope 编程作业中作为 autograder 上传"),
    );
    Ok(Exit::Done)
}

/// Whether a file is an earlier bundle.
fn is_bundle(path: &Path) -> bool {
    let zip = open_regular(path)
        .ok()
        .and_then(|file| ZipArchive::new(file).ok());
    zip.is_some_and(|mut zip| zip.by_name("run_autograder").is_ok())
}

/// Adds the files in a folder of the assignment and in those below it, but for the sample submissions of problems: the
/// tests of the tests.
fn collect(
    library: &dyn Library,
    folder: &str,
    files: &mut Vec<(String, Vec<u8>)>,
) -> anyhow::Result<()> {
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
