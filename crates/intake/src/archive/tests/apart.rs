//! What only a process of its own can show: how much memory archives of very many entries take, and a disk that is full.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::{Caps, Failure, unpack};
use super::build::{stored, zip, zip64_end};

/// Where the process of its own finds its archive.
const ARCHIVE: &str = "GRADER_TEST_ARCHIVE";
/// And the folder to work in.
const ROOM: &str = "GRADER_TEST_ROOM";

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

/// A process that unpacks one archive into a folder in `room`.
fn unpacking(archive: &Path, room: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "archive::tests::apart::in_a_process_of_its_own"])
        .args(["--ignored", "--nocapture", "--test-threads=1"])
        .env(ARCHIVE, archive)
        .env(ROOM, room);
    command
}

/// What a process said, and the most memory that it took, in KiB.
fn outcome(command: &mut Command) -> (String, u64) {
    let child = command.output().unwrap();
    assert!(child.status.success(), "{child:?}");
    let out = String::from_utf8(child.stdout).unwrap();
    let line = |mark: &str| {
        let line = out.lines().find_map(|line| line.split_once(mark));
        line.map(|(_, rest)| rest.to_owned()).unwrap()
    };
    (line("said: "), line("peak in KiB: ").parse().unwrap())
}

#[test]
#[ignore = "run by the other tests here, in a process of its own"]
fn in_a_process_of_its_own() {
    let [archive, room] = [ARCHIVE, ROOM].map(|name| {
        let value = std::env::var_os(name).expect("set by the test that runs this");
        PathBuf::from(value)
    });
    let said = match unpack(&archive, "work.zip", &room.join("work"), &Caps::default()) {
        Err(Failure::Refused(text)) => format!("refused: {}", text.en),
        Err(Failure::Ours(text)) => format!("ours: {}", text.en),
        Ok(unpacked) => format!("unpacked: {} files", unpacked.files),
    };
    let left = fs::read_dir(&room).unwrap().count();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    println!("\nsaid: {said}; {left} left\npeak in KiB: {peak}");
}

#[test]
fn a_million_entries_take_no_memory() {
    let room = tempfile::tempdir().unwrap();
    let (archive, into) = (room.path().join("work.zip"), room.path().join("into"));
    fs::create_dir(&into).unwrap();
    let peak = || outcome(&mut unpacking(&archive, &into));
    let damaged = "refused: `work.zip` is not unpacked: it is damaged or cut off; 0 left";
    fs::write(&archive, b"PK\x03\x04").unwrap();
    let (said, none) = peak();
    assert_eq!(said, damaged);
    write_directory(&archive, 1_000_000);
    let (said, million) = peak();
    assert_eq!(
        said,
        "refused: `work.zip` is not unpacked: it lists 1000000 entries, at most 200000; 0 left"
    );
    assert!(million < none + 4096, "{million} KiB, and {none} for none");
    // As many as are looked at: of all of them only the places are held at once.
    write_directory(&archive, 200_000);
    let (said, many) = peak();
    assert_eq!(said, damaged);
    assert!(many < none + 16_384, "{many} KiB, and {none} for none");
}

#[test]
fn a_full_disk_is_told_of_this_machine() {
    let room = tempfile::tempdir().unwrap();
    let (archive, into) = (room.path().join("work.zip"), room.path().join("into"));
    fs::create_dir(&into).unwrap();
    let large = stored("b.c", &vec![b'b'; 1 << 20]);
    fs::write(&archive, zip(&[stored("a.c", b"a"), large])).unwrap();
    let mount = "mount -t tmpfs -o size=64k none \"$GRADER_TEST_ROOM\"";
    let namespace = ["--user", "--map-root-user", "--mount", "sh", "-c"];
    let in_namespace = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(namespace).arg(script);
        command.env(ROOM, &into);
        command
    };
    if !in_namespace(mount)
        .status()
        .is_ok_and(|status| status.success())
    {
        eprintln!("skipped: no small disk can be mounted here");
        return;
    }
    let script = format!("{mount} && exec \"$0\" \"$@\"");
    let plain = unpacking(&archive, &into);
    let mut command = in_namespace(&script);
    // The program and its arguments, without the shell that starts it.
    command
        .args(plain.get_args().skip(2))
        .env(ARCHIVE, &archive);
    let (said, _) = outcome(&mut command);
    assert_eq!(
        said,
        "ours: `work.zip` cannot be unpacked on this machine: No space left on device (os error \
         28); 0 left"
    );
}
