//! The checked-in WebAssembly module is what the references are now, and does what they do.
#![expect(
    clippy::unwrap_used,
    reason = "a panic in a test, and in what serves it, is its report"
)]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grader_explorer_wasm::{self as native, Course, Method};
use sha2::{Digest, Sha256};

const MODULE: &[u8] = include_bytes!("../explorer.wasm");

#[test]
fn the_module_was_built_from_the_sources_that_are_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = BTreeMap::new();
    add_sources(&root, "crates/explorer-wasm/src", &mut sources);
    for name in [
        "annealing",
        "count",
        "gray-code",
        "hanoi",
        "local-search",
        "polynomial",
    ] {
        add_sources(&root, &format!("reference/{name}/src"), &mut sources);
    }
    let recorded = fs::read_to_string(root.join("crates/explorer/explorer.wasm.sources")).unwrap();
    let recorded: BTreeMap<String, String> = recorded
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(hash, path)| (path.to_owned(), hash.to_owned()))
        .collect();
    let changed: Vec<&String> = sources
        .keys()
        .chain(recorded.keys())
        .filter(|path| sources.get(*path) != recorded.get(*path))
        .collect();
    assert!(
        changed.is_empty(),
        "`explorer.wasm` is older than {changed:?}: run `crates/explorer/build-wasm.sh`"
    );
}

/// Adds the hash of each source below a folder, but for the command lines, which are not in the module.
fn add_sources(root: &Path, folder: &str, sources: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{folder}/{name}");
        let is_source = entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "rs");
        if entry.file_type().unwrap().is_dir() {
            add_sources(root, &path, sources);
        } else if is_source && !["main.rs", "program.rs"].contains(&name.as_str()) {
            sources.insert(path, sha256(&entry.path()));
        }
    }
}

fn sha256(path: &PathBuf) -> String {
    let digest = Sha256::digest(fs::read(path).unwrap());
    digest.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

/// A call of the module's, and what the references answer: a list, or one number.
struct Call {
    line: String,
    expected: Vec<i64>,
}

impl Call {
    fn list(call: &str, expected: &[u32]) -> Self {
        Self {
            line: format!("list {call}"),
            expected: expected.iter().map(|&word| word.into()).collect(),
        }
    }

    fn number(call: &str, expected: i64) -> Self {
        Self {
            line: format!("number {call}"),
            expected: vec![expected],
        }
    }
}

/// All calls by Node, as a browser makes them.
fn called(calls: &[Call]) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/module.mjs");
    let node = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut node = match node {
        Ok(node) => node,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("skipped: `node` is not installed");
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    let lines: Vec<&str> = calls.iter().map(|call| call.line.as_str()).collect();
    let mut input = node.stdin.take().unwrap();
    input.write_all(lines.join("\n").as_bytes()).unwrap();
    drop(input);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_module_does_what_the_references_do() {
    let mut calls = Vec::new();
    for n in 1..=8 {
        calls.push(Call::list(
            &format!("backtracking {n}"),
            &native::backtracking(n),
        ));
        let count = native::count(n).try_into().unwrap();
        calls.push(Call::number(&format!("count {n}"), count));
    }
    // `QS4` tries each queen 7000 times before it starts anew, and on small boards often does.
    for (number, method, seeds) in [
        (1, Method::Qs1, 120),
        (2, Method::Qs2, 120),
        (4, Method::Qs4, 20),
    ] {
        for seed in 0..seeds {
            for n in [4 + seed % 5, 9 + seed % 24] {
                let expected = native::local_search(method, n, seed.into());
                let call = format!("local_search {number} {n} {seed}");
                calls.push(Call::list(&call, &expected));
            }
        }
    }
    for seed in 0..236 {
        for (n, start_temperature, cooling) in [(4 + seed % 30, 1.0, 0.9), (8, 0.37, 0.83)] {
            let course = Course {
                start_temperature,
                cooling,
                final_temperature: 0.3,
                sweeps: 20,
            };
            let parameters = format!("{n} {start_temperature} {cooling} 0.3 20 {seed}");
            let expected = native::annealing(n, course, seed.into());
            calls.push(Call::list(&format!("annealing {parameters}"), &expected));
            let sweeps = native::sweeps_to_solve(n, course, seed.into());
            let sweeps = sweeps.map_or(-1, |sweeps| sweeps.try_into().unwrap());
            calls.push(Call::number(
                &format!("sweeps_to_solve {parameters}"),
                sweeps,
            ));
        }
    }
    for index in 0..64 {
        calls.push(Call::number(
            &format!("gray {index}"),
            native::gray(index).into(),
        ));
        calls.push(Call::list(
            &format!("hanoi 6 {index}"),
            &native::hanoi(6, index),
        ));
    }
    let Some(results) = called(&calls) else {
        return;
    };
    assert_eq!(results.lines().count(), calls.len());
    for (Call { line, expected }, found) in calls.iter().zip(results.lines()) {
        let found: Vec<i64> = found
            .split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect();
        assert_eq!(found, *expected, "{line}");
    }
}

#[test]
fn a_search_of_twelve_queens_fits_in_the_list() {
    assert!(native::backtracking(12).len() < native::MAX_WORDS);
}

#[test]
fn the_page_is_one_file_within_its_budget() {
    let page = grader_explorer::page();
    assert!(page.len() <= 160_000, "{} bytes", page.len());
    assert!(MODULE.len() <= 40_000, "{} bytes", MODULE.len());
    assert!(!page.contains("{{"), "everything is filled in");
    let script = page.rsplit_once("<script type=\"module\">").unwrap().1;
    assert!(script.len() <= 46_000, "{} bytes", script.len());
}
