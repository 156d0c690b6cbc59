//! How a class lies on the disk.

mod canvas;
mod github;
mod gradescope;
mod moodle;
mod one;
mod recognise;
mod sort;

use std::fmt;

use grader_model::Text;

/// How a class lies on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// A folder for each student, named as the student is.
    #[default]
    Folders,
    /// An archive for each student, named as the student is.
    Archives,
    /// What Moodle's "download all submissions" gives, in folders or flat.
    Moodle,
    /// What Canvas' "download submissions" gives.
    Canvas,
    /// Gradescope's "export submissions": `submission_123456` for each, and `submission_metadata.yml`.
    Gradescope,
    /// Clones of GitHub Classroom: `assignment-username` for each.
    Github,
    /// The folder is that of one student: what Gradescope gives an autograder.
    One,
}

impl Layout {
    /// The word for it on the command line and in reports that machines read.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Folders => "folders",
            Self::Archives => "archives",
            Self::Moodle => "moodle",
            Self::Canvas => "canvas",
            Self::Gradescope => "gradescope",
            Self::Github => "github",
            Self::One => "one",
        }
    }

    /// What it is, for people: `a folder for each student`.
    pub fn text(self) -> Text {
        match self {
            Self::Folders => Text::new("a folder for each student", "每名学生一个文件夹"),
            Self::Archives => Text::new("an archive for each student", "每名学生一个压缩包"),
            Self::Moodle => Text::new("a download of Moodle", "Moodle 批量下载"),
            Self::Canvas => Text::new("a download of Canvas", "Canvas 批量下载"),
            Self::Gradescope => Text::new("an export of Gradescope", "Gradescope 导出"),
            Self::Github => Text::new("clones of GitHub Classroom", "GitHub Classroom 克隆"),
            Self::One => Text::new("the folder of one student", "一名学生的文件夹"),
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
