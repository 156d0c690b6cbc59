//! Archives as students, and others, may hand them in.

mod apart;
mod build;
mod tar;
mod zip;

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use grader_model::{Text, UnusedFile};

use super::unpack::Refused;
use super::{Caps, Failure, Kind, Unpacked, unpack};

/// An archive was unpacked: what came of it, and the files by their paths with what they hold, folders with `/`.
struct Done {
    unpacked: Unpacked,
    files: Vec<(String, Vec<u8>)>,
}

impl Done {
    fn names(&self) -> Vec<&str> {
        self.files.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// What was passed over, in English.
    fn passed(&self) -> Vec<(&str, &str, bool)> {
        let passed = self.unpacked.passed.iter();
        passed
            .map(|file| (file.path.as_str(), file.reason.en.as_str(), file.notable))
            .collect()
    }

    fn notes(&self) -> Vec<&str> {
        let notes = self.unpacked.notes.iter();
        notes.map(|note| note.en.as_str()).collect()
    }

    fn refused(&self) -> Vec<(&str, &str)> {
        let refused = self.unpacked.refused.iter();
        refused
            .map(|part| (part.path.as_str(), part.text.en.as_str()))
            .collect()
    }
}

/// Unpacks an archive and looks at everything around: beside the archive itself and its folder nothing may be,
/// and where it fails not even that folder.
fn try_unpack(name: &str, bytes: &[u8], caps: &Caps) -> Result<Done, Failure> {
    let room = tempfile::tempdir().unwrap();
    let deep = room.path().join("a/b");
    fs::create_dir_all(&deep).unwrap();
    let archive = deep.join(name);
    fs::write(&archive, bytes).unwrap();
    let into = deep.join("unpacked folder");
    let result = unpack(
        &archive,
        &grader_model::escaped(name.as_bytes()),
        &into,
        caps,
    );
    let mut files = Vec::new();
    list(&into, "", &mut files);
    let mut around = Vec::new();
    list(room.path(), "", &mut around);
    around.retain(|(path, _)| !path.starts_with("a/b/unpacked folder/"));
    let around: Vec<&str> = around.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(around, ["a/", "a/b/", &format!("a/b/{name}")]);
    match result {
        Ok(unpacked) => {
            let sizes = files.iter().map(|(_, bytes)| bytes.len() as u64);
            assert_eq!(sizes.sum::<u64>(), unpacked.bytes);
            let written = files.iter().filter(|(path, _)| !path.ends_with('/'));
            assert_eq!(written.count() as u64, unpacked.files);
            Ok(Done { unpacked, files })
        }
        Err(failure) => {
            assert!(!into.exists());
            Err(failure)
        }
    }
}

fn unpacked(name: &str, bytes: &[u8]) -> Done {
    try_unpack(name, bytes, &Caps::default()).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// Why an archive is refused.
fn refused_by(name: &str, bytes: &[u8], caps: &Caps) -> Text {
    match try_unpack(name, bytes, caps) {
        Err(Failure::Refused(text)) => text,
        Err(Failure::Ours(text)) => panic!("{text:?}"),
        Ok(done) => panic!("{:?}", done.unpacked),
    }
}

/// Asserts why a `work.zip` or the like is refused, in both languages, without the archive's own name.
#[track_caller]
fn assert_refused(name: &str, bytes: &[u8], en: &str, zh: &str) {
    let expected = Text::new(
        format!("`{name}` is not unpacked: {en}"),
        format!("`{name}` 未解压：{zh}"),
    );
    assert_eq!(refused_by(name, bytes, &Caps::default()), expected);
}

/// Everything below a folder, in the order of names; no links, and nothing that others may read.
fn list(folder: &Path, below: &str, files: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<_> = entries.map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{below}{name}");
        let data = fs::symlink_metadata(entry.path()).unwrap();
        if data.is_dir() {
            files.push((format!("{path}/"), Vec::new()));
            list(&entry.path(), &format!("{path}/"), files);
        } else {
            assert!(data.is_file(), "{path}");
            files.push((path, fs::read(entry.path()).unwrap()));
        }
    }
}

#[test]
fn what_is_written_is_for_its_owner_alone_whatever_the_archive_says() {
    let room = tempfile::tempdir().unwrap();
    let archive = room.path().join("work.zip");
    let entry = build::stored("folder/count.c", b"int").mode(0o106_777);
    fs::write(&archive, build::zip(&[entry])).unwrap();
    let into = room.path().join("work");
    unpack(&archive, "work.zip", &into, &Caps::default()).unwrap();
    let mode = |path: &str| fs::metadata(into.join(path)).unwrap().permissions().mode();
    assert_eq!(mode(""), 0o040_700);
    assert_eq!(mode("folder"), 0o040_700);
    assert_eq!(mode("folder/count.c"), 0o100_600);
}

#[test]
fn what_this_machine_cannot_do_is_not_told_of_the_archive() {
    let room = tempfile::tempdir().unwrap();
    let archive = room.path().join("work.zip");
    let ours = |into: &Path| match unpack(&archive, "work.zip", into, &Caps::default()) {
        Err(Failure::Ours(text)) => text,
        other => panic!("{other:?}"),
    };
    let missing = Text::new(
        "`work.zip` cannot be unpacked on this machine: No such file or directory (os error 2)",
        "`work.zip` 无法在本机解压：文件不存在",
    );
    assert_eq!(ours(&room.path().join("work")), missing);
    fs::write(&archive, build::zip_of("a.c", b"int")).unwrap();
    assert_eq!(ours(&room.path().join("missing/work")), missing);
    // A folder that is there already is not ours to write into, nor to remove.
    let taken = ours(room.path());
    assert_eq!(
        taken.en,
        "`work.zip` cannot be unpacked on this machine: File exists (os error 17)"
    );
    assert!(archive.exists());
}

#[test]
fn what_is_no_archive_that_is_read_is_told_by_what_it_is() {
    for (name, bytes, en, zh) in [
        (
            "work.zip",
            &b""[..],
            "it is empty: 0 bytes",
            "文件为空：0 字节",
        ),
        (
            "WORK.ZIP",
            b"Rar!\x1a\x07\x01\0",
            "it is packed as RAR, which is not read: unpack it, or hand in a zip",
            "它以 RAR 格式打包，不支持：请先解压，或提交 zip",
        ),
        (
            "work.7z",
            b"7z\xbc\xaf\x27\x1c",
            "it is packed as 7z, which is not read: unpack it, or hand in a zip",
            "它以 7z 格式打包，不支持：请先解压，或提交 zip",
        ),
        (
            "work.tar.xz",
            b"\xfd7zXZ\0",
            "it is packed as xz, which is not read: unpack it, or hand in a zip",
            "它以 xz 格式打包，不支持：请先解压，或提交 zip",
        ),
        (
            "work.zip",
            b"<!DOCTYPE html><title>404</title>",
            "it is no archive but a web page",
            "它不是压缩包，而是网页",
        ),
        (
            "work.zip",
            b"int main",
            "it is no archive, whatever its name says",
            "它并不是压缩包，与名称不符",
        ),
        (
            "work.z01",
            b"PK\x03\x04",
            "it is one part of a split archive",
            "它是分卷压缩包的一部分",
        ),
    ] {
        assert_refused(name, bytes, en, zh);
    }
}

#[test]
fn another_format_than_the_name_says_is_read_and_told() {
    let tar = build::tar(&[build::tar_entry(b'0', b"a.c", b"int")]);
    for (name, bytes, note) in [
        (
            "work.tar",
            build::zip_of("a.c", b"int"),
            "`work.tar` is really zip",
        ),
        ("work.zip", tar.clone(), "`work.zip` is really tar"),
        ("work.zip", build::gzip(&tar), "`work.zip` is really gzip"),
    ] {
        let done = unpacked(name, &bytes);
        assert_eq!(done.files, [("a.c".to_owned(), b"int".to_vec())]);
        assert_eq!(done.notes(), [note]);
    }
}

#[test]
fn an_archive_inside_is_unpacked_beside_and_one_deeper_is_refused() {
    let third = build::zip_of("c.c", b"c");
    let second = build::zip(&[
        build::stored("b.c", b"b"),
        build::stored("third.zip", &third),
    ]);
    let tar = build::tar(&[build::tar_entry(b'0', b"t.c", b"t")]);
    let done = unpacked(
        "work.zip",
        &build::zip(&[
            build::stored("hw/second.ZIP", &second),
            build::stored("hw/old.tar.gz", &build::gzip(&tar)),
            build::stored("hw/old", b"taken"),
            build::stored("hw/a.c", b"a"),
            build::stored("hw/report.docx", &third),
        ]),
    );
    assert_eq!(
        done.names(),
        [
            "hw/",
            "hw/a.c",
            "hw/old",
            "hw/old.tar.gz/",
            "hw/old.tar.gz/t.c",
            "hw/second/",
            "hw/second/b.c",
        ]
    );
    assert_eq!(done.passed(), [("hw/report.docx", "a document", false),]);
    assert_eq!(
        done.refused(),
        [(
            "hw/second/third.zip",
            "`hw/second/third.zip` is not unpacked: it is an archive inside other archives, too deep"
        )]
    );
}

#[test]
fn an_archive_inside_that_is_refused_takes_nothing_with_it() {
    let hostile = build::zip(&[build::stored("ok.c", b"ok"), build::stored("../x", b"x")]);
    let file = |name| build::stored(name, b"x").stated_size(32 << 20);
    let full = build::zip(&[file("1.c"), file("2.c")]);
    let done = unpacked(
        "work.zip",
        &build::zip(&[
            build::stored("a.c", b"a"),
            build::stored("bad.zip", &hostile),
            build::stored("full.zip", &full),
            build::stored("good.zip", &build::zip_of("g.c", b"g")),
            build::stored("other.rar", b"Rar!\x1a\x07\x01\0"),
        ]),
    );
    assert_eq!(done.names(), ["a.c", "good/", "good/g.c"]);
    assert_eq!(
        done.refused(),
        [
            (
                "bad.zip",
                "`bad.zip` is not unpacked: `../x` has `..` in its path, which can lead out of the \
                 archive"
            ),
            (
                "full.zip",
                "`full.zip` is not unpacked: its files are larger than 64 MiB together"
            ),
            (
                "other.rar",
                "`other.rar` is not unpacked: it is packed as RAR, which is not read: unpack it, or \
                 hand in a zip"
            ),
        ]
    );
}

#[test]
fn a_bomb_of_archives_inside_each_other_stays_within_the_caps() {
    let mut bomb = build::zip(&[build::deflated("zeros", &vec![0; 900_000])]);
    for _ in 0..5 {
        let entries: Vec<_> = (0..10)
            .map(|i| build::deflated(format!("{i}.zip"), &bomb))
            .collect();
        bomb = build::zip(&entries);
    }
    let done = unpacked("work.zip", &bomb);
    assert_eq!(done.unpacked.files, 0);
    assert_eq!(done.passed(), []);
    assert_eq!(done.refused().len(), 100);
}

#[test]
fn what_refuses_one_student_of_a_class_does_not_refuse_the_others() {
    let archive = build::zip(&[
        build::stored("Ann_1_assignsubmission_file/count.c", b"a"),
        build::stored("Bob_2_assignsubmission_file/Count.c", b"b"),
        build::stored("Bob_2_assignsubmission_file/count.c", b"b"),
        build::stored("Bob_2_assignsubmission_file/board.c", b"b"),
        build::stored(
            "Cy_3_assignsubmission_file/work.zip",
            &build::zip_of("c.c", b"c"),
        ),
        build::stored("Cy_3_assignsubmission_file/.DS_Store", b"x"),
    ]);
    let done = try_unpack("class.zip", &archive, &Caps::of_class()).unwrap();
    assert_eq!(
        done.names(),
        [
            "Ann_1_assignsubmission_file/",
            "Ann_1_assignsubmission_file/count.c",
            "Cy_3_assignsubmission_file/",
            "Cy_3_assignsubmission_file/.DS_Store",
            "Cy_3_assignsubmission_file/work.zip",
        ]
    );
    let bob = "Bob_2_assignsubmission_file";
    let text = Text::new(
        format!(
            "in `class.zip`: `{bob}` is not unpacked: `{bob}/Count.c` and `{bob}/count.c` are one \
             name on many computers"
        ),
        format!(
            "`class.zip` 中：`{bob}` 未解压：`{bob}/Count.c` 与 `{bob}/count.c` 在许多计算机上是同\
             一个名称"
        ),
    );
    let (parts, path) = (vec![bob.to_owned()], bob.to_owned());
    assert_eq!(done.unpacked.refused, [Refused { parts, path, text }]);
}

#[test]
fn students_are_apart_below_the_folder_that_all_share() {
    let files: [(&str, &[u8]); 7] = [
        ("a/hw/", b""),
        ("a/hw/Li/count.c", b"1"),
        ("a/hw/li/count.c", b"2"),
        ("a/hw/bob/Count.c", b"3"),
        ("a/hw/bob/count.c", b"3"),
        ("a/hw/cy/count.c", b"4"),
        ("__MACOSX/._a", b""),
    ];
    let zip: Vec<_> = files
        .iter()
        .map(|(name, bytes)| build::stored(name, bytes))
        .collect();
    let tar = files.iter().map(|(name, bytes)| {
        let kind = if name.ends_with('/') { b'5' } else { b'0' };
        build::tar_entry(kind, name.as_bytes(), bytes)
    });
    let tar = build::tar(&tar.collect::<Vec<_>>());
    for (name, bytes) in [
        ("class.zip", build::zip(&zip)),
        ("class.tgz", build::gzip(&tar)),
    ] {
        let done = try_unpack(name, &bytes, &Caps::of_class()).unwrap();
        assert_eq!(
            done.names()[2..],
            [
                "a/",
                "a/hw/",
                "a/hw/Li/",
                "a/hw/Li/count.c",
                "a/hw/cy/",
                "a/hw/cy/count.c",
                "a/hw/li/",
                "a/hw/li/count.c",
            ]
        );
        assert_eq!(
            done.refused(),
            [(
                "a/hw/bob",
                format!(
                    "in `{name}`: `a/hw/bob` is not unpacked: `a/hw/bob/Count.c` and `a/hw/bob/count.c` are one name on many computers"
                )
                .as_str()
            )]
        );
    }
}

#[test]
fn only_what_may_be_an_archive_is_opened() {
    let room = tempfile::tempdir().unwrap();
    let file = room.path().join("work");
    let kind = |name| Kind::of_file(name, &file).map_err(|error| error.kind());
    assert_eq!(kind("count.c"), Ok(None));
    assert_eq!(kind("work.zip"), Err(ErrorKind::NotFound));
    fs::write(&file, build::zip_of("a.c", b"int")).unwrap();
    assert_eq!(kind("work.zip"), Ok(Some(Kind::Zip)));
    assert_eq!(kind("work"), Ok(Some(Kind::Zip)));
}

#[test]
fn no_byte_that_is_changed_brings_more_than_a_refusal() {
    let zip = build::zip(&[
        build::deflated("hw/a.c", &b"int main(void) { return 0; }".repeat(3)),
        build::stored("hw/b.zip", &build::zip_of("b.c", b"b")),
        build::stored("hw/c", b"c").mode(0o120_777),
    ]);
    let tar = build::tar(&[
        build::pax("path", "hw/long.c"),
        build::tar_entry(b'0', b"a.c", b"int"),
    ]);
    let gzip = build::gzip(&tar);
    let room = tempfile::tempdir().unwrap();
    let into = room.path().join("work");
    for (name, bytes) in [("w.zip", zip), ("w.tar", tar), ("w.tgz", gzip)] {
        let archive = room.path().join(name);
        let mut count = 0;
        let mut try_bytes = |bytes: &[u8]| {
            fs::write(&archive, bytes).unwrap();
            match unpack(&archive, name, &into, &Caps::default()) {
                Ok(_) => fs::remove_dir_all(&into).unwrap(),
                Err(Failure::Refused(_)) => count += 1,
                // Whatever it is, it is not this machine's fault.
                Err(Failure::Ours(text)) => panic!("{text:?}"),
            }
            // Nothing beside it, and nothing of it.
            assert_eq!(fs::read_dir(room.path()).unwrap().count(), 1);
        };
        // In a header most bytes have a meaning; the padding after it has none.
        for at in (0..bytes.len()).filter(|&at| bytes[at] != 0 || at % 8 == 0) {
            let mut changed = bytes.clone();
            changed[at] ^= if at % 2 == 0 { 0x80 } else { 1 };
            try_bytes(&changed);
            if at % 4 == 0 {
                changed[at] = 0xff;
                try_bytes(&changed);
                try_bytes(&bytes[..at]);
            }
        }
        assert!(count > bytes.len() / 10, "{count} of {}", bytes.len());
        fs::remove_file(&archive).unwrap();
    }
}

#[test]
fn an_empty_archive_is_listed() {
    for (name, bytes) in [
        ("work.zip", build::zip(&[])),
        ("work.tar", build::tar(&[])),
        ("work.tgz", build::gzip(&build::tar(&[]))),
    ] {
        let done = unpacked(name, &bytes);
        let reason = Text::new("an archive that holds no files", "压缩包中没有文件");
        let path = name.to_owned();
        let notable = true;
        let listed = UnusedFile {
            path,
            reason,
            notable,
        };
        assert_eq!(done.unpacked.passed, [listed]);
    }
}
