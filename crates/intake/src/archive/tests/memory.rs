//! How much memory archives of very many entries take: each is unpacked in a process of its own, whose peak is read.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use super::super::{Caps, Failure, unpack};
use super::build::{stored, zip_end, zip64_end};

/// Where the process of its own finds its archive.
const ARCHIVE: &str = "GRADER_TEST_ARCHIVE";

/// Writes a zip archive whose directory has so many entries and which holds none of their bytes.
fn write_directory(archive: &Path, entries: u64) {
    let mut out = BufWriter::new(File::create(archive).unwrap());
    out.write_all(b"PK\x03\x04").unwrap();
    let mut size = 0;
    for i in 0..entries {
        let header = stored(format!("{i:08}"), b"").central(4);
        size += header.len() as u64;
        out.write_all(&header).unwrap();
    }
    out.write_all(&zip64_end(entries, size, 4, 4 + size))
        .unwrap();
}

/// The most memory that a process of its own took, in KiB, and what it said.
fn peak(archive: &Path) -> (u64, String) {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "archive::tests::memory::in_a_process_of_its_own"])
        .args(["--ignored", "--nocapture", "--test-threads=1"])
        .env(ARCHIVE, archive)
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    let out = String::from_utf8(child.stdout).unwrap();
    let line = |mark: &str| {
        let line = out.lines().find_map(|line| line.split_once(mark));
        line.map(|(_, rest)| rest.to_owned()).unwrap()
    };
    (line("peak in KiB: ").parse().unwrap(), line("said: "))
}

#[test]
#[ignore = "run by the other tests here, in a process of its own"]
fn in_a_process_of_its_own() {
    let archive = std::env::var_os(ARCHIVE).expect("set by the test that runs this");
    let room = tempfile::tempdir().unwrap();
    let into = room.path().join("work");
    let said = match unpack(archive.as_ref(), "work.zip", &into, &Caps::default()) {
        Err(Failure::Refused(text)) => text.en,
        other => panic!("{other:?}"),
    };
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    println!("\nsaid: {said}\npeak in KiB: {peak}");
}

#[test]
fn a_million_entries_take_no_memory() {
    let room = tempfile::tempdir().unwrap();
    let none = room.path().join("none.zip");
    fs::write(&none, [b"PK\x03\x04".to_vec(), zip_end(1, b"", 4)].concat()).unwrap();
    let (least, said) = peak(&none);
    assert_eq!(said, "`work.zip` is not unpacked: it is damaged or cut off");
    let million = room.path().join("million.zip");
    write_directory(&million, 1_000_000);
    let (most, said) = peak(&million);
    assert_eq!(
        said,
        "`work.zip` is not unpacked: it lists 1000000 entries, at most 200000"
    );
    assert!(
        most < least + 4 * 1024,
        "{most} KiB, and {least} KiB for none"
    );
    // As many as are looked at: the places of all, and nothing else of them, are held at once.
    let many = room.path().join("many.zip");
    write_directory(&many, 200_000);
    let (most, said) = peak(&many);
    assert_eq!(said, "`work.zip` is not unpacked: it is damaged or cut off");
    assert!(
        most < least + 16 * 1024,
        "{most} KiB, and {least} KiB for none"
    );
}
