//! What needs a human, in words.

use grader_language::first_error;
use grader_model::{Excerpt, ProblemId, SimilarGroup, Similarity, StudentId, extension_of, typed};
use grader_view::{About, Need, NeedKind, StudentView, Unsettled, Why};

use super::Words;
use crate::style::safe;

/// Students with the same program who are named; the others are counted.
const MAX_NAMED: usize = 10;

/// The first message of a linker, as in `main.c:(.text+0x36): undefined reference …`.
fn unlinked(messages: &str) -> Option<String> {
    messages.lines().find_map(|line| {
        let (file, rest) = line.split_once(":(.")?;
        let (_, message) = rest.split_once("): ")?;
        let file = file.rsplit(' ').next()?;
        let message = message.split(';').next()?;
        Some(safe(&format!("{file}: {message}")))
    })
}

impl Words {
    /// The heading of all needs of a kind.
    pub(crate) fn need_title(self, kind: NeedKind) -> &'static str {
        let (en, zh) = match kind {
            NeedKind::Similar => (
                "Same program: from several students, or in the files of the problem",
                "雷同程序：来自几名学生，或与题目自带的文件相同",
            ),
            NeedKind::Objection => ("Objections without an answer", "尚未答复的异议"),
            NeedKind::OurFailure => (
                "Not scored yet: grading failed, not the student",
                "尚未评分：评测故障，不是学生的错",
            ),
            NeedKind::Unreadable => (
                "Not scored yet: the submission needs a look",
                "尚未评分：需要查看提交的内容",
            ),
            NeedKind::Unclear => (
                "Not scored yet: for which class is the correction?",
                "尚未评分：人工修正属于哪个班级？",
            ),
            NeedKind::NotJudged => (
                "Not scored yet: not graded in this run",
                "尚未评分：这次没有评测",
            ),
            NeedKind::ByHand => ("Still to grade: points by hand", "等待人工评分"),
            NeedKind::Undeserved => (
                "Undeserved full marks: wrong on an input outside the test cases",
                "名不副实的满分：在测试点之外的输入上出错",
            ),
            NeedKind::NotSettled => (
                "Not settled: near a limit, or due to luck",
                "尚无定论：接近限制，或取决于运气",
            ),
            NeedKind::Flag => (
                "Flags: worth a look, no points deducted",
                "标记：建议查看，不影响分数",
            ),
            NeedKind::UnusedFile => (
                "Files that were not judged: is one of them a program?",
                "未评测的文件：请确认其中没有程序",
            ),
            NeedKind::LostPoints => (
                "Points lost: late, or corrected by hand",
                "失分：迟交，或人工修正",
            ),
            NeedKind::Note => ("Notes on submissions", "关于提交的说明"),
            NeedKind::NothingSubmitted => ("Nothing submitted", "没有提交"),
            NeedKind::CompileError => ("Compile errors", "编译错误"),
            NeedKind::Layout => (
                "Presentation errors: a case is right except for its layout",
                "格式错误：有测试点答案正确，只是格式不对",
            ),
        };
        self.pick(en, zh)
    }

    /// What can be done about needs of one kind, and the command that does it.
    pub(crate) fn advice(
        self,
        needs: &[&Need<'_>],
        students: &[StudentView<'_>],
    ) -> Option<(&'static str, String)> {
        let unused = needs.iter().filter(|it| it.kind == NeedKind::UnusedFile);
        let (need, (problem, file)) = unused.into_iter().find_map(|need| {
            let About::File(path) = need.about else {
                return None;
            };
            let mut students = students.iter();
            let student = students.find(|it| Some(it.id) == need.student)?;
            // A notebook that is not judged has to be exported, as its own reason says.
            if extension_of(path).eq_ignore_ascii_case("ipynb") {
                return None;
            }
            Some((need, assignable(student, path)?))
        })?;
        let label = match problem {
            None => self.assign_file(),
            Some(_) => self.assign_folder(),
        };
        let problem = problem.map_or_else(|| self.any_problem().to_owned(), |id| safe(id.as_str()));
        let (student, file) = (Self::student_of(need), safe(file));
        let who = [
            "--student",
            &student,
            "--problem",
            &problem,
            "--file",
            &file,
        ];
        Some((label, typed(["grader", "correct"].into_iter().chain(who))))
    }

    /// The student or the team whom a need is about; empty if it is about nobody.
    pub(crate) fn student_of(need: &Need<'_>) -> String {
        let student = need.student.map(StudentId::as_str);
        need.team.or(student).map_or_else(String::new, safe)
    }

    /// The problems or the file that a need is about; empty if it is about everything.
    pub(crate) fn about(self, about: &About<'_>) -> String {
        match about {
            About::Everything => String::new(),
            About::Problems(ids) => self.list(ids.iter().map(|id| safe(id.as_str()))),
            About::File(path) => safe(path),
        }
    }

    /// The reason of a need; empty if its kind says it all.
    pub(crate) fn why(self, need: &Need<'_>) -> String {
        match &need.why {
            Why::Obvious => String::new(),
            Why::Reason(reason) => self.reason(reason),
            Why::Build(reason, messages) => match first_error(&messages.text, |_| true) {
                Some(error) => safe(&format!("{}:{}: {}", error.file, error.line, error.message)),
                None => unlinked(&messages.text).unwrap_or_else(|| self.reason(reason)),
            },
            Why::Words(words) => Self::beginning(words),
            Why::Similar(group) => self.similar(group),
            Why::Unsettled(verdict, why) => {
                let place = need
                    .place
                    .map(|(subtask, case)| format!("{subtask}/{case}"));
                let place = safe(&place.unwrap_or_default());
                format!("{place} {verdict}{}{}", self.colon(), self.unsettled(why))
            }
        }
    }

    /// The beginning of a longer text, in one line.
    fn beginning(words: &Excerpt) -> String {
        let line = words.text.split_whitespace().collect::<Vec<_>>().join(" ");
        safe(&Excerpt::new(line.as_bytes()).to_string())
    }

    /// Who else has the same program, and in what it differs.
    fn similar(self, group: &SimilarGroup) -> String {
        let others = group.students.get(1..).unwrap_or_default();
        let named = others.iter().take(MAX_NAMED);
        let mut same: Vec<String> = named.map(|it| safe(it.as_str())).collect();
        if others.len() > MAX_NAMED {
            same.push(self.more_students(others.len() - MAX_NAMED));
        }
        same.extend(group.given.iter().map(|path| format!("`{}`", safe(path))));
        let (same, tokens) = (self.list(same), group.tokens);
        match group.kind {
            Similarity::Bytes => self.same_text(same, tokens),
            Similarity::Tokens => self.same_program(same, tokens),
        }
    }

    fn unsettled(self, why: &Unsettled<'_>) -> String {
        match why {
            Unsettled::Luck(attempts) => self.attempts(attempts),
            Unsettled::Disagreement(confirmation) => self.run_alone(self.runs_alone(confirmation)),
            Unsettled::NotRunAgain(used) => {
                let used = used.map(|(cpu, limit)| self.used_of(cpu, limit) + self.comma());
                used.unwrap_or_default() + self.not_run_again()
            }
        }
    }
}

/// What may be graded instead of an unused file: the file, or, if it lies beside the only file of a problem's submission and
/// no problem lacks one, their folder as that problem. `None` if they have no folder of their own.
fn assignable<'a>(
    student: &StudentView<'a>,
    path: &'a str,
) -> Option<(Option<&'a ProblemId>, &'a str)> {
    let folder = |path: &'a str| &path[..path.rfind('/').map_or(0, |at| at + 1)];
    let is_beside =
        |file: &'a String| folder(file) == folder(path) && extension_of(file) == extension_of(path);
    let mut problems = student.problems.iter();
    let beside = problems.find(|it| matches!(it.files, [file] if is_beside(file)));
    match beside.filter(|_| student.problems.iter().all(|it| it.is_submitted)) {
        None => Some((None, path)),
        Some(problem) => {
            let folder = folder(path);
            (!folder.is_empty()).then_some((Some(problem.id), folder))
        }
    }
}
