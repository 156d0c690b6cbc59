//! Case files, in the folder or its archive.

use std::collections::BTreeSet;
use std::io::{Cursor, ErrorKind, Read as _};

use grader_problem::Library;
use zip::ZipArchive;

use crate::constants::{MAX_ARCHIVE_ENTRIES, MAX_CASE_DATA, MAX_PATH_BYTES};
use crate::error::{PackageError, mistake, unsupported};

/// Reader of case files.
pub(super) struct Data<'a> {
    library: &'a dyn Library,
    archive: Option<(String, ZipArchive<Cursor<Vec<u8>>>)>,
    /// Bytes that may still be read.
    left: u64,
    /// Archive entries that were read.
    used: BTreeSet<String>,
}

impl<'a> Data<'a> {
    pub(super) fn open(
        library: &'a dyn Library,
        archive: Option<String>,
    ) -> Result<Self, PackageError> {
        let open = |name: String| {
            let name = plain(&name)?;
            let bytes = library.read(&name);
            let bytes = bytes.map_err(|error| PackageError::file(&name, error))?;
            let archive = ZipArchive::new(Cursor::new(bytes));
            let archive = archive.map_err(|error| PackageError::file(&name, error))?;
            if archive.len() > MAX_ARCHIVE_ENTRIES {
                let message = format!("the archive has more than {MAX_ARCHIVE_ENTRIES} entries");
                return mistake(&name, message);
            }
            Ok((name, archive))
        };
        Ok(Self {
            library,
            archive: archive.map(open).transpose()?,
            left: MAX_CASE_DATA.0,
            used: BTreeSet::new(),
        })
    }

    /// The names in the archive, in archive order; `None` if there is no archive.
    pub(super) fn names(&self) -> Option<Vec<String>> {
        let (_, archive) = self.archive.as_ref()?;
        let names = archive.file_names().filter_map(Result::ok);
        Some(names.map(std::borrow::Cow::into_owned).collect())
    }

    /// A note on unread archive entries.
    pub(super) fn unused(&self) -> Option<String> {
        let names = self.names()?;
        let names = names.iter().filter(|name| !name.ends_with('/'));
        let count = names.filter(|name| !self.used.contains(*name)).count();
        let (archive, _) = self.archive.as_ref().filter(|_| count > 0)?;
        Some(format!("`{archive}`: files that are not used: {count}"))
    }

    /// The bytes of a file. The folder takes precedence over the archive.
    pub(super) fn read(&mut self, path: &str) -> Result<Vec<u8>, PackageError> {
        let bytes = match (self.library.read(path), &mut self.archive) {
            (Ok(bytes), _) => bytes,
            (Err(error), Some((_, archive))) if is_absent(error.kind()) => {
                let failed = |error: &dyn std::fmt::Display| PackageError::file(path, error);
                let entry = archive.by_name(path).map_err(|error| failed(&error))?;
                let mut bytes = Vec::new();
                // Its stated size is not trusted.
                let mut capped = entry.take(self.left + 1);
                capped
                    .read_to_end(&mut bytes)
                    .map_err(|error| failed(&error))?;
                self.used.insert(path.to_owned());
                bytes
            }
            (Err(error), _) => return Err(PackageError::file(path, error)),
        };
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return unsupported(format!("the cases are larger than {MAX_CASE_DATA}"));
        };
        self.left = left;
        Ok(bytes)
    }
}

fn is_absent(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory
    )
}

/// A package path that cannot lead out of its folder, neither in the package nor in the problem.
pub(super) fn plain(path: &str) -> Result<String, PackageError> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut parts = path.split('/');
    let is_plain = parts.all(|part| !matches!(part, "" | "." | ".."))
        && path.len() <= MAX_PATH_BYTES
        && !path.contains(|c: char| matches!(c, '\\' | ':') || c.is_control());
    if is_plain {
        return Ok(path.to_owned());
    }
    let shown: String = path.chars().take(80).collect();
    mistake(
        &shown,
        "expected a path inside the package, with `/` between its parts",
    )
}

/// Ends every line with `\n`, including the last one, as DMOJ does.
pub(super) fn normal(bytes: Vec<u8>) -> Vec<u8> {
    let mut normal = Vec::with_capacity(bytes.len() + 1);
    let mut bytes = bytes.into_iter().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\r' {
            bytes.next_if_eq(&b'\n');
        }
        normal.push(if byte == b'\r' { b'\n' } else { byte });
    }
    if normal.last().is_some_and(|last| *last != b'\n') {
        normal.push(b'\n');
    }
    normal
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use grader_problem::MemoryLibrary;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn a_file_of_the_folder_goes_before_one_of_the_archive_and_bytes_are_counted() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in [("1.in", "packed"), ("2.in", "packed")] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        let zip = zip.finish().unwrap().into_inner();
        let mut library = MemoryLibrary::default();
        library.insert("q.zip", zip);
        library.insert("1.in", b"plain".to_vec());
        let mut data = Data::open(&library, Some("q.zip".to_owned())).unwrap();
        data.left = 15;
        assert_eq!(data.read("1.in").unwrap(), b"plain");
        assert_eq!(
            data.unused().unwrap(),
            "`q.zip`: files that are not used: 2"
        );
        assert_eq!(data.read("2.in").unwrap(), b"packed");
        let error = data.read("2.in").unwrap_err().to_string();
        assert_eq!(error, "the cases are larger than 512 MiB");
        let error = data.read("3.in").unwrap_err().to_string();
        assert!(error.starts_with("`3.in`: "), "{error}");
    }

    #[test]
    fn lines_end_the_same() {
        assert_eq!(normal(b"a\r\nb\rc\r\r\nd".to_vec()), b"a\nb\nc\n\nd\n");
        assert_eq!(normal(Vec::new()), b"");
    }
}
