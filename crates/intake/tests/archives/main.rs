//! A class of hostile archives: each is a row with its reason, and the work of the others is judged.
#![expect(clippy::unwrap_used, reason = "a panic is the report")]

#[path = "../../src/archive/tests/build.rs"]
mod build;
#[path = "../intake/harness.rs"]
#[expect(dead_code, reason = "shared with the tests of classes")]
mod harness;

use std::fs;
use std::path::{Path, PathBuf};

use build::{
    ZipEntry, deflated, gzip, pax, stored, tar, tar_entry, tar_entry_that_states, zip, zip_end,
    zip_of, zip_parts, zip64_end,
};
use grader_model::{FaultCause, ProblemId};
use harness::{Reading, folder, write};

/// What is handed in, and what is wrong with it.
struct Hostile {
    student: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    reason: &'static str,
}

fn hostile(
    student: &'static str,
    name: &'static str,
    bytes: Vec<u8>,
    reason: &'static str,
) -> Hostile {
    Hostile {
        student,
        name,
        bytes,
        reason,
    }
}

/// A zip archive that `reason` refuses, with a program before what is wrong.
fn hostile_zip(student: &'static str, entries: &[ZipEntry], reason: &'static str) -> Hostile {
    let program = stored("count.c", b"int main(void) {}");
    let entries = [&[program], entries].concat();
    hostile(student, "work.zip", zip(&entries), reason)
}

/// A tar archive that `reason` refuses, with a program before what is wrong.
fn hostile_tar(student: &'static str, entries: Vec<Vec<u8>>, reason: &'static str) -> Hostile {
    let program = tar_entry(b'0', b"count.c", b"int main(void) {}");
    let entries = [vec![program], entries].concat();
    hostile(student, "work.tar.gz", gzip(&tar(&entries)), reason)
}

/// Archives that lead out, or are ambiguous.
fn paths() -> Vec<Hostile> {
    vec![
        hostile_zip(
            "slip",
            &[stored("../../slip", b"x")],
            "`../../slip` has `..` in its path, which can lead out of the archive",
        ),
        hostile_zip(
            "slip-windows",
            &[stored("..\\slip", b"x")],
            "`..\\slip` has `..` in its path, which can lead out of the archive",
        ),
        hostile_zip(
            "absolute",
            &[stored("/tmp/slip", b"x")],
            "`/tmp/slip` is an absolute path, which leads out of the archive",
        ),
        hostile_zip(
            "drive",
            &[stored("C:\\slip", b"x")],
            "`C:\\slip` begins with a drive letter, which leads out of the archive",
        ),
        hostile_tar(
            "slip-tar",
            vec![pax("path", "../slip"), tar_entry(b'0', b"x", b"x")],
            "`../slip` has `..` in its path, which can lead out of the archive",
        ),
        hostile_tar(
            "through-link",
            vec![tar_entry(b'2', b"l", b""), tar_entry(b'0', b"l/slip", b"x")],
            "`l/slip` lies below `l`, which is no folder",
        ),
        hostile_zip(
            "null",
            &[stored("a\0b", b"x")],
            "`a\\0b` has a null byte in its name",
        ),
        hostile_zip("nameless", &[stored("", b"x")], "an entry has no name"),
        hostile_zip(
            "terminal",
            &[stored("../\x1b]0;x\x07", b"x")],
            "`../\\x1b]0;x\\x07` has `..` in its path, which can lead out of the archive",
        ),
        hostile_zip(
            "case",
            &[stored("COUNT.C", b"x")],
            "`count.c` and `COUNT.C` are one name on many computers",
        ),
        hostile_zip(
            "unicode",
            &[stored("\u{e9}.h", b"x"), stored("e\u{301}.h", b"x")],
            "`\u{e9}.h` and `e\u{301}.h` are one name on many computers",
        ),
        hostile_zip(
            "twice",
            &[stored("count.c", b"x")],
            "`count.c` is in it twice",
        ),
        hostile_zip(
            "file-and-folder",
            &[stored("count.c/a.c", b"x")],
            "`count.c` is both a file and a folder",
        ),
        hostile_zip(
            "long",
            &[stored([b'x'; 256], b"")],
            "`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
             xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` is too long a name: 256 bytes, at most 255",
        ),
        hostile_zip(
            "deep",
            &[stored("d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x", b"")],
            "`d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/x` lies more than 16 folders deep",
        ),
    ]
}

/// Archives that are too much.
fn bombs() -> Vec<Hostile> {
    let zeros = vec![0; 2 << 20];
    let (local, directory) = zip_parts(&[stored("count.c", b"x")]);
    let size = directory.len() as u64;
    let (at, here) = (local.len() as u64, local.len() as u64 + size);
    let million = zip64_end(1_000_000, size, at, here);
    let bombs = "entries in it share the same bytes, as in a bomb";
    vec![
        hostile_zip(
            "bomb",
            &[deflated("zeros", &zeros)],
            "`zeros` is more than 200 times as large as it is packed: a bomb",
        ),
        hostile_tar(
            "bomb-tar",
            vec![tar_entry(b'0', b"zeros.exe", &zeros)],
            "it is more than 200 times as large uncompressed: a bomb",
        ),
        hostile_zip("overlap", &[stored("b.c", b"x").at(0)], bombs),
        hostile(
            "million",
            "work.zip",
            [local, directory, million].concat(),
            "it lists 1000000 entries, at most 200000",
        ),
        hostile_zip(
            "large",
            &[stored("x", b"x").stated_size(4_000_000_000)],
            "`x` is larger than 32 MiB",
        ),
        hostile_tar(
            "large-tar",
            vec![tar_entry_that_states(b'0', b"x", b"x", 7 << 30)],
            "`x` is larger than 32 MiB",
        ),
        hostile_zip(
            "more-than-stated",
            &[deflated("x", &zeros[..5000]).stated_size(10)],
            "`x` is not the 10 B that the archive states, or damaged",
        ),
        hostile_zip(
            "less-than-stated",
            &[stored("x", b"x").stated_size(10)],
            "`x` is not the 10 B that the archive states, or damaged",
        ),
    ]
}

/// Archives that cannot be read.
fn unreadable() -> Vec<Hostile> {
    let whole = zip_of("count.c", b"int main(void) {}");
    let mut split = whole.clone();
    let disk = split.len() - 22 + 4;
    split[disk] = 1;
    let (mut fewer, directory) = zip_parts(&[stored("count.c", b"x"), stored("b.c", b"x")]);
    let end = zip_end(1, &directory, fewer.len() as u64);
    fewer.extend([directory, end].concat());
    let damaged = "it is damaged or cut off";
    let cut = whole[..whole.len() - 9].to_vec();
    vec![
        hostile_zip(
            "encrypted",
            &[stored("x", b"x").flags(1)],
            "`x` is encrypted; hand it in without a password",
        ),
        hostile_zip(
            "lzma",
            &[stored("x", b"x").method(14)],
            "`x` is compressed by a method that is not read; pack it as an ordinary zip",
        ),
        hostile_zip(
            "checksum",
            &[stored("x", b"x").crc(1)],
            "`x` is not the 1 B that the archive states, or damaged",
        ),
        hostile_zip("beyond", &[stored("x", b"x").stated_packed(9000)], damaged),
        hostile("cut", "work.zip", cut, damaged),
        hostile("fewer", "work.zip", fewer, damaged),
        hostile(
            "split",
            "work.zip",
            split,
            "it is one part of a split archive",
        ),
        hostile("empty", "work.ZIP", Vec::new(), "it is empty: 0 bytes"),
        hostile(
            "page",
            "work.zip",
            b"<!DOCTYPE html><title>Log in</title>".to_vec(),
            "it is no archive but a web page",
        ),
        hostile(
            "rar",
            "work.zip",
            b"Rar!\x1a\x07\x01\0".to_vec(),
            "it is packed as RAR, which is not read: unpack it, or hand in a zip",
        ),
        hostile_tar(
            "sparse",
            vec![tar_entry(b'S', b"x", b"x")],
            "`x` is a sparse file, which is not read",
        ),
    ]
}

/// All files and folders below.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.symlink_metadata().unwrap().is_dir() {
            all.extend(everything(&path));
        }
        all.push(path);
    }
    all.sort();
    all
}

#[test]
fn each_hostile_archive_is_a_row_with_its_reason_and_leaves_nothing() {
    let class = folder(&["honest/count.c"]);
    let all: Vec<Hostile> = [paths(), bombs(), unreadable()]
        .into_iter()
        .flatten()
        .collect();
    for Hostile {
        student,
        name,
        bytes,
        ..
    } in &all
    {
        write(class.path().join(student).join(name), bytes);
        // Work that is not in the archive is judged all the same.
        write(
            class.path().join(student).join("board.c"),
            b"int main(void) {}",
        );
    }
    let handed_in = everything(class.path());
    let room = tempfile::tempdir().unwrap();
    let scratch = room.path().join("a/b/c");
    fs::create_dir_all(&scratch).unwrap();
    let read = Reading::default().class(class.path(), &scratch).unwrap();

    assert_eq!(read.students.len(), all.len() + 1);
    for Hostile {
        student,
        name,
        reason,
        ..
    } in &all
    {
        let read = read
            .students
            .iter()
            .find(|read| read.id.as_str() == *student);
        let read = read.unwrap();
        let sentence = format!("`{name}` is not unpacked: {reason}");
        let faults: Vec<(&str, FaultCause, &str)> = read
            .faults
            .iter()
            .map(|(problem, lost)| (problem.as_str(), lost.cause, lost.reason.en.as_str()))
            .collect();
        assert_eq!(
            faults,
            [("count", FaultCause::Unreadable, sentence.as_str())],
            "{student}"
        );
        let taken: Vec<&str> = read.submissions.keys().map(ProblemId::as_str).collect();
        assert_eq!(taken, ["board"], "{student}");
        assert_eq!(
            harness::unused(&read.unused),
            [format!("!{name}: {sentence}")]
        );
    }
    // Nothing of them is on disk, neither where archives are unpacked nor around it, nor in the class.
    let kept = ["a", "a/b", "a/b/c"].map(|path| room.path().join(path));
    assert_eq!(everything(room.path()), kept);
    assert_eq!(everything(class.path()), handed_in);
    assert!(!Path::new("/tmp/slip").exists());
}

#[test]
fn what_is_harmless_does_not_cost_the_work() {
    let class = folder(&[]);
    let entries = [
        tar_entry(b'2', b"node_modules/.bin/x", b""),
        tar_entry(b'2', b"soft", b""),
        tar_entry(b'1', b"hard", b""),
        tar_entry(b'6', b"pipe", b""),
        tar_entry(b'3', b"device", b""),
        tar_entry(b'0', b"count.c", b"int main(void) {}"),
    ];
    write(class.path().join("s1/work.tar"), &tar(&entries));
    let entries = [
        stored("link", b"/etc/passwd").mode(0o120_777),
        stored("count.c", b"int main(void) {}"),
    ];
    write(class.path().join("s2/work.zip"), &zip(&entries));
    assert_eq!(
        harness::read(class.path()),
        [
            "[s1]",
            "count: count.c=work.tar/count.c",
            "fault: board: `hard` is not unpacked: it is a hard link to `/etc/passwd`, which is not in the archive before it",
            "!work.tar/device: not a regular file",
            "!work.tar/hard: `hard` is not unpacked: it is a hard link to `/etc/passwd`, which is not in the archive before it",
            "work.tar/node_modules: made by a compiler or tool",
            "!work.tar/pipe: not a regular file",
            "!work.tar/soft: a link, which is not followed",
            "[s2]",
            "count: count.c=work.zip/count.c",
            "!work.zip/link: a link, which is not followed",
        ]
    );
}
