//! Files that somebody else wrote. At their place there may be a pipe, a device or a file without an end.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use grader_model::Bytes;
use rustix::fs::OFlags;

/// The size of a text that a person or a course system wrote: tables of students, corrections, statements.
pub const MAX_TEXT: u64 = 64 << 20;

/// Opens a file for reading, if it is a regular one. Does not wait for the writer of a pipe.
///
/// # Errors
/// If it is of another kind, or cannot be opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let other = || io::Error::new(ErrorKind::InvalidInput, "it is not a regular file");
    let mut options = OpenOptions::new();
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = match options.read(true).custom_flags(flags).open(path) {
        // A socket.
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
            return Err(other());
        }
        file => file?,
    };
    let found = file.metadata()?;
    match (found.is_file(), found.is_dir()) {
        (true, _) => Ok(file),
        (_, true) => Err(ErrorKind::IsADirectory.into()),
        _ => Err(other()),
    }
}

/// The bytes of a regular file that has at most so many.
///
/// # Errors
/// If it has more, is of another kind, or cannot be read.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_regular(path)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it is larger than {}", Bytes(most));
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
/// As above, and if it is not UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_regular(path, most)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_within_its_size_is_read() {
        let path = std::env::temp_dir().join(format!("regular-{}", std::process::id()));
        std::fs::write(&path, "12345").unwrap();
        let read = |path: &str, most| {
            read_regular(Path::new(path), most).map_err(|error| error.to_string())
        };
        let name = path.to_str().unwrap();
        assert_eq!(read(name, 5), Ok(b"12345".to_vec()));
        assert_eq!(read(name, 4), Err("it is larger than 4 B".to_owned()));
        std::fs::remove_file(&path).unwrap();
        let other = "it is not a regular file".to_owned();
        assert_eq!(read("/dev/zero", 4), Err(other));
        assert_eq!(read("/", 4), Err("is a directory".to_owned()));
    }
}
