//! What `fast-count` prints for whole command lines. The totals are in `published.txt` and not in the program.

use std::collections::BTreeSet;
use std::fs;

use reference_fast_count::simd::Simd;
use reference_fast_count::{fundamental, run};
use reference_program::printed;

fn fast_count(arguments: &[&str]) -> Result<String, (u8, String)> {
    printed(run, arguments, b"")
}

/// The published lines `n fundamental all` up to `n`.
fn published(n: usize) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published.txt");
    let text = fs::read_to_string(path).expect("the file is beside this one");
    text.split_inclusive('\n').skip(1).take(n).collect()
}

#[test]
fn the_table_is_the_published_one_in_all_vector_widths_and_with_threads() {
    for simd in Simd::all() {
        for threads in ["1", "3"] {
            let name = simd.name();
            let arguments = ["table", "1..14", "--simd", name, "--threads", threads];
            assert_eq!(fast_count(&arguments).unwrap(), published(14), "{name}");
        }
    }
    // 17 is the first size whose patterns have a key.
    assert_eq!(fast_count(&["table", "1..17"]).unwrap(), published(17));
    assert_eq!(fast_count(&["12", "--fundamental"]).unwrap(), "1787\n");
    assert_eq!(
        fast_count(&["12", "--method", "bitmask"]).unwrap(),
        "14200\n"
    );
}

#[test]
fn published_totals_give_the_published_fundamental_numbers() {
    for line in published(20).lines() {
        let numbers: Vec<u64> = line.split(' ').map(|it| it.parse().unwrap()).collect();
        let [n, expected, all] = numbers[..] else {
            panic!("{line}");
        };
        assert_eq!(fundamental::from_all(n as u32, all), expected, "n = {n}");
    }
}

#[test]
fn a_count_resumes_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let arguments = ["12", "--checkpoint", path.to_str().unwrap()];
    let parts = |text: &str| -> BTreeSet<String> { text.lines().map(str::to_owned).collect() };
    assert_eq!(fast_count(&arguments).unwrap(), "14200\n");
    let complete = fs::read_to_string(&path).unwrap();
    assert!(complete.starts_with("fast-count 1: n = 12, "), "{complete}");
    // Killed at any byte.
    for end in (0..=complete.len()).step_by(7) {
        fs::write(&path, &complete[..end]).unwrap();
        assert_eq!(fast_count(&arguments).unwrap(), "14200\n", "{end} bytes");
        assert_eq!(parts(&fs::read_to_string(&path).unwrap()), parts(&complete));
    }
    // Recorded parts are not counted again.
    let last = complete.trim_end().rfind(' ').unwrap();
    let one_less: u64 = complete[last + 1..].trim_end().parse().unwrap();
    fs::write(&path, format!("{}{}\n", &complete[..=last], one_less + 1)).unwrap();
    assert_eq!(fast_count(&arguments).unwrap(), "14201\n");
}

#[test]
fn another_file_is_not_used_as_a_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let name = path.to_str().unwrap();
    let parts = "fast-count 1: n = 12, 14 parts\n";
    for text in [
        "notes",
        "notes\n",
        &parts.replace("12", "13"),
        &format!("{parts}0 1\n0 1\n"),
    ] {
        fs::write(&path, text).unwrap();
        let (status, error) = fast_count(&["12", "--checkpoint", name]).unwrap_err();
        assert_eq!(status, 2, "{text}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn refuses_other_arguments() {
    for arguments in [
        &["24"][..],
        &["table", "1..24"],
        &["8", "--threads", "0"],
        &[],
    ] {
        assert_eq!(fast_count(arguments).unwrap_err().0, 2);
    }
    let has: Vec<_> = Simd::all().into_iter().map(Simd::name).collect();
    for name in ["avx2", "avx512"].iter().filter(|name| !has.contains(name)) {
        let (status, error) = fast_count(&["8", "--simd", name]).unwrap_err();
        assert_eq!(status, 2);
        assert!(error.contains(&has.join(", ")), "{error}");
    }
}
