//! `grader gradescope-bundle`.

use std::collections::BTreeSet;
use std::io::{self, Cursor, Seek, Write};
use std::{env, fs};

use anyhow::Context as _;
use grader_problem::{Assignment, Library};
use grader_report::{atomic_write, probe_write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::assignment::{self, Place};
use crate::cli::GradescopeBundleArgs;
use crate::exit::{Exit, Mistake};
use crate::terminal::Terminal;

/// Grades one submission; see the comments in it.
const RUN_AUTOGRADER: &str = include_str!("gradescope_bundle/run_autograder.sh");
/// Prepares the container; `PACKAGES` is replaced by what the assignment's languages need.
const SETUP: &str = include_str!("gradescope_bundle/setup.sh");
/// The folder of the assignment in the zip.
const ASSIGNMENT: &str = "assignment";
/// The file that makes a folder a problem.
const PROBLEM: &str = "problem.toml";
/// Folders of sample submissions, below a problem: the tests of the tests, of which grading needs none.
const SAMPLES: &str = "submissions";

pub(crate) fn run(args: &GradescopeBundleArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = args.assignment.as_deref().unwrap_or(assignment::USUAL);
    let place = assignment::find(name)?;
    let loaded = place.load_whole(terminal)?;
    probe_write(&args.output).map_err(|error| Mistake(error.text()))?;
    let mut files = vec![
        script("setup.sh", &SETUP.replace("PACKAGES", &packages(&loaded))),
        script("run_autograder", RUN_AUTOGRADER),
        this_program()?,
    ];
    let mut of_assignment = Vec::new();
    collect(&place, "", &mut of_assignment)?;
    of_assignment.sort_by(|a, b| a.path.cmp(&b.path));
    files.extend(of_assignment);
    let zip = zip(&files).context("cannot make the zip")?;
    atomic_write(&args.output, |out| out.write_all(&zip))?;
    let path = grader_model::escaped(args.output.as_os_str().as_encoded_bytes());
    let words = terminal.lang().pick(
        format!(
            "bundle written to `{path}`: upload it as the autograder of a programming assignment"
        ),
        format!("自动评测包已写入 `{path}`：在 Gradescope 编程作业中作为 autograder 上传"),
    );
    writeln!(terminal.stderr(), "{words}")?;
    Ok(Exit::Done)
}

/// A file of the zip.
struct Entry {
    path: String,
    bytes: Vec<u8>,
    executable: bool,
}

fn script(path: &str, text: &str) -> Entry {
    Entry {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
        executable: true,
    }
}

fn this_program() -> anyhow::Result<Entry> {
    let path = env::current_exe().context("cannot find the grader's own program file")?;
    let bytes = fs::read(&path).context("cannot read the grader's own program file")?;
    Ok(Entry {
        path: "grader".to_owned(),
        bytes,
        executable: true,
    })
}

/// Adds what lies in a folder of the assignment and in those below it.
fn collect(place: &Place, folder: &str, files: &mut Vec<Entry>) -> anyhow::Result<()> {
    let library: &dyn Library = place.library.as_ref();
    let entries = library.list(&joined(&place.folder, folder))?;
    // Anywhere else a folder of this name is one that the problem itself may read.
    let is_problem = entries
        .iter()
        .any(|entry| !entry.folder && entry.name == PROBLEM);
    for entry in entries {
        let inside = joined(folder, &entry.name);
        let is_samples = is_problem && entry.folder && entry.name == SAMPLES;
        if entry.name.starts_with('.') || is_samples {
            continue;
        }
        if entry.folder {
            collect(place, &inside, files)?;
            continue;
        }
        files.push(Entry {
            path: joined(ASSIGNMENT, &inside),
            bytes: library.read(&joined(&place.folder, &inside))?,
            executable: false,
        });
    }
    Ok(())
}

fn joined(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// What Ubuntu calls the compilers of the assignment's languages.
fn packages(assignment: &Assignment) -> String {
    let languages = assignment.problems.iter();
    let languages = languages.flat_map(|entry| &entry.problem.submission.languages);
    // References and checkers may be in C and C++ whatever students write.
    let mut packages = BTreeSet::from(["g++", "gcc", "libc6-dev"]);
    for &id in languages {
        packages.extend(grader_language::language(id).package.split_whitespace());
    }
    packages.into_iter().collect::<Vec<_>>().join(" ")
}

/// The same files give the same bytes: no entry carries a date.
fn zip(files: &[Entry]) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        add(&mut zip, file)?;
    }
    Ok(zip.finish()?.into_inner())
}

fn add<W: Write + Seek>(zip: &mut ZipWriter<W>, file: &Entry) -> io::Result<()> {
    let mode = if file.executable { 0o755 } else { 0o644 };
    // A build for tests is large, and slow at making itself small.
    let method = if cfg!(debug_assertions) {
        CompressionMethod::Stored
    } else {
        CompressionMethod::Deflated
    };
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(mode);
    zip.start_file(file.path.as_str(), options)?;
    zip.write_all(&file.bytes)
}
