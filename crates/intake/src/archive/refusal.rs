//! Why an archive is not unpacked.

use std::io;

use grader_model::{Bytes, Text};

use super::kind::Unread;
use crate::reason;

/// Why an archive as a whole is not unpacked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// By what it is: hostile, ambiguous, damaged, or of a format that is not read. One sentence that names the
    /// archive.
    Refused(Text),
    /// This machine failed: the disk is full, the archive cannot be read. It may be well; no mistake of the student's.
    Ours(Text),
}

/// Why unpacking stops.
#[derive(Debug)]
pub(super) enum Stop {
    /// By what the archive is.
    Refused(Cause),
    /// By what this machine is.
    Ours(io::Error),
}

impl Stop {
    /// The failure of the archive of this name, which is escaped.
    pub(super) fn failure(self, archive: &str) -> Failure {
        match self {
            Self::Refused(cause) => Failure::Refused(cause.sentence(archive)),
            Self::Ours(error) => Failure::Ours(Text::new(
                format!("`{archive}` cannot be unpacked on this machine: {error}"),
                format!("`{archive}` 无法在本机解压：{}", reason::in_chinese(&error)),
            )),
        }
    }
}

impl From<Cause> for Stop {
    fn from(cause: Cause) -> Self {
        Self::Refused(cause)
    }
}

/// What is wrong with an archive. Paths are escaped.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A path with `..`.
    Upwards(String),
    /// A path that begins at the root.
    Absolute(String),
    /// A path that begins at a drive.
    Drive(String),
    /// A null byte in a name.
    Null(String),
    /// An entry without a name.
    NoName,
    /// A path, or one name in it, that is too long.
    LongPath {
        path: String,
        bytes: usize,
        most: usize,
    },
    /// It lies too deep.
    Deep { path: String, most: usize },
    /// Two entries of one path.
    Twice(String),
    /// Two paths that some file systems take for one.
    Alike(String, String),
    /// One path for a file and a folder.
    FileAndFolder(String),
    /// A path through a link or the like.
    Through { path: String, below: String },
    /// It needs a password.
    Encrypted(String),
    /// It is compressed in a way that is not read.
    Method(String),
    /// A part of an archive in several files.
    Split,
    /// More entries than are looked at.
    Lists { entries: u64, most: u64 },
    /// More files and folders than are written.
    Many(u64),
    /// A file that is too large, or states that it is.
    Large { path: String, most: u64 },
    /// All files together are too large.
    Total(u64),
    /// What is behind the compression is too large.
    Stream(u64),
    /// A file much larger than it is packed.
    Bomb { path: String, ratio: u64 },
    /// The whole is much larger than it is packed.
    StreamBomb(u64),
    /// Entries that share bytes of the archive.
    Overlap,
    /// A file that is not what is stated of it: by its size or its checksum.
    Mismatch { path: String, stated: u64 },
    /// The archive ends early, or makes no sense; where, if that is known.
    Damaged(Option<String>),
    /// A file with holes in it.
    Sparse(String),
    /// By its name there should be a tar archive behind the compression.
    NoTar,
    /// It is of another format.
    Unread(Unread),
}

impl Cause {
    /// The sentence for the archive of this name, which is escaped.
    pub(super) fn sentence(&self, archive: &str) -> Text {
        let Text { en, zh } = self.text();
        Text::new(
            format!("`{archive}` is not unpacked: {en}"),
            format!("`{archive}` 未解压：{zh}"),
        )
    }

    fn text(&self) -> Text {
        let (en, zh) = match self {
            Self::Upwards(path) => (
                format!("`{path}` has `..` in its path, which can lead out of the archive"),
                format!("`{path}` 的路径中有 `..`，可能通向压缩包之外"),
            ),
            Self::Absolute(path) => (
                format!("`{path}` is an absolute path, which leads out of the archive"),
                format!("`{path}` 是绝对路径，通向压缩包之外"),
            ),
            Self::Drive(path) => (
                format!("`{path}` begins with a drive letter, which leads out of the archive"),
                format!("`{path}` 以盘符开头，通向压缩包之外"),
            ),
            Self::Null(path) => (
                format!("`{path}` has a null byte in its name"),
                format!("`{path}` 的名称中有空字节"),
            ),
            Self::NoName => ("an entry has no name".into(), "有一项没有名称".into()),
            Self::LongPath { path, bytes, most } => (
                format!("`{path}` is too long a name: {bytes} bytes, at most {most}"),
                format!("名称 `{path}` 过长：{bytes} 字节，最多 {most}"),
            ),
            Self::Deep { path, most } => (
                format!("`{path}` lies more than {most} folders deep"),
                format!("`{path}` 位于 {most} 层文件夹以下"),
            ),
            Self::Twice(path) => (
                format!("`{path}` is in it twice"),
                format!("`{path}` 出现了两次"),
            ),
            Self::Alike(a, b) => (
                format!("`{a}` and `{b}` are one name on many computers"),
                format!("`{a}` 与 `{b}` 在许多计算机上是同一个名称"),
            ),
            Self::FileAndFolder(path) => (
                format!("`{path}` is both a file and a folder"),
                format!("`{path}` 既是文件又是文件夹"),
            ),
            Self::Through { path, below } => (
                format!("`{path}` lies below `{below}`, which is no folder"),
                format!("`{path}` 位于 `{below}` 之下，而后者不是文件夹"),
            ),
            Self::Encrypted(path) => (
                format!("`{path}` is encrypted; hand it in without a password"),
                format!("`{path}` 已加密，请提交不带密码的压缩包"),
            ),
            Self::Method(path) => (
                format!(
                    "`{path}` is compressed by a method that is not read; pack it as an ordinary zip"
                ),
                format!("`{path}` 采用了不支持的压缩方法，请按普通 zip 打包"),
            ),
            Self::Split => (
                "it is one part of a split archive".into(),
                "它是分卷压缩包的一部分".into(),
            ),
            Self::Sparse(path) => (
                format!("`{path}` is a sparse file, which is not read"),
                format!("`{path}` 是稀疏文件，不予读取"),
            ),
            Self::NoTar => (
                "there is no tar archive in it".into(),
                "其中没有 tar 归档".into(),
            ),
            Self::Damaged(None) => (
                "it is damaged or cut off".into(),
                "压缩包已损坏或不完整".into(),
            ),
            Self::Damaged(Some(path)) => (
                format!("it is damaged or cut off at `{path}`"),
                format!("压缩包在 `{path}` 处损坏或不完整"),
            ),
            Self::Mismatch { path, stated } => {
                let stated = Bytes(*stated);
                (
                    format!("`{path}` is not the {stated} that the archive states, or damaged"),
                    format!("`{path}` 与压缩包声明的 {stated} 不符，或已损坏"),
                )
            }
            Self::Unread(unread) => return unread.text(),
            Self::Lists { .. }
            | Self::Many(_)
            | Self::Large { .. }
            | Self::Total(_)
            | Self::Stream(_)
            | Self::Bomb { .. }
            | Self::StreamBomb(_)
            | Self::Overlap => return self.too_much(),
        };
        Text::new(en, zh)
    }

    /// Those by which archives are too much.
    fn too_much(&self) -> Text {
        let (en, zh) = match self {
            Self::Lists { entries, most } => (
                format!("it lists {entries} entries, at most {most}"),
                format!("其中有 {entries} 项，最多 {most} 项"),
            ),
            Self::Many(most) => (
                format!("it holds more than {most} files and folders"),
                format!("其中的文件和文件夹多于 {most} 个"),
            ),
            Self::Large { path, most } => {
                let most = Bytes(*most);
                (
                    format!("`{path}` is larger than {most}"),
                    format!("`{path}` 大于 {most}"),
                )
            }
            Self::Total(most) => {
                let most = Bytes(*most);
                (
                    format!("its files are larger than {most} together"),
                    format!("其中的文件合计大于 {most}"),
                )
            }
            Self::Stream(most) => {
                let most = Bytes(*most);
                (
                    format!("it is larger than {most} uncompressed"),
                    format!("解压后大于 {most}"),
                )
            }
            Self::Bomb { path, ratio } => (
                format!("`{path}` is more than {ratio} times as large as it is packed: a bomb"),
                format!("`{path}` 解压后超过压缩时的 {ratio} 倍：压缩炸弹"),
            ),
            Self::StreamBomb(ratio) => (
                format!("it is more than {ratio} times as large uncompressed: a bomb"),
                format!("解压后超过压缩时的 {ratio} 倍：压缩炸弹"),
            ),
            _ => (
                "entries in it share the same bytes, as in a bomb".into(),
                "其中有多项共用同一段数据，如同压缩炸弹".into(),
            ),
        };
        Text::new(en, zh)
    }
}
