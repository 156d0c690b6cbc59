//! How much an archive may be.

/// What an archive may take at most. Whatever is more refuses it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// Entries that are listed, also those that are passed over: 200 000.
    pub(crate) listed: u64,
    /// Files and folders that are written or listed as passed over, with those that only paths name: 10 000, as many
    /// as are looked at in a student's folder.
    pub(crate) entries: u64,
    /// Bytes of one file: 32 MiB.
    pub(crate) file: u64,
    /// Bytes of all files together: 64 MiB.
    pub(crate) total: u64,
    /// Bytes behind a compressed stream (`tar.gz`), also of files that are passed over: 1 GiB.
    pub(crate) stream: u64,
    /// How many times as large as what it was packed in something may be, once it is larger than
    /// [`Self::FREE_OF_RATIO`]: 200. Texts are packed to a fifth; a bomb to a thousandth.
    pub(crate) ratio: u64,
    /// Bytes of a path: 1024.
    pub(crate) path: usize,
    /// Folders inside each other: 16, as many as are looked at in a student's folder.
    pub(crate) depth: usize,
    /// Archives inside archives that are unpacked: 1. What lies deeper is refused. With nothing, archives
    /// inside are files like all others.
    pub(crate) nested: Option<usize>,
    /// Whether what lies about in folders and is nobody's program (`.git`, `target`, `__MACOSX`) is passed over, which
    /// then counts as one entry and no bytes: yes.
    pub(crate) pass_junk: bool,
    /// Whether each entry at the top, or in the one folder in which all lie, is an archive of its own, as a class's download is: what refuses one student's
    /// folder does not refuse the others', and the caps for entries and bytes hold for each: no.
    pub(crate) apart: bool,
}

impl Caps {
    /// Up to here nothing is a bomb, in bytes.
    pub(crate) const FREE_OF_RATIO: u64 = 1 << 20;
    /// Bytes of a component of a path that Linux takes.
    pub(crate) const COMPONENT: usize = 255;

    /// Caps for the download of a whole class: its archives stay packed, what is junk in it is told with the student,
    /// and each student's part is held to caps of its own: files of 256 MiB, 1 GiB together, since they may be packed
    /// or junk.
    pub(crate) fn of_class() -> Self {
        Self {
            listed: 1_000_000,
            file: 256 << 20,
            total: 1 << 30,
            stream: 64 << 30,
            nested: None,
            pass_junk: false,
            apart: true,
            ..Self::default()
        }
    }
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            listed: 200_000,
            entries: 10_000,
            file: 32 << 20,
            total: 64 << 20,
            stream: 1 << 30,
            ratio: 200,
            path: 1024,
            depth: 16,
            nested: Some(1),
            pass_junk: true,
            apart: false,
        }
    }
}
