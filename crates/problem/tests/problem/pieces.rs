//! Patterns of file names, derived limits, and folders that problems are read from, each by itself.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound};

use grader_model::{Bytes, CpuTime, LanguageId};
use grader_problem::{
    DiskLibrary, LEADS_OUT, Library, LimitRule, MemoryLibrary, ReferenceLimit, ReferenceTimes,
    TimeRule, fits,
};

const HIDDEN: &str = "the path leads to a hidden file";

#[test]
fn stars_and_question_marks_fit_any_characters_in_any_case() {
    for (pattern, fitting, others) in [
        (
            "count.*",
            &["count.c", "COUNT.py", "count."][..],
            &["count", "my-count.c"][..],
        ),
        ("*count*", &["count", "Re-Count2.c"], &["cont.c", ""]),
        ("n?.c", &["n8.c", "N皇.C"], &["n.c", "n10.c"]),
        ("*a*b*", &["ab", "xaab", "aXbb"], &["ba", "a"]),
        ("", &[""], &["a"]),
    ] {
        assert!(fitting.iter().all(|name| fits(pattern, name)), "{pattern}");
        assert!(!others.iter().any(|name| fits(pattern, name)), "{pattern}");
    }
}

#[test]
fn a_limit_is_rounded_up_to_at_least_one_step() {
    for (reference, step, limit) in [
        (0, 1000, 1000),
        (150, 1000, 1000),
        (200, 1000, 1000),
        (201, 1000, 2000),
        (1300, 1000, 7000),
        (201, 100, 1100),
    ] {
        let rule = ReferenceLimit {
            factor: 5.0,
            case: None,
            at_least: None,
            at_most: None,
            slowest: true,
            round_up: Some(CpuTime::from_millis(step)),
        };
        let times = ReferenceTimes {
            own: CpuTime::from_millis(reference),
            start_up: CpuTime::from_millis(40),
            ..ReferenceTimes::default()
        };
        let rules = LimitRule {
            time: TimeRule::Reference(rule),
            wall: None,
            memory: Bytes(1),
            output: Bytes(1),
            processes: 1,
            compile_time: CpuTime::from_millis(1),
            slack: LimitRule::SLACK,
            confirm: 0,
            languages: BTreeMap::new(),
        };
        let origin = rules.origin(None, LanguageId::Python, Some(&times));
        assert_eq!(origin.unwrap().limit(), CpuTime::from_millis(limit));
    }
}

#[test]
fn a_folder_in_memory_is_read_as_one_on_disk_and_no_path_leads_out() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(outer.path().join("secret"), "secret").unwrap();
    let mut memory = MemoryLibrary::default();
    for path in ["b/x/1.txt", "b/y.txt", "a.txt", "b.txt", ".hidden"] {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, path).unwrap();
        memory.insert(path, path);
    }
    let disk = DiskLibrary::new(&root);
    for (path, read) in [
        ("b/./x/1.txt", Ok(b"b/x/1.txt".to_vec())),
        ("b", Err(IsADirectory)),
        ("", Err(IsADirectory)),
        ("b/none", Err(NotFound)),
        ("../secret", Err(InvalidInput)),
        ("b/../../secret", Err(InvalidInput)),
        ("/etc/passwd", Err(InvalidInput)),
    ] {
        for library in [&disk as &dyn Library, &memory] {
            let found = library.read(path).map_err(|error| error.kind());
            assert_eq!(found, read, "{path}");
        }
        assert_eq!(memory.list(path).ok(), disk.list(path).ok(), "{path}");
    }
    assert_eq!(disk.list("a.txt").unwrap_err().kind(), NotADirectory);
    let names = memory.list("").unwrap().into_iter().map(|it| it.name);
    assert_eq!(names.collect::<Vec<_>>(), ["a.txt", "b", "b.txt"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outer.path().join("secret"), root.join("link")).unwrap();
        let error = disk.read("link").unwrap_err();
        assert_eq!(error.kind(), InvalidInput);
    }
}

#[test]
#[cfg(unix)]
fn links_lead_into_the_folder_around_but_not_to_hidden_files_or_in_circles() {
    let outer = tempfile::tempdir().unwrap();
    let around = outer.path().join("around");
    let root = around.join("set/root");
    fs::create_dir_all(&root).unwrap();
    fs::create_dir_all(around.join(".git")).unwrap();
    fs::create_dir_all(root.join(".own")).unwrap();
    fs::create_dir_all(root.join(".git")).unwrap();
    for file in [
        "secret",
        "around/shared.h",
        "around/.git/config",
        "around/set/root/.git/config",
        "around/set/root/.own/x",
    ] {
        fs::write(outer.path().join(file), file).unwrap();
    }
    for (link, to) in [
        ("shared", "../../shared.h"),
        ("secret", "../../../secret"),
        ("config", "../../.git/config"),
        ("root", "/"),
        ("set", ".."),
        ("self", "self"),
        ("inside", "shared"),
        ("own", ".own"),
    ] {
        std::os::unix::fs::symlink(to, root.join(link)).unwrap();
    }
    let disk = DiskLibrary::new(&root).with_links_into(&around);
    for name in ["shared", "inside"] {
        assert_eq!(disk.read(name).unwrap(), b"around/shared.h");
        assert!(disk.is_outside(name));
    }
    for (name, message) in [
        ("secret", LEADS_OUT),
        ("config", HIDDEN),
        ("root", LEADS_OUT),
        ("set", LEADS_OUT),
        ("own", HIDDEN),
        ("own/x", HIDDEN),
        (".git/config", HIDDEN),
    ] {
        let errors = [disk.read(name).unwrap_err(), disk.list(name).unwrap_err()];
        assert_eq!(errors.map(|it| it.to_string()), [message; 2], "{name}");
        assert!(!disk.is_outside(name));
    }
    assert!(disk.read("self").is_err());
    assert_eq!(disk.read(".own/x").unwrap(), b"around/set/root/.own/x");
    // As a library of its own, it has the same rule.
    let whole = disk.around().unwrap();
    assert_eq!(whole.read("set/root/inside").unwrap(), b"around/shared.h");
    let error = whole.read("set/root/config").unwrap_err();
    assert_eq!(error.to_string(), HIDDEN);
}
