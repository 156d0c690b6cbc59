//! A class of strange and hostile archives: each is a row with its reasons, and all other work is judged.

use std::fs;
use std::path::{Path, PathBuf};

use grader_model::ProblemId;

use crate::build::{
    ZipEntry, bzip2, deflated, gzip, pax, stored, tar, tar_entry, tar_entry_that_states, xz,
    xz_of_4_gib, zip, zip_end, zip_of, zip_parts, zip64_end,
};
use crate::harness::{Reading, folder, shown, write};

const PROGRAM: &[u8] = b"int main(void) {}";

type Archive = (&'static str, &'static str, Vec<u8>);

/// A zip archive of a program and these entries.
fn in_zip(student: &'static str, entries: &[ZipEntry]) -> Archive {
    let program = stored("count.c", PROGRAM);
    (student, "work.zip", zip(&[&[program], entries].concat()))
}

/// A compressed tar archive of a program and these entries.
fn in_tar(student: &'static str, entries: &[Vec<u8>]) -> Archive {
    let program = tar_entry(b'0', b"count.c", PROGRAM);
    let entries = [&[program], entries].concat();
    (student, "work.tar.gz", gzip(&tar(&entries)))
}

fn paths() -> Vec<Archive> {
    let (gbk, _, _) = encoding_rs::GBK.encode("作业/Board 八皇后.c");
    let deep = format!("{}x.c", "d/".repeat(17));
    vec![
        in_zip("slip", &[stored("../../slip", b"x")]),
        in_zip("slip-program", &[stored("../board.c", b"x")]),
        in_zip("slip-windows", &[stored("..\\slip", b"x")]),
        in_zip("absolute", &[stored("/tmp/slip", b"x")]),
        in_zip("drive", &[stored("C:\\slip", b"x")]),
        in_tar(
            "slip-tar",
            &[pax("path", "../slip"), tar_entry(b'0', b"x", b"x")],
        ),
        in_tar(
            "through-link",
            &[tar_entry(b'2', b"l", b""), tar_entry(b'0', b"l/slip", b"x")],
        ),
        in_zip("null", &[stored("a\0b", b"x")]),
        in_zip("nameless", &[stored("", b"x")]),
        in_zip("terminal", &[stored("../\x1b]0;x\x07", b"x")]),
        in_zip("case", &[stored("COUNT.C", b"x")]),
        in_zip("twice", &[stored("count.c", b"x")]),
        in_zip("file-and-folder", &[stored("count.c/a.c", b"x")]),
        in_zip("long", &[stored([b'x'; 256], b"")]),
        in_zip(
            "long-program",
            &[stored([b"board", &[b'x'; 300][..], b".c"].concat(), b"")],
        ),
        in_zip("deep", &[stored(deep, b"")]),
        in_zip("gbk", &[stored(&*gbk, b"1"), stored(b"board\xff.c", b"2")]),
        in_zip(
            "windows",
            &[stored("hw\\", b""), stored("hw\\board.c", b"a")],
        ),
    ]
}

fn too_much() -> Vec<Archive> {
    let zeros = vec![0; 2 << 20];
    let (local, directory) = zip_parts(&[stored("count.c", b"x")]);
    let size = directory.len() as u64;
    let (at, here) = (local.len() as u64, local.len() as u64 + size);
    let million = zip64_end(1_000_000, size, at, here);
    let long_name = tar_entry(b'L', b"././@LongLink", &vec![b'x'; 2 << 20]);
    let mut matryoshka = zip_of("count.c", PROGRAM);
    for _ in 0..3 {
        matryoshka = zip_of("a.zip", &matryoshka);
    }
    vec![
        in_zip("bomb", &[deflated("zeros", &zeros)]),
        in_tar("bomb-tar", &[tar_entry(b'0', b"zeros.exe", &zeros)]),
        ("bomb-gz", "board2.c.gz", gzip(&zeros)),
        ("bomb-xz", "board2.c.xz", xz(&zeros)),
        ("bomb-bz2", "board2.c.bz2", bzip2(&zeros)),
        ("memory-xz", "board2.c.xz", xz_of_4_gib(PROGRAM)),
        in_zip("overlap", &[stored("b.c", b"x").at(0)]),
        ("million", "work.zip", [local, directory, million].concat()),
        in_zip("large", &[stored("x", b"x").stated_size(4_000_000_000)]),
        in_tar(
            "large-tar",
            &[tar_entry_that_states(b'0', b"x", b"x", 7 << 30)],
        ),
        ("large-name", "work.tar", tar(&[long_name])),
        in_zip(
            "more-than-stated",
            &[deflated("board2.c", &zeros[..5000]).stated_size(10)],
        ),
        in_zip("less-than-stated", &[stored("x", b"x").stated_size(10)]),
        ("nested", "work.zip", matryoshka),
    ]
}

fn unreadable() -> Vec<Archive> {
    let whole = zip_of("count.c", PROGRAM);
    let mut split = whole.clone();
    let disk = split.len() - 22 + 4;
    split[disk] = 1;
    let (mut fewer, directory) = zip_parts(&[stored("count.c", b"x"), stored("b.c", b"x")]);
    let end = zip_end(1, &directory, fewer.len() as u64);
    fewer.extend([directory, end].concat());
    let tarball = tar(&[tar_entry(b'0', b"count/count.c", PROGRAM)]);
    vec![
        in_zip("encrypted", &[stored("count.h", b"x").flags(1)]),
        in_zip(
            "encrypted-program",
            &[stored("count/count.c", b"x").flags(1)],
        ),
        in_zip("encrypted-unknown", &[stored("main.c", b"x").flags(1)]),
        in_zip(
            "encrypted-part",
            &[
                stored("board2/board2.c", PROGRAM),
                stored("board2/queens.h", b"x").flags(1),
            ],
        ),
        in_zip("lzma", &[stored("x", b"x").method(14)]),
        in_zip("checksum", &[stored("x", b"x").crc(1)]),
        in_zip("beyond", &[stored("x", b"x").stated_packed(9000)]),
        ("cut", "work.zip", whole[..whole.len() - 9].to_vec()),
        ("cut-tar", "work.tar", tarball[..1024].to_vec()),
        ("cut-xz", "work.tar.xz", xz(&tarball)[..100].to_vec()),
        ("cut-bz2", "work.tar.bz2", bzip2(&tarball)[..100].to_vec()),
        ("fewer", "work.zip", fewer),
        ("split", "work.zip", split),
        ("split-part", "work.zip.001", whole),
        ("empty", "work.ZIP", Vec::new()),
        ("no-files", "work.zip", zip(&[])),
        ("page", "work.zip", b"<!DOCTYPE html>".to_vec()),
        ("rar", "work.rar", b"Rar!\x1a\x07\x01\0".to_vec()),
        ("7z", "work.7z", b"7z\xbc\xaf\x27\x1c".to_vec()),
        in_tar("sparse", &[tar_entry(b'S', b"x", b"x")]),
        in_tar("hard-link", &[tar_entry(b'1', b"board2.c", b"")]),
    ]
}

fn harmless() -> Vec<Archive> {
    let huge = |name: &str| stored(name, b"x").stated_size(900 << 20);
    let tarball = tar(&[tar_entry(b'0', b"count.c", PROGRAM)]);
    vec![
        in_zip(
            "links",
            &[
                stored("link", b"/etc/passwd").mode(0o120_777),
                stored("board2.c", b"/etc/passwd").mode(0o120_777),
                stored("pipe", b"").mode(0o010_644),
            ],
        ),
        in_tar(
            "devices",
            &[
                tar_entry(b'2', b"node_modules/.bin/x", b""),
                tar_entry(b'3', b"device", b""),
                tar_entry(b'g', b"global", b"18 comment=hello!\n"),
            ],
        ),
        in_zip(
            "junk",
            &[
                huge("hw/target/debug/a"),
                huge("hw/target/debug/b"),
                stored("__MACOSX/hw/._a.c", b"x"),
                stored("hw/a.exe", b"x").flags(1),
            ],
        ),
        ("misnamed", "work.zip", gzip(&tarball)),
        ("xz", "work.tar.xz", xz(&tarball)),
        ("bz2", "work.tbz", bzip2(&tarball)),
        ("one-file-xz", "count.c.xz", xz(PROGRAM)),
        (
            "one-file-bz2",
            "count.c.bz2",
            [bzip2(b"int main"), bzip2(b"(void) {}")].concat(),
        ),
        ("unnamed", "work", zip_of("count.c", PROGRAM)),
        ("one-file", "count.c.gz", gzip(PROGRAM)),
        (
            "appended",
            "work.zip",
            [zip_of("count.c", PROGRAM), b"<!-- saved -->".to_vec()].concat(),
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
fn each_hostile_archive_is_a_row_with_its_reasons() {
    let class = folder(&["honest/count.c"]);
    for (student, name, bytes) in [paths(), too_much(), unreadable(), harmless()].concat() {
        write(class.path().join(student).join(name), &bytes);
    }
    let submitted = everything(class.path());
    let room = tempfile::tempdir().unwrap();
    let scratch = room.path().join("a/b/c");
    fs::create_dir_all(&scratch).unwrap();
    let read = Reading::default().class(class.path(), &scratch).unwrap();

    let text = shown(&read).join("\n") + "\n";
    assert!(text == include_str!("hostile.txt"), "{text}");
    // Nothing is written anywhere else, and no link.
    let written = everything(room.path()).into_iter();
    let outside: Vec<PathBuf> = written
        .filter(|path| !path.starts_with(&scratch) || path.is_symlink())
        .collect();
    let folders = ["a", "a/b"].map(|path| room.path().join(path));
    assert_eq!(outside, folders);
    assert_eq!(everything(class.path()), submitted);
    assert!(!Path::new("/tmp/slip").exists());
}

#[test]
fn no_byte_that_is_changed_costs_more_than_the_archive() {
    let zip = zip(&[
        deflated("hw/count.c", &b"int main(void) { return 0; }".repeat(3)),
        stored("hw/b.zip", &zip_of("b.c", b"b")),
        stored("hw/c", b"c").mode(0o120_777),
    ]);
    let tar = tar(&[pax("path", "hw/count.c"), tar_entry(b'0', b"a.c", b"int")]);
    let class = folder(&[]);
    let mut students = 0;
    for (name, bytes) in [
        ("a.tgz", gzip(&tar)),
        ("a.txz", xz(&tar)),
        ("a.tbz", bzip2(&tar)),
        ("a.tar", tar),
        ("a.zip", zip),
    ] {
        let mut add = |bytes: &[u8]| {
            let student = class.path().join(format!("s{students}"));
            write(student.join("board.c"), b"");
            write(student.join(name), bytes);
            students += 1;
        };
        // In a header most bytes have a meaning; the padding after it has none.
        for at in (0..bytes.len()).filter(|&at| bytes[at] != 0).step_by(2) {
            let mut changed = bytes.clone();
            changed[at] ^= if at % 2 == 0 { 0x80 } else { 1 };
            add(&changed);
            if at % 8 == 0 {
                add(&bytes[..at]);
            }
        }
    }
    let room = tempfile::tempdir().unwrap();
    let read = Reading::default().class(class.path(), room.path()).unwrap();
    assert_eq!(read.students.len(), students);
    let [count, board] = ["count", "board"].map(ProblemId::new);
    for student in read.students {
        assert!(student.submissions.contains_key(&board), "{student:?}");
        // What is not graded is reported.
        let is_graded = student.submissions.contains_key(&count);
        assert!(is_graded || !student.unused.is_empty(), "{student:?}");
    }
}
