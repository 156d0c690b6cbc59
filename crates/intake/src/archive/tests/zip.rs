//! Hostile zip archives.

use super::build::{ZipEntry, deflated, stored, zip, zip_end, zip_of, zip_parts, zip64_end};
use super::{Caps, assert_refused, refused_by, unpacked};

const DAMAGED: (&str, &str) = ("it is damaged or cut off", "压缩包已损坏或不完整");

#[track_caller]
fn assert_refused_zip(entries: &[ZipEntry], en: &str, zh: &str) {
    assert_refused("work.zip", &zip(entries), en, zh);
}

#[test]
fn no_path_leads_out_of_the_archive() {
    for (path, en, zh) in [
        (
            "../x",
            "`../x` has `..` in its path, which can lead out of the archive",
            "`../x` 的路径中有 `..`，可能通向压缩包之外",
        ),
        (
            "a/../../../x",
            "`a/../../../x` has `..` in its path, which can lead out of the archive",
            "`a/../../../x` 的路径中有 `..`，可能通向压缩包之外",
        ),
        (
            "..\\..\\x",
            "`..\\..\\x` has `..` in its path, which can lead out of the archive",
            "`..\\..\\x` 的路径中有 `..`，可能通向压缩包之外",
        ),
        (
            "/tmp/x",
            "`/tmp/x` is an absolute path, which leads out of the archive",
            "`/tmp/x` 是绝对路径，通向压缩包之外",
        ),
        (
            "C:\\x",
            "`C:\\x` begins with a drive letter, which leads out of the archive",
            "`C:\\x` 以盘符开头，通向压缩包之外",
        ),
        (
            "a\0.c",
            "`a\\0.c` has a null byte in its name",
            "`a\\0.c` 的名称中有空字节",
        ),
        ("", "an entry has no name", "有一项没有名称"),
    ] {
        assert_refused_zip(&[stored("a.c", b"a"), stored(path, b"x")], en, zh);
    }
}

#[test]
fn folders_of_windows_are_folders() {
    let done = unpacked(
        "work.zip",
        &zip(&[
            stored("hw\\", b""),
            stored("hw\\a.c", b"a"),
            stored("./b.c", b"b"),
        ]),
    );
    assert_eq!(done.names(), ["b.c", "hw/", "hw/a.c"]);
}

#[test]
fn names_of_a_chinese_windows_are_read() {
    let (gbk, _, _) = encoding_rs::GBK.encode("作业/八皇后.c");
    let done = unpacked(
        "work.zip",
        &zip(&[
            stored(&*gbk, b"1"),
            stored("作业/汉诺塔.c", b"2").flags(1 << 11),
            stored(b"\xff\xfe.c", b"3"),
        ]),
    );
    assert_eq!(
        done.names(),
        ["%ff%fe.c", "作业/", "作业/八皇后.c", "作业/汉诺塔.c"]
    );
}

#[test]
fn links_and_devices_are_passed_over() {
    let done = unpacked(
        "work.zip",
        &zip(&[
            stored("a.c", b"int"),
            stored("link", b"/etc/passwd").mode(0o120_777),
            stored("pipe", b"").mode(0o010_644),
            stored("device", b"").mode(0o020_644),
            stored("socket", b"").mode(0o140_644),
            stored("folder", b"").mode(0o040_755),
        ]),
    );
    assert_eq!(done.names(), ["a.c", "folder/"]);
    assert_eq!(
        done.passed(),
        [
            ("link", "a link, which is not followed", true),
            ("pipe", "not a regular file", true),
            ("device", "not a regular file", true),
            ("socket", "not a regular file", true),
        ]
    );
}

#[test]
fn nothing_is_written_through_a_link() {
    assert_refused_zip(
        &[
            stored("link", b"/tmp").mode(0o120_777),
            stored("link/x", b"x"),
        ],
        "`link/x` lies below `link`, which is no folder",
        "`link/x` 位于 `link` 之下，而后者不是文件夹",
    );
}

#[test]
fn names_that_are_one_name_are_refused() {
    for (first, second, en, zh) in [
        (
            "Count.c",
            "count.C",
            "`Count.c` and `count.C` are one name on many computers",
            "`Count.c` 与 `count.C` 在许多计算机上是同一个名称",
        ),
        (
            "\u{e9}.c",
            "e\u{301}.c",
            "`\u{e9}.c` and `e\u{301}.c` are one name on many computers",
            "`\u{e9}.c` 与 `e\u{301}.c` 在许多计算机上是同一个名称",
        ),
        (
            "hw/a.c",
            "HW/b.c",
            "`hw` and `HW` are one name on many computers",
            "`hw` 与 `HW` 在许多计算机上是同一个名称",
        ),
        ("a.c", "a.c", "`a.c` is in it twice", "`a.c` 出现了两次"),
        ("a.c", "./a.c", "`a.c` is in it twice", "`a.c` 出现了两次"),
        (
            "a",
            "a/b.c",
            "`a` is both a file and a folder",
            "`a` 既是文件又是文件夹",
        ),
        (
            "a/b.c",
            "a",
            "`a` is both a file and a folder",
            "`a` 既是文件又是文件夹",
        ),
    ] {
        assert_refused_zip(&[stored(first, b"1"), stored(second, b"2")], en, zh);
    }
    assert_refused_zip(
        &[stored("a/", b"bytes")],
        "`a` is both a file and a folder",
        "`a` 既是文件又是文件夹",
    );
}

#[test]
fn a_file_that_is_packed_too_small_is_a_bomb() {
    assert_refused_zip(
        &[deflated("zeros.c", &vec![0; 2 << 20])],
        "`zeros.c` is more than 200 times as large as it is packed: a bomb",
        "`zeros.c` 解压后超过压缩时的 200 倍：压缩炸弹",
    );
    // What is small is no bomb, whatever its ratio.
    let done = unpacked("work.zip", &zip(&[deflated("zeros.c", &vec![0; 1 << 20])]));
    assert_eq!(done.unpacked.bytes, 1 << 20);
}

#[test]
fn entries_that_share_bytes_are_refused() {
    let kernel = deflated("a.c", &vec![b'a'; 500_000]);
    assert_refused_zip(
        &[kernel, deflated("b.c", b"b").at(0)],
        "entries in it share the same bytes, as in a bomb",
        "其中有多项共用同一段数据，如同压缩炸弹",
    );
    // The first reaches over the second, as in the bombs of D. Fifield.
    let second = stored("b.c", b"b");
    let inner = zip_parts(std::slice::from_ref(&second)).0;
    let first = stored("a.c", &inner);
    let at = 30 + 3;
    assert_refused_zip(
        &[first, second.at(at)],
        "entries in it share the same bytes, as in a bomb",
        "其中有多项共用同一段数据，如同压缩炸弹",
    );
}

#[test]
fn sizes_that_are_too_large_are_refused_before_anything_is_read() {
    assert_refused_zip(
        &[stored("a.c", b"a").stated_size((32 << 20) + 1)],
        "`a.c` is larger than 32 MiB",
        "`a.c` 大于 32 MiB",
    );
    let file = |name| stored(name, b"a").stated_size(32 << 20);
    assert_refused_zip(
        &[file("a.c"), file("b.c"), stored("c.c", b"c")],
        "its files are larger than 64 MiB together",
        "其中的文件合计大于 64 MiB",
    );
}

#[test]
fn sizes_that_are_not_the_stated_ones_are_refused() {
    for (entry, stated) in [
        (stored("a.c", b"abc"), 2),
        (stored("a.c", b"abc"), 4),
        (deflated("a.c", b"abcabcabc"), 2),
        (deflated("a.c", b"abcabcabc"), 10),
        (deflated("a.c", &vec![b'a'; 100_000]), 2),
        (deflated("a.c", b"abcabcabc"), 0),
    ] {
        assert_refused_zip(
            &[entry.stated_size(stated)],
            &format!("`a.c` is not the {stated} B that the archive states, or damaged"),
            &format!("`a.c` 与压缩包声明的 {stated} B 不符，或已损坏"),
        );
    }
    assert_refused_zip(
        &[stored("a.c", b"abc").crc(1)],
        "`a.c` is not the 3 B that the archive states, or damaged",
        "`a.c` 与压缩包声明的 3 B 不符，或已损坏",
    );
    let (en, zh) = DAMAGED;
    assert_refused_zip(&[stored("a.c", b"abc").stated_packed(4000)], en, zh);
}

#[test]
fn encrypted_and_oddly_packed_files_are_refused() {
    assert_refused_zip(
        &[stored("a.c", b"abc").flags(1)],
        "`a.c` is encrypted; hand it in without a password",
        "`a.c` 已加密，请提交不带密码的压缩包",
    );
    assert_refused_zip(
        &[stored("a.c", b"abc").method(14)],
        "`a.c` is compressed by a method that is not read; pack it as an ordinary zip",
        "`a.c` 采用了不支持的压缩方法，请按普通 zip 打包",
    );
}

#[test]
fn what_is_cut_off_is_refused() {
    let whole = zip_of("a.c", b"abc");
    let (en, zh) = DAMAGED;
    for end in [4, 30, whole.len() - 30, whole.len() - 1] {
        assert_refused("work.zip", &whole[..end], en, zh);
    }
    // The beginning is lost: nothing is where it is said to be.
    assert_refused("work.zip", &[b"PK\x03\x04", &whole[40..]].concat(), en, zh);
}

#[test]
fn an_archive_that_states_fewer_entries_than_it_has_is_refused() {
    let (mut bytes, directory) = zip_parts(&[stored("a.c", b"a"), stored("b.c", b"b")]);
    let end = zip_end(1, &directory, bytes.len() as u64);
    bytes.extend(directory);
    bytes.extend(end);
    let (en, zh) = DAMAGED;
    assert_refused("work.zip", &bytes, en, zh);
}

#[test]
fn an_archive_of_two_ends_is_refused() {
    let mut bytes = zip_of("a.c", b"a");
    // The comment holds the end of an empty archive.
    let comment = [zip_end(0, b"", 0), b"more".to_vec()].concat();
    let length = bytes.len();
    bytes[length - 2] = comment.len() as u8;
    bytes.extend(comment);
    let (en, zh) = DAMAGED;
    assert_refused("work.zip", &bytes, en, zh);
    // What was appended by a careless program is nothing to an archive.
    let appended = [zip_of("a.c", b"a"), b"<!-- saved -->".to_vec()].concat();
    assert_eq!(unpacked("work.zip", &appended).names(), ["a.c"]);
    // Nothing is listed, and something is there.
    let hidden = [b"PK\x03\x04".to_vec(), zip_end(0, b"", 0)].concat();
    assert_refused("work.zip", &hidden, en, zh);
}

#[test]
fn parts_of_split_archives_are_refused() {
    let (en, zh) = (
        "it is one part of a split archive",
        "它是分卷压缩包的一部分",
    );
    let mut bytes = zip_of("a.c", b"abc");
    let disk = bytes.len() - 22 + 4;
    bytes[disk] = 1;
    assert_refused("work.zip", &bytes, en, zh);
    bytes[disk + 2] = 1;
    assert_refused("work.zip", &bytes, en, zh);
    assert_refused("work.zip", b"PK\x07\x08PK\x03\x04", en, zh);
}

#[test]
fn absurd_numbers_of_64_bits_are_refused() {
    let (bytes, directory) = zip_parts(&[stored("a.c", b"abc")]);
    let at = bytes.len() as u64;
    let with = |entries, size, at, here| {
        let end = zip64_end(entries, size, at, here);
        [bytes.clone(), directory.clone(), end].concat()
    };
    let size = directory.len() as u64;
    let here = at + size;
    let done = unpacked("work.zip", &with(1, size, at, here));
    assert_eq!(done.names(), ["a.c"]);
    assert_refused(
        "work.zip",
        &with(u64::MAX, size, at, here),
        "it lists 18446744073709551615 entries, at most 200000",
        "其中有 18446744073709551615 项，最多 200000 项",
    );
    let (en, zh) = DAMAGED;
    for bytes in [
        with(100_000, size, at, here),
        with(100_000, u64::MAX, at, here),
        with(1, size, u64::MAX, here),
        with(1, size, at, u64::MAX),
        with(1, size, at, 0),
    ] {
        assert_refused("work.zip", &bytes, en, zh);
    }
}

#[test]
fn paths_are_neither_long_nor_deep() {
    let long = "x".repeat(60_000);
    let cut = "x".repeat(120);
    assert_refused_zip(
        &[stored(&long, b"")],
        &format!("`{cut}…` is too long a name: 60000 bytes, at most 1024"),
        &format!("名称 `{cut}…` 过长：60000 字节，最多 1024"),
    );
    assert_refused_zip(
        &[stored(&long[..256], b"")],
        &format!("`{cut}…` is too long a name: 256 bytes, at most 255"),
        &format!("名称 `{cut}…` 过长：256 字节，最多 255"),
    );
    let path = format!("{}a.c", "d/".repeat(17));
    assert_refused_zip(
        &[stored(&path, b"")],
        &format!("`{path}` lies more than 16 folders deep"),
        &format!("`{path}` 位于 16 层文件夹以下"),
    );
    let path = format!("{}a.c", "d/".repeat(16));
    assert_eq!(unpacked("work.zip", &zip_of(&path, b"")).unpacked.files, 1);
    let thousand = format!("{}a.c", "d/".repeat(1000));
    let caps = Caps {
        path: 10_000,
        ..Caps::default()
    };
    let text = refused_by("work.zip", &zip_of(&thousand, b""), &caps);
    let cut = "d/".repeat(60);
    assert_eq!(
        text.en,
        format!("`work.zip` is not unpacked: `{cut}…` lies more than 16 folders deep")
    );
}

#[test]
fn escapes_for_a_terminal_do_not_reach_it() {
    assert_refused_zip(
        &[stored("../\x1b[2J\u{202e}\n", b"")],
        "`../\\x1b[2J\\u{202e}\\n` has `..` in its path, which can lead out of the archive",
        "`../\\x1b[2J\\u{202e}\\n` 的路径中有 `..`，可能通向压缩包之外",
    );
    let done = unpacked("work.zip", &zip(&[stored("\x1b[2J", b"").mode(0o120_777)]));
    assert_eq!(
        done.passed(),
        [("\\x1b[2J", "a link, which is not followed", true)]
    );
}

#[test]
fn more_files_and_folders_than_are_looked_at_are_refused() {
    let caps = Caps {
        entries: 3,
        ..Caps::default()
    };
    let fits = [stored("a/b/c.c", b"c")];
    assert!(super::try_unpack("work.zip", &zip(&fits), &caps).is_ok());
    let one_more = [stored("a/b/c.c", b"c"), stored("d.c", b"d")];
    let text = refused_by("work.zip", &zip(&one_more), &caps);
    assert_eq!(
        (text.en.as_str(), text.zh.as_str()),
        (
            "`work.zip` is not unpacked: it holds more than 3 files and folders",
            "`work.zip` 未解压：其中的文件和文件夹多于 3 个"
        )
    );
}

#[test]
fn what_compilers_and_editors_leave_costs_nothing_and_is_listed_once() {
    let huge = |name: &str| stored(name, b"x").stated_size(900 << 20);
    let done = unpacked(
        "work.zip",
        &zip(&[
            stored("hw/a.c", b"a"),
            huge("hw/target/debug/a"),
            huge("hw/target/debug/b"),
            stored("hw/target/link", b"x").mode(0o120_777),
            huge("hw/.vs/browse.db"),
            huge(&format!("hw/.vs/{}x", "deep/".repeat(30))),
            stored("__MACOSX/hw/._a.c", b"x"),
            stored("hw/.DS_Store", b"x"),
            stored("hw/a.exe", b"x").flags(1),
        ]),
    );
    assert_eq!(done.names(), ["hw/", "hw/a.c"]);
    assert_eq!(
        done.passed(),
        [
            ("hw/target", "made by a compiler or tool", false),
            ("hw/.vs", "hidden", false),
            ("__MACOSX", "left by macOS", false),
            ("hw/.DS_Store", "hidden", false),
            ("hw/a.exe", "made by a compiler or tool", false),
        ]
    );
}
