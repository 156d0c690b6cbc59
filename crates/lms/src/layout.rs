//! How a class lies on the disk.

use grader_model::Text;

use crate::submitter::{Entry, EntryKind, Listing, Sorted, contest_shared_ids};
use crate::{blackboard, brightspace, canvas, download, folders, gradescope, moodle};

/// How a class lies on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// A folder for each student, named after the student.
    #[default]
    Folders,
    /// An archive for each student, named after the student.
    Archives,
    /// Moodle's "Download all submissions", in folders or flat.
    Moodle,
    /// Canvas' "Download submissions".
    Canvas,
    /// Gradescope's "Export submissions".
    Gradescope,
    /// Clones of GitHub repositories, as Classroom 50 downloads them.
    Github,
    /// Blackboard's "Assignment File Download".
    Blackboard,
    /// Brightspace's download of an assignment's submissions.
    Brightspace,
    /// The folder of one student.
    One,
}

impl Layout {
    /// All layouts, with the word for each on the command line and in reports that machines read.
    pub const WORDS: [(Self, &str); 9] = [
        (Self::Folders, "folders"),
        (Self::Archives, "archives"),
        (Self::Moodle, "moodle"),
        (Self::Canvas, "canvas"),
        (Self::Gradescope, "gradescope"),
        (Self::Github, "github"),
        (Self::Blackboard, "blackboard"),
        (Self::Brightspace, "brightspace"),
        (Self::One, "one"),
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        // In the order of the variants.
        Self::WORDS[self as usize].1
    }

    /// What it is, for people: `a folder for each student`.
    pub fn text(self) -> Text {
        let (en, zh) = match self {
            Self::Folders => ("a folder for each student", "每名学生一个文件夹"),
            Self::Archives => ("an archive for each student", "每名学生一个压缩包"),
            Self::Moodle => ("a download from Moodle", "Moodle 批量下载"),
            Self::Canvas => ("a download from Canvas", "Canvas 批量下载"),
            Self::Gradescope => ("an export from Gradescope", "Gradescope 导出的文件"),
            Self::Github => ("clones of GitHub repositories", "GitHub 仓库的克隆"),
            Self::Blackboard => ("a download from Blackboard", "Blackboard 批量下载"),
            Self::Brightspace => ("a download from Brightspace", "Brightspace 批量下载"),
            Self::One => ("the folder of one student", "一名学生的文件夹"),
        };
        Text::new(en, zh)
    }

    /// The layouts that are recognised, with an example of each: for the message that none was.
    pub fn known() -> Text {
        let en = "a folder or an archive for each student; a download from Moodle (`Ada Lovelace_12345_assignsubmission_file`), \
         Canvas (`lovelaceada_1001_50_count.c`), Gradescope (`submission_101` and `submission_metadata.yml`), \
         Blackboard (`HW1_ada_attempt_2026-01-05-10-30-00_count.c`) or Brightspace \
         (`12345-67890 - Ada Lovelace - Jan 5, 2026 1030 PM`); clones of GitHub repositories (`hw1-ada`); \
         or source files of one student";
        let zh = "每名学生一个文件夹或压缩包；Moodle（`Ada Lovelace_12345_assignsubmission_file`）、\
         Canvas（`lovelaceada_1001_50_count.c`）、Gradescope（`submission_101` 和 `submission_metadata.yml`）、\
         Blackboard（`HW1_ada_attempt_2026-01-05-10-30-00_count.c`）或 Brightspace\
         （`12345-67890 - Ada Lovelace - Jan 5, 2026 1030 PM`）的批量下载；GitHub 仓库的克隆（`hw1-ada`）；\
         或一名学生的源文件";
        Text::new(en, zh)
    }

    /// The layout of a course system, by the first that most entries have.
    ///
    /// Canvas names need several users, none of whom has two names: `hw_101_01_ada.zip` is none of them.
    pub fn recognise_download(listing: &Listing<'_>) -> Option<Self> {
        let entries = listing.entries;
        let most = |is: &dyn Fn(&Entry) -> bool| {
            entries.iter().filter(|entry| is(entry)).count() * 2 > entries.len()
        };
        let is_brightspace =
            |it: &Entry| it.name == brightspace::INDEX || brightspace::parse(&it.name).is_some();
        let is_canvas = |it: &Entry| !it.is_folder() && canvas::parse(&it.name).is_some();
        let users = entries.iter().filter_map(|it| canvas::parse(&it.name));
        if most(&gradescope::is_part) {
            Some(Self::Gradescope)
        } else if most(&|it| moodle::parse(&it.name).is_some()) {
            Some(Self::Moodle)
        } else if most(&|it| !it.is_folder() && blackboard::parse(&it.name).is_some()) {
            Some(Self::Blackboard)
        } else if most(&is_brightspace) {
            Some(Self::Brightspace)
        } else if most(&is_canvas) && canvas::are_of_users(users) {
            Some(Self::Canvas)
        } else if folders::are_clones_by_name(listing)
            || (most(&|it| it.kind == EntryKind::Clone) && folders::clone_prefix(listing).is_some())
        {
            Some(Self::Github)
        } else {
            None
        }
    }

    /// The layout by what there is most of, if no course system named the entries: archives or folders.
    pub fn recognise_plain(entries: &[Entry]) -> Option<Self> {
        let count = |is: fn(&Entry) -> bool| entries.iter().filter(|entry| is(entry)).count();
        let archives = count(|entry| entry.kind == EntryKind::Archive);
        let others = entries.len() - archives - count(Entry::is_file);
        if archives > others {
            Some(Self::Archives)
        } else {
            (others > 0).then_some(Self::Folders)
        }
    }

    /// Who submitted what. For [`One`](Self::One) nothing is to be sorted: all entries are that student's.
    pub fn sort(self, listing: &Listing<'_>) -> Sorted {
        let mut sorted = match self {
            Self::Folders | Self::Archives => folders::sort(listing, None),
            Self::Github => folders::sort(listing, folders::clone_prefix(listing).as_deref()),
            Self::Moodle => download::sort(listing, moodle::parse, moodle::submitter),
            Self::Canvas => download::sort(listing, canvas::parse, canvas::submitter),
            Self::Blackboard => download::sort(listing, blackboard::parse, blackboard::submitter),
            Self::Brightspace => {
                download::sort(listing, brightspace::parse, brightspace::submitter)
            }
            Self::Gradescope => gradescope::sort(listing),
            Self::One => Sorted::default(),
        };
        contest_shared_ids(&mut sorted.submitters);
        for (place, submitter) in sorted.submitters.iter_mut().enumerate() {
            submitter.place = Some(place);
        }
        sorted
    }
}
