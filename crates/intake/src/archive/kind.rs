//! What a file is by its first bytes.

/// A format of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A zip archive.
    Zip,
    /// A tar archive that is not compressed.
    Tar,
    /// `tar.gz`, or one file compressed by gzip.
    Gzip,
    /// Something that is not read.
    Unread(Unread),
}

/// Bytes of the beginning that [`Kind::of`] wants to see.
pub(crate) const BEGINNING: usize = 1024;

impl Kind {
    /// What a file is of which a name (escaped or not) and the beginning are known, at most [`BEGINNING`] bytes; nothing where
    /// it is no archive by its name, or has no ending and does not begin as an archive does.
    pub(crate) fn of(name: &str, beginning: &[u8]) -> Option<Self> {
        todo!()
    }
}
