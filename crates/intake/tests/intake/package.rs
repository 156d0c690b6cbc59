//! An author's archive: all of it is unpacked, or none.

use std::fs;

use grader_intake::unpack_package;

use crate::build::{ZipEntry, deflated, gzip, pax, stored, tar, tar_entry, zip};

/// The paths of the files that are unpacked from an archive of this name, or the message.
fn unpacked(name: &str, archive: &[u8]) -> Result<(String, Vec<String>), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, archive).unwrap();
    let scratch = folder.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    let shown = format!("{}/", folder.path().display());
    let (inner, name) =
        unpack_package(&path, &scratch).map_err(|error| error.to_string().replace(&shown, ""))?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&inner).unwrap() {
        files.push(entry.unwrap().file_name().into_string().unwrap());
    }
    files.sort();
    Ok((name, files))
}

#[test]
fn a_single_folder_is_the_package_and_names_may_be_in_gbk() {
    let (gbk, _, _) = encoding_rs::GBK.encode("题面.md");
    let inner = [b"sum/", &*gbk].concat();
    let whole = zip(&[
        stored("sum/1.in", b"1"),
        stored(inner, b"x"),
        stored("__MACOSX/sum/._1.in", b"x"),
        stored(".DS_Store", b"x"),
    ]);
    let files = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
    let expected = ("a.plus.b".to_owned(), files(&["1.in", "题面.md"]));
    assert_eq!(unpacked("a.plus.b.zip", &whole), Ok(expected));
    let flat = gzip(&tar(&[
        tar_entry(b'0', b"1.in", b"1"),
        tar_entry(b'0', b"sum/1.in", b"1"),
    ]));
    let expected = ("sum".to_owned(), files(&["1.in", "sum"]));
    assert_eq!(unpacked("sum.tar.gz", &flat), Ok(expected));
    // One number, a million times.
    let large = zip(&[deflated("1.in", &b"1 ".repeat(1 << 20))]);
    let expected = ("sum".to_owned(), files(&["1.in"]));
    assert_eq!(unpacked("sum.zip", &large), Ok(expected));
}

#[test]
fn an_archive_that_lacks_a_part_is_refused() {
    let test = stored("1.in", b"1");
    let with = |entry: ZipEntry| zip(&[test.clone(), entry]);
    let many = vec![tar_entry(b'5', b"a/", b""); 100_001];
    for (archive, message) in [
        (b"1\n".to_vec(), "it is neither a zip nor a tar archive"),
        (Vec::new(), "it is empty"),
        (
            b"Rar!\x1a\x07\x01\0".to_vec(),
            "RAR is not supported: submit a zip, or the files themselves (`bsdtar -xf FILE` unpacks it)",
        ),
        (
            zip(std::slice::from_ref(&test))[..40].to_vec(),
            "it is damaged or cut off",
        ),
        (
            with(stored("../../slip", b"x")),
            "`../../slip`: its path contains `..`",
        ),
        (
            with(stored("link", b"/etc/passwd").mode(0o120_777)),
            "`link`: a link, which is not followed",
        ),
        (
            with(stored("1.out", b"x").flags(1)),
            "`1.out`: it is encrypted; submit it without a password",
        ),
        (
            with(stored("1.in", b"2")),
            "`1.in`: another entry has the same name",
        ),
        (
            with(deflated("bomb", b"x").stated_size(65 << 20)),
            "`bomb`: it is more than 200 times as large as it is packed",
        ),
        (
            with(stored("\u{1b}]0;x/../y", b"x")),
            r"`\x1b]0;x/../y`: its path contains `..`",
        ),
        (
            gzip(&tar(&[pax("path", "../slip"), tar_entry(b'0', b"x", b"x")])),
            "`../slip`: its path contains `..`",
        ),
        (tar(&many), "it holds more than 100000 files and folders"),
    ] {
        let message = format!("`sum.gz` is not unpacked: {message}");
        assert_eq!(unpacked("sum.gz", &archive), Err(message));
    }
}
