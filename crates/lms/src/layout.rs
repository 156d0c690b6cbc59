//! How a class lies on the disk.

use std::fmt;

use grader_model::Text;

use crate::submitter::{Entry, EntryKind, Listing, Sorted, contest_shared_ids};
use crate::{blackboard, brightspace, canvas, folders, github, gradescope, moodle};

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
    /// Clones of GitHub Classroom.
    Github,
    /// Blackboard's "Assignment File Download".
    Blackboard,
    /// Brightspace's download of an assignment's submissions.
    Brightspace,
    /// The folder of one student.
    One,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Self; 9] = [
        Self::Folders,
        Self::Archives,
        Self::Moodle,
        Self::Canvas,
        Self::Gradescope,
        Self::Github,
        Self::Blackboard,
        Self::Brightspace,
        Self::One,
    ];

    /// Its word, and what it is in English and Chinese.
    const fn described(self) -> [&'static str; 3] {
        match self {
            Self::Folders => ["folders", "a folder for each student", "每名学生一个文件夹"],
            Self::Archives => [
                "archives",
                "an archive for each student",
                "每名学生一个压缩包",
            ],
            Self::Moodle => ["moodle", "a download from Moodle", "Moodle 批量下载"],
            Self::Canvas => ["canvas", "a download from Canvas", "Canvas 批量下载"],
            Self::Gradescope => ["gradescope", "an export from Gradescope", "Gradescope 导出"],
            Self::Github => [
                "github",
                "clones of GitHub Classroom",
                "GitHub Classroom 克隆",
            ],
            Self::Blackboard => [
                "blackboard",
                "a download from Blackboard",
                "Blackboard 批量下载",
            ],
            Self::Brightspace => [
                "brightspace",
                "a download from Brightspace",
                "Brightspace 批量下载",
            ],
            Self::One => ["one", "the folder of one student", "一名学生的文件夹"],
        }
    }

    /// The word for it on the command line and in reports that machines read.
    pub const fn word(self) -> &'static str {
        let [word, ..] = self.described();
        word
    }

    /// What it is, for people: `a folder for each student`.
    pub fn text(self) -> Text {
        let [_, en, zh] = self.described();
        Text::new(en, zh)
    }

    /// The layouts that are recognised, with an example of each: for the message that none was.
    pub fn known() -> &'static str {
        "a folder or an archive for each student; a download from Moodle (`Ada Lovelace_12345_assignsubmission_file`), \
         Canvas (`lovelaceada_1001_50_count.c`), Gradescope (`submission_101` and `submission_metadata.yml`), \
         Blackboard (`HW1_ada_attempt_2026-01-05-10-30-00_count.c`) or Brightspace \
         (`12345-67890 - Ada Lovelace - Jan 5, 2026 1030 PM`); clones of GitHub Classroom (`hw1-ada`); \
         or source files of one student"
    }

    /// The layout of a course system, by the first that most entries have.
    ///
    /// Canvas names need several users, none of whom has two names: `hw_101_01_ada.zip` is none of them.
    pub fn recognise_download(listing: &Listing<'_>) -> Option<Self> {
        let entries = listing.entries;
        let is_most = |count: usize, all: usize| count * 2 > all;
        let count = |is: &dyn Fn(&Entry) -> bool| entries.iter().filter(|it| is(it)).count();
        let numbered = count(&|entry| gradescope::number(entry).is_some());
        let has_metadata =
            count(&|entry| entry.is_file() && entry.name == gradescope::METADATA) > 0;
        if (numbered > 0 && has_metadata) || is_most(numbered, count(&|entry| !entry.is_file())) {
            return Some(Self::Gradescope);
        }
        let counts = [
            (
                Self::Moodle,
                count(&|entry| moodle::parse(&entry.name).is_some()),
            ),
            (
                Self::Blackboard,
                count(&|entry| !entry.is_folder() && blackboard::parse(&entry.name).is_some()),
            ),
            (
                Self::Brightspace,
                count(&|entry| {
                    brightspace::parse(&entry.name).is_some() || entry.name == brightspace::INDEX
                }),
            ),
        ];
        let most = counts
            .iter()
            .find(|(_, count)| is_most(*count, entries.len()));
        if let Some((layout, _)) = most {
            return Some(*layout);
        }
        let files = entries.iter().filter(|entry| !entry.is_folder());
        let files: Vec<canvas::Name<'_>> = files.filter_map(|it| canvas::parse(&it.name)).collect();
        if is_most(files.len(), entries.len()) && canvas::are_of_users(&files) {
            return Some(Self::Canvas);
        }
        let clones = count(&|entry| entry.kind == EntryKind::Clone);
        (is_most(clones, count(&Entry::is_folder)) && github::prefix(listing).is_some())
            .then_some(Self::Github)
    }

    /// The layout by what there is most of, if no course system named the entries: archives or folders.
    pub fn recognise_plain(entries: &[Entry]) -> Option<Self> {
        let archives = entries.iter().filter(|it| it.kind == EntryKind::Archive);
        let archives = archives.count();
        let files = entries.iter().filter(|entry| entry.is_file()).count();
        let others = entries.len() - archives - files;
        if archives > others {
            Some(Self::Archives)
        } else {
            (others > 0).then_some(Self::Folders)
        }
    }

    /// Who submitted what. For [`One`](Self::One) nothing is to be sorted: all entries are that student's.
    pub fn sort(self, listing: &Listing<'_>) -> Sorted {
        let mut sorted = match self {
            Self::Folders | Self::Archives => folders::sort(listing),
            Self::Moodle => moodle::sort(listing),
            Self::Canvas => canvas::sort(listing),
            Self::Gradescope => gradescope::sort(listing),
            Self::Github => github::sort(listing),
            Self::Blackboard => blackboard::sort(listing),
            Self::Brightspace => brightspace::sort(listing),
            Self::One => Sorted::default(),
        };
        contest_shared_ids(&mut sorted.submitters);
        for (place, submitter) in sorted.submitters.iter_mut().enumerate() {
            submitter.place = Some(place);
        }
        sorted
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
