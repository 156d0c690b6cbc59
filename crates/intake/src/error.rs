//! Why nothing could be read.

use std::io;
use std::path::Path;

use grader_lms::Layout;
use grader_model::{Bytes, ProblemId, Text};

use crate::name::shown;

/// A mistake in what was named on the command line, never one inside a student's folder.
///
/// Paths and names in it are escaped.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// It does not exist.
    #[error("`{0}` does not exist")]
    Missing(String),
    /// The class is neither a folder nor an archive.
    #[error("expected a folder of student folders, or an archive of it, but `{0}` is neither")]
    NotAFolder(String),
    /// The class holds nothing that could be a student's.
    #[error("no students in `{0}`: expected {known}", known = Layout::known().en)]
    NoStudents(String),
    /// Nothing in the class has the layout that was asked for.
    #[error("expected {text}, but nothing in `{0}` looks like it", text = .1.text().en)]
    NotOfLayout(String, Layout),
    /// The archive of the class cannot be read, and why.
    #[error("the class `{0}` {text}", text = .1.en)]
    Archive(String, Text),
    /// It exists, but cannot be read. The error stands in the message, and is therefore not its source too.
    #[error("cannot read `{0}`: {1}")]
    Read(String, String),
    /// The assignment has no such problem.
    #[error("there is no problem `{0}`")]
    UnknownProblem(ProblemId),
    /// A name fits no problem.
    #[error("`{0}` matches no problem")]
    NoProblem(String),
    /// A file cannot be read, or a folder holds several programs: a sentence that names it.
    #[error("{text}", text = .0.en)]
    Unusable(Text),
    /// A file or folder holds no program, and what extensions are accepted.
    #[error("`{0}`: no source file of an accepted language; accepted are {1}")]
    NoSources(String, String),
    /// Two files of one submission have the same name.
    #[error("two files of the submission for `{0}` are named `{1}`")]
    SameName(ProblemId, String),
    /// All files together are larger than the problem allows.
    #[error("the submission for `{0}` is larger than {1}")]
    TooLarge(ProblemId, Bytes),
}

impl IntakeError {
    /// A failure to look at `path`.
    pub(crate) fn of(path: &Path, error: &io::Error) -> Self {
        let path = shown(path.as_os_str());
        if error.kind() == io::ErrorKind::NotFound {
            Self::Missing(path)
        } else {
            Self::Read(path, error.to_string())
        }
    }

    /// The error in both languages.
    pub fn text(&self) -> Text {
        let zh = match self {
            Self::Missing(path) => format!("找不到 `{path}`"),
            Self::NotAFolder(path) => {
                format!("`{path}` 应是包含各学生文件夹的文件夹，或这样的压缩包")
            }
            Self::NoStudents(path) => {
                format!("`{path}` 中没有学生：应为{}", Layout::known().zh)
            }
            Self::NotOfLayout(path, layout) => {
                format!("`{path}` 不像{}", layout.text().zh)
            }
            Self::Archive(path, why) => format!("班级 `{path}` {}", why.zh),
            Self::Read(path, error) => format!("无法读取 `{path}`：{error}"),
            Self::UnknownProblem(id) => format!("没有题目 `{id}`"),
            Self::NoProblem(name) => format!("`{name}` 与任何题目都不对应"),
            Self::Unusable(why) => why.zh.clone(),
            Self::NoSources(path, accepted) => {
                format!("`{path}` 中没有可用语言的源文件；可用 {accepted}")
            }
            Self::SameName(id, name) => format!("题目 `{id}` 的提交中有两个文件都叫 `{name}`"),
            Self::TooLarge(id, most) => format!("题目 `{id}` 的提交超过 {most}"),
        };
        Text::new(self.to_string(), zh)
    }
}
