//! Hostile tar archives, and what gzip compressed.

use super::build::{gzip, pax, tar, tar_entry, tar_entry_that_states};
use super::{Caps, assert_refused, refused_by, unpacked};

const DAMAGED: (&str, &str) = ("it is damaged or cut off", "压缩包已损坏或不完整");

#[track_caller]
fn assert_refused_tar(entries: &[Vec<u8>], en: &str, zh: &str) {
    assert_refused("work.tar", &tar(entries), en, zh);
    assert_refused("work.tar.gz", &gzip(&tar(entries)), en, zh);
}

#[test]
fn files_and_folders_are_unpacked() {
    let long = format!("hw/{}.c", "x".repeat(150));
    let bytes = tar(&[
        tar_entry(b'5', b"./", b""),
        tar_entry(b'g', b"global", b"18 comment=hello!\n"),
        tar_entry(b'0', b"./hw/a.c", b"a"),
        tar_entry(0, b"old/", b""),
        tar_entry(b'L', b"././@LongLink", format!("{long}\0").as_bytes()),
        tar_entry(b'0', b"cut", b"b"),
        pax("path", "hw/八皇后.c"),
        tar_entry(b'0', b"cut", b"c"),
    ]);
    for (name, bytes) in [
        ("work.tar", bytes.clone()),
        ("work.TGZ", gzip(&bytes)),
        ("work", bytes.clone()),
    ] {
        let done = unpacked(name, &bytes);
        assert_eq!(
            done.names(),
            ["hw/", "hw/a.c", &long, "hw/八皇后.c", "old/"]
        );
        assert_eq!(done.notes(), [""; 0]);
    }
}

#[test]
fn no_path_leads_out_of_the_archive() {
    let upwards = (
        "`../x` has `..` in its path, which can lead out of the archive",
        "`../x` 的路径中有 `..`，可能通向压缩包之外",
    );
    for entries in [
        vec![tar_entry(b'0', b"../x", b"x")],
        vec![
            tar_entry(b'L', b"././@LongLink", b"../x"),
            tar_entry(b'0', b"x", b"x"),
        ],
        vec![pax("path", "../x"), tar_entry(b'0', b"x", b"x")],
        vec![tar_entry(b'2', b"../x", b"")],
        vec![tar_entry(b'5', b"../x", b"")],
    ] {
        assert_refused_tar(&entries, upwards.0, upwards.1);
    }
    assert_refused_tar(
        &[tar_entry(b'0', b"/etc/x", b"x")],
        "`/etc/x` is an absolute path, which leads out of the archive",
        "`/etc/x` 是绝对路径，通向压缩包之外",
    );
}

#[test]
fn links_and_devices_are_passed_over() {
    let done = unpacked(
        "work.tar",
        &tar(&[
            tar_entry(b'0', b"a.c", b"a"),
            tar_entry(b'1', b"hard", b""),
            tar_entry(b'2', b"node_modules/.bin/x", b""),
            tar_entry(b'2', b"soft", b""),
            tar_entry(b'3', b"char", b""),
            tar_entry(b'4', b"block", b""),
            tar_entry(b'6', b"pipe", b""),
            tar_entry(b'?', b"unknown", b"bytes"),
            tar_entry(b'0', b"b.c", b"b"),
        ]),
    );
    assert_eq!(done.names(), ["a.c", "b.c"]);
    assert_eq!(
        done.passed(),
        [
            ("node_modules", "made by a compiler or tool", false),
            ("soft", "a link, which is not followed", true),
            ("char", "not a regular file", true),
            ("block", "not a regular file", true),
            ("pipe", "not a regular file", true),
            ("unknown", "not a regular file", true),
        ]
    );
    assert_eq!(
        done.refused(),
        [(
            "hard",
            "`hard` is not unpacked: it is a hard link to `/etc/passwd`, which is not in the archive before it"
        )]
    );
}

#[test]
fn a_second_name_of_a_file_in_the_archive_is_a_copy_of_it() {
    let done = unpacked(
        "work.tar",
        &tar(&[
            tar_entry(b'0', b"hw/main.c", b"int"),
            pax("linkpath", "hw/main.c"),
            tar_entry(b'1', b"hw/count.c", b""),
            tar_entry(b'K', b"././@LongLink", b"hw/count.c\0"),
            tar_entry(b'1', b"board.c", b""),
            pax("linkpath", "hw"),
            tar_entry(b'1', b"folder", b""),
            pax("linkpath", "hw/later.c"),
            tar_entry(b'1', b"early", b""),
            pax("linkpath", "../a/b/work.tar"),
            tar_entry(b'1', b"out", b""),
            tar_entry(b'0', b"hw/later.c", b""),
        ]),
    );
    let file = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
    assert_eq!(
        done.files,
        [
            file("board.c", b"int"),
            file("hw/", b""),
            file("hw/count.c", b"int"),
            file("hw/later.c", b""),
            file("hw/main.c", b"int"),
        ]
    );
    let refused: Vec<&str> = done.refused().iter().map(|(path, _)| *path).collect();
    assert_eq!(refused, ["folder", "early", "out"]);
}

#[test]
fn copies_count_as_what_they_take() {
    let mut entries = vec![tar_entry(b'0', b"a", &[0; 1 << 20])];
    for number in 0..64 {
        entries.push(pax("linkpath", "a"));
        entries.push(tar_entry(b'1', format!("{number}").as_bytes(), b""));
    }
    assert_refused(
        "work.tar",
        &tar(&entries),
        "its files are larger than 64 MiB together",
        "其中的文件合计大于 64 MiB",
    );
}

#[test]
fn nothing_is_written_through_a_link() {
    for kind in [b'1', b'2'] {
        assert_refused_tar(
            &[
                tar_entry(kind, b"link", b""),
                tar_entry(b'0', b"link/x", b"x"),
            ],
            "`link/x` lies below `link`, which is no folder",
            "`link/x` 位于 `link` 之下，而后者不是文件夹",
        );
        assert_refused_tar(
            &[
                tar_entry(kind, b"link", b""),
                tar_entry(b'0', b"link", b"x"),
            ],
            "`link` is in it twice",
            "`link` 出现了两次",
        );
    }
}

#[test]
fn sparse_files_are_refused() {
    let (en, zh) = (
        "`a` is a sparse file, which is not read",
        "`a` 是稀疏文件，不予读取",
    );
    assert_refused_tar(&[tar_entry(b'S', b"a", b"x")], en, zh);
    assert_refused_tar(
        &[pax("GNU.sparse.major", "1"), tar_entry(b'0', b"a", b"x")],
        en,
        zh,
    );
}

#[test]
fn sizes_that_lie_are_refused() {
    assert_refused_tar(
        &[tar_entry_that_states(b'0', b"a", b"x", 5 << 30)],
        "`a` is larger than 32 MiB",
        "`a` 大于 32 MiB",
    );
    assert_refused_tar(
        &[tar_entry_that_states(b'0', b"a", b"x", 1 << 20)],
        "`a` is not the 1 MiB that the archive states, or damaged",
        "`a` 与压缩包声明的 1 MiB 不符，或已损坏",
    );
    assert_refused_tar(
        &[pax("size", "512"), tar_entry(b'0', b"a", b"x")],
        "`a` is not the 1 B that the archive states, or damaged",
        "`a` 与压缩包声明的 1 B 不符，或已损坏",
    );
    assert_refused_tar(
        &[tar_entry(b'5', b"a", b"x")],
        "`a` is both a file and a folder",
        "`a` 既是文件又是文件夹",
    );
    let (en, zh) = DAMAGED;
    // A name that states to be as long as memory.
    let name = tar_entry_that_states(b'L', b"././@LongLink", b"x", 7 << 30);
    assert_refused_tar(&[name, tar_entry(b'0', b"a", b"x")], en, zh);
    // A name for nothing.
    assert_refused_tar(&[pax("path", "a")], en, zh);
}

#[test]
fn paths_are_neither_long_nor_deep() {
    let cut = "x".repeat(120);
    assert_refused_tar(
        &[
            pax("path", &"x".repeat(100_000)),
            tar_entry(b'0', b"a", b"x"),
        ],
        &format!("`{cut}…` is too long a name: 100000 bytes, at most 1024"),
        &format!("名称 `{cut}…` 过长：100000 字节，最多 1024"),
    );
    let path = format!("{}a", "d/".repeat(17));
    assert_refused_tar(
        &[pax("path", &path), tar_entry(b'0', b"a", b"x")],
        &format!("`{path}` lies more than 16 folders deep"),
        &format!("`{path}` 位于 16 层文件夹以下"),
    );
}

#[test]
fn what_is_cut_off_is_refused() {
    let entry = tar_entry(b'0', b"a.c", &[b'a'; 600]);
    let whole = tar(&[entry.clone(), tar_entry(b'0', b"b.c", b"b")]);
    let (en, zh) = DAMAGED;
    for end in [512 + 1024, 512 + 1024 + 100, 512 + 1024 + 1024] {
        assert_refused("work.tar", &whole[..end], en, zh);
    }
    assert_refused(
        "work.tar",
        &whole[..512 + 300],
        "`a.c` is not the 600 B that the archive states, or damaged",
        "`a.c` 与压缩包声明的 600 B 不符，或已损坏",
    );
    let packed = gzip(&whole);
    for end in [3, 15, packed.len() - 1] {
        assert_refused("work.tgz", &packed[..end], en, zh);
    }
}

#[test]
fn a_stream_without_end_is_refused() {
    let endless = [tar(&[tar_entry(b'0', b"a.c", b"a")]), vec![0; 2 << 20]].concat();
    assert_refused(
        "work.tgz",
        &gzip(&endless),
        "it is more than 200 times as large uncompressed: a bomb",
        "解压后超过压缩时的 200 倍：压缩炸弹",
    );
    // The same where something that is passed over is the bomb.
    let junk = tar(&[tar_entry(b'0', b"a.exe", &vec![0; 2 << 20])]);
    assert_refused(
        "work.tgz",
        &gzip(&junk),
        "it is more than 200 times as large uncompressed: a bomb",
        "解压后超过压缩时的 200 倍：压缩炸弹",
    );
    let caps = Caps {
        stream: 2 << 20,
        ratio: 2000,
        ..Caps::default()
    };
    let text = refused_by("work.tgz", &gzip(&junk), &caps);
    assert_eq!(
        (text.en.as_str(), text.zh.as_str()),
        (
            "`work.tgz` is not unpacked: it is larger than 2 MiB uncompressed",
            "`work.tgz` 未解压：解压后大于 2 MiB"
        )
    );
    let caps = Caps {
        listed: 10,
        ..Caps::default()
    };
    let comments: Vec<_> = (0..11).map(|_| tar_entry(b'g', b"g", b"")).collect();
    let text = refused_by("work.tar", &tar(&comments), &caps);
    assert_eq!(
        text.en,
        "`work.tar` is not unpacked: it lists 11 entries, at most 10"
    );
}

#[test]
fn a_file_that_gzip_compressed_gets_the_name_without_the_ending() {
    let done = unpacked("count.c.gz", &gzip(b"int"));
    assert_eq!(done.files, [("count.c".to_owned(), b"int".to_vec())]);
    assert_refused(
        "work.tar.gz",
        &gzip(b"int"),
        "there is no tar archive in it",
        "其中没有 tar 归档",
    );
    assert_refused(
        "zeros.c.gz",
        &gzip(&vec![0; 2 << 20]),
        "it is more than 200 times as large uncompressed: a bomb",
        "解压后超过压缩时的 200 倍：压缩炸弹",
    );
}

#[test]
fn members_of_gzip_are_one_stream_and_what_follows_is_told() {
    let two = [gzip(b"int "), gzip(b"x;")].concat();
    let done = unpacked("a.c.gz", &two);
    assert_eq!(done.files, [("a.c".to_owned(), b"int x;".to_vec())]);
    assert_eq!(done.notes(), [""; 0]);
    let padded = [two.clone(), vec![0; 100]].concat();
    assert_eq!(unpacked("a.c.gz", &padded).notes(), [""; 0]);
    let followed = [two, b"garbage".to_vec()].concat();
    let note = "`a.c.gz` goes on after its end; what follows was passed over";
    assert_eq!(unpacked("a.c.gz", &followed).notes(), [note]);
    let whole = tar(&[tar_entry(b'0', b"a.c", b"a")]);
    let followed = [gzip(&whole), b"garbage".to_vec()].concat();
    let note = "`a.tgz` goes on after its end; what follows was passed over";
    assert_eq!(unpacked("a.tgz", &followed).notes(), [note]);
    let two = [whole.clone(), whole].concat();
    let note = "`a.tar` goes on after its end; what follows was passed over";
    assert_eq!(unpacked("a.tar", &two).notes(), [note]);
}

#[test]
fn members_of_nothing_without_end_are_refused() {
    let (en, zh) = DAMAGED;
    let members = gzip(b"").repeat(100_001);
    assert_refused("a.c.gz", &[gzip(b"int"), members].concat(), en, zh);
}
