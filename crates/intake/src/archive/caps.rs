//! How much an archive may hold.

/// Most that is unpacked of one archive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// Files, folders and other entries.
    pub(crate) entries: u64,
    /// Bytes of one file.
    pub(crate) file: u64,
    /// Bytes of all files together.
    pub(crate) total: u64,
    /// Bytes up to which nothing is a bomb.
    pub(crate) free_of_ratio: u64,
    /// Bytes behind a compressed stream (`tar.gz`), including those of files that are skipped.
    pub(crate) stream: u64,
    /// Whether build folders and the like (`.git`, `target`, `__MACOSX`) are left out.
    pub(crate) skip_junk: bool,
}

impl Caps {
    /// Most folders inside each other.
    pub(crate) const DEPTH: usize = 16;
    /// How many times as large as its packed form something may be. Texts reach 5, a bomb 1000.
    pub(super) const RATIO: u64 = 200;
    /// KiB of memory to unpack xz: more than `xz -9` asks for, and much less than a student may.
    pub(super) const XZ_KIB: u32 = 80 << 10;

    /// For everything that one student submits.
    pub(crate) const STUDENT: Self = Self {
        entries: 10_000,
        file: 32 << 20,
        total: 64 << 20,
        free_of_ratio: 1 << 20,
        stream: 1 << 30,
        skip_junk: true,
    };

    /// For the download of a whole class. Students' own archives in it stay packed, and junk is reported with the student.
    pub(crate) const CLASS: Self = Self {
        entries: 1_000_000,
        file: 256 << 20,
        total: 64 << 30,
        free_of_ratio: 1 << 20,
        stream: 64 << 30,
        skip_junk: false,
    };

    /// For the package of a problem: a large test may be one number, a million times.
    pub(crate) const PACKAGE: Self = Self {
        entries: 100_000,
        file: 256 << 20,
        total: 2 << 30,
        free_of_ratio: 64 << 20,
        stream: 2 << 30,
        skip_junk: false,
    };

    /// Most bytes that something of this packed size may unpack to.
    pub(super) fn unpacked(&self, packed: u64) -> u64 {
        packed.saturating_mul(Self::RATIO).max(self.free_of_ratio)
    }
}
