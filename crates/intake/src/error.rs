//! Why nothing could be taken in.

use std::io;
use std::path::Path;
use std::sync::Arc;

use grader_lms::Layout;
use grader_model::{Bytes, ProblemId, Text};

use crate::reason;

/// A mistake in what was named on the command line, never one inside a student's folder.
///
/// Paths and names in messages are escaped.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// There is nothing of this name.
    #[error("there is no `{0}`")]
    Missing(String),
    /// The class is neither a folder nor an archive.
    #[error("expected a folder of student folders, or an archive of it, but `{0}` is neither")]
    NotAFolder(String),
    /// The class holds nothing that could be a student's.
    #[error("no students in `{path}`: expected {known}", path = .0, known = Layout::known())]
    NoStudents(String),
    /// The class holds nothing at all.
    #[error("expected a folder of student folders, but `{0}` is empty")]
    Empty(String),
    /// Nothing in the class has the form that was asked for.
    #[error("expected {}, but nothing in `{path}` looks like it", .layout.text().en)]
    NotOfLayout {
        /// The class.
        path: String,
        /// What was asked for.
        layout: Layout,
    },
    /// The archive of the class cannot be used.
    #[error("cannot read the class `{path}`: {}", .reason.en)]
    Archive {
        /// The archive.
        path: String,
        /// Why.
        reason: Text,
    },
    /// It exists, but cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Read {
        /// The file or folder.
        path: String,
        /// Why. It stands in the message, and is therefore not the error's source too.
        error: Arc<io::Error>,
    },
    /// No file was named.
    #[error("no file was named")]
    NoFiles,
    /// The assignment has no such problem.
    #[error("there is no problem `{id}`; known are {known}")]
    UnknownProblem {
        /// What was asked for.
        id: ProblemId,
        /// The problems.
        known: String,
    },
    /// A name fits no problem.
    #[error("`{path}` fits no problem; expected are {expected}")]
    NoProblem {
        /// What was named.
        path: String,
        /// The problems and their patterns.
        expected: String,
    },
    /// A folder holds several programs for one problem, and nobody knows which is meant.
    #[error("`{path}`: {}", reason.en)]
    SeveralPrograms {
        /// The folder that was named.
        path: String,
        /// Which they are, and what to do.
        reason: Text,
    },
    /// A file is not a program.
    #[error("`{path}` is not a source file of an accepted language; accepted are {accepted}")]
    NotAccepted {
        /// The file.
        path: String,
        /// Endings of names that are accepted.
        accepted: String,
    },
    /// There are no source files.
    #[error("`{path}` holds no source file of an accepted language; accepted are {accepted}")]
    NoSources {
        /// The folder or file.
        path: String,
        /// Endings of names that are accepted.
        accepted: String,
    },
    /// Two files of one submission have the same name.
    #[error("two files of the submission for `{problem}` are named `{name}`")]
    SameName {
        /// The problem.
        problem: ProblemId,
        /// The name.
        name: String,
    },
    /// All files together are larger than the problem allows.
    #[error("the submission for `{problem}` is too large: {size}, at most {most}")]
    TooLarge {
        /// The problem.
        problem: ProblemId,
        /// How large.
        size: Bytes,
        /// The most that is allowed.
        most: Bytes,
    },
    /// A pattern of a problem file is no pattern. The loader of problem files refuses these.
    #[error("problem `{problem}`: `{pattern}` is not a file pattern: {error}")]
    Pattern {
        /// The problem.
        problem: ProblemId,
        /// The pattern.
        pattern: String,
        /// Why. It stands in the message, and is therefore not the error's source too.
        error: globset::Error,
    },
}

impl IntakeError {
    /// The message in both languages; in English it is what [`Display`](std::fmt::Display) says.
    pub fn text(&self) -> Text {
        let chinese = match self {
            Self::Missing(path) => format!("`{path}` 不存在"),
            Self::NotAFolder(path) => {
                format!("应为存放学生文件夹的文件夹或其压缩包，而 `{path}` 两者都不是")
            }
            Self::NoStudents(path) => {
                format!("`{path}` 中没有学生；可识别的格式：{}", Layout::known())
            }
            Self::Empty(path) => format!("应为存放学生文件夹的文件夹，而 `{path}` 是空的"),
            Self::NotOfLayout { path, layout } => {
                format!("应为：{}，而 `{path}` 中没有符合的内容", layout.text().zh)
            }
            Self::Archive { path, reason } => format!("无法读取班级 `{path}`：{}", reason.zh),
            Self::Read { path, error } => {
                format!("无法读取 `{path}`：{}", reason::in_chinese(error))
            }
            Self::NoFiles => "没有指定文件".to_owned(),
            Self::UnknownProblem { id, known } => format!("没有题目 `{id}`；已有题目：{known}"),
            Self::NoProblem { path, expected } => {
                format!("`{path}` 不属于任何题目；可用的文件名：{expected}")
            }
            Self::SeveralPrograms { path, reason } => format!("`{path}`：{}", reason.zh),
            Self::NotAccepted { path, accepted } => {
                format!("`{path}` 不是可接受语言的源文件；可用的扩展名：{accepted}")
            }
            Self::NoSources { path, accepted } => {
                format!("`{path}` 中没有可接受语言的源文件；可用的扩展名：{accepted}")
            }
            Self::SameName { problem, name } => {
                format!("题目 `{problem}` 的提交中有两个文件都叫 `{name}`")
            }
            Self::TooLarge {
                problem,
                size,
                most,
            } => format!("题目 `{problem}` 的提交过大：{size}，最多 {most}"),
            Self::Pattern {
                problem,
                pattern,
                error,
            } => format!("题目 `{problem}`：`{pattern}` 不是文件名模式：{error}"),
        };
        Text::new(self.to_string(), chinese)
    }

    /// A failure to look at `path`.
    pub(crate) fn of(path: &Path, error: io::Error) -> Self {
        let path = crate::tree::shown(path.as_os_str());
        if error.kind() == io::ErrorKind::NotFound {
            Self::Missing(path)
        } else {
            Self::Read {
                path,
                error: Arc::new(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_in_both_languages() {
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        let problem = ProblemId::new("count");
        let errors = [
            IntakeError::Missing("a".into()),
            IntakeError::NotAFolder("a".into()),
            IntakeError::NoStudents("a".into()),
            IntakeError::Empty("a".into()),
            IntakeError::NotOfLayout {
                path: "a".into(),
                layout: Layout::Moodle,
            },
            IntakeError::Archive {
                path: "a".into(),
                reason: Text::new("b", "乙"),
            },
            IntakeError::of(Path::new("a"), denied()),
            IntakeError::NoFiles,
            IntakeError::UnknownProblem {
                id: problem.clone(),
                known: "`board`".into(),
            },
            IntakeError::NoProblem {
                path: "a".into(),
                expected: "`count` (`count.*`)".into(),
            },
            IntakeError::SeveralPrograms {
                path: "a".into(),
                reason: Text::new("several", "多个"),
            },
            IntakeError::NotAccepted {
                path: "a".into(),
                accepted: "`.c`".into(),
            },
            IntakeError::NoSources {
                path: "a".into(),
                accepted: "`.c`".into(),
            },
            IntakeError::SameName {
                problem: problem.clone(),
                name: "a".into(),
            },
            IntakeError::TooLarge {
                problem: problem.clone(),
                size: Bytes(2),
                most: Bytes(1),
            },
        ];
        let chinese = errors.each_ref().map(|error| {
            let text = error.text();
            assert_eq!(text.en, error.to_string());
            text.zh
        });
        assert_eq!(
            chinese,
            [
                "`a` 不存在",
                "应为存放学生文件夹的文件夹或其压缩包，而 `a` 两者都不是",
                &format!("`a` 中没有学生；可识别的格式：{}", Layout::known()),
                "应为存放学生文件夹的文件夹，而 `a` 是空的",
                "应为：Moodle 批量下载，而 `a` 中没有符合的内容",
                "无法读取班级 `a`：乙",
                "无法读取 `a`：没有权限",
                "没有指定文件",
                "没有题目 `count`；已有题目：`board`",
                "`a` 不属于任何题目；可用的文件名：`count` (`count.*`)",
                "`a`：多个",
                "`a` 不是可接受语言的源文件；可用的扩展名：`.c`",
                "`a` 中没有可接受语言的源文件；可用的扩展名：`.c`",
                "题目 `count` 的提交中有两个文件都叫 `a`",
                "题目 `count` 的提交过大：2 B，最多 1 B",
            ]
        );
    }
}
