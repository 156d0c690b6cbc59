//! Every sentence of a report, in English and Chinese: [`sentences`] has the words, the rest puts them together.

mod needs;
mod sentences;
mod timing;

use std::collections::BTreeSet;

use grader_language::Languages;
use grader_model::{
    AssignmentInfo, Change, Excerpt, FaultCause, Host, Lang, Points, RubricItem, RunInfo, Standing,
    Text, Verdict, WhyOpen, called, counted, local_time,
};
use grader_view::{
    CaseGroup, CaseView, ClassView, Lost, Marks, ProblemView, Reason, Statistics, Status,
    StudentView, SubtaskRun, SubtaskView,
};

use crate::style::{Style, safe, safe_on_page};

/// Bytes of an input or an output that a sentence shows.
const MAX_SHOWN_BYTES: usize = 80;

/// The sentences in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) lang: Lang,
}

impl Words {
    pub(crate) const fn of(lang: Lang) -> Self {
        Self { lang }
    }

    /// The one of two texts that is in our language.
    pub(crate) fn pick<T>(self, en: T, zh: T) -> T {
        self.lang.pick(en, zh)
    }

    /// A message in our language, escaped.
    pub(crate) fn text(self, text: &Text) -> String {
        safe(text.get(self.lang))
    }

    /// The title of an assignment, and its id.
    pub(crate) fn assignment(self, info: &AssignmentInfo) -> String {
        format!("{} ({})", self.text(&info.title), safe(info.id.as_str()))
    }

    /// The items of a list with commas between.
    pub(crate) fn list(self, items: impl IntoIterator<Item = String>) -> String {
        let items: Vec<String> = items.into_iter().collect();
        items.join(self.list_comma())
    }

    pub(crate) fn verdict(self, verdict: Verdict) -> String {
        verdict.name().get(self.lang).to_owned()
    }

    /// When the work is due: `due 2026-11-20 23:59 (Asia/Shanghai)`.
    pub(crate) fn due(self, info: &AssignmentInfo) -> Option<String> {
        let deadline = info.deadline.as_ref()?;
        let (due, zone) = (local_time(deadline.due, &deadline.zone), &deadline.zone);
        Some(self.due_at(due, zone))
    }

    /// When it was submitted, in the time zone of the deadline if there is one.
    pub(crate) fn submitted(
        self,
        problem: &ProblemView<'_>,
        info: &AssignmentInfo,
    ) -> Option<String> {
        let submitted = problem.submitted?;
        let at = match &info.deadline {
            Some(deadline) => local_time(submitted, &deadline.zone),
            None => local_time(submitted, "UTC") + " UTC",
        };
        Some(self.submitted_at(at))
    }

    /// What the codes of these verdicts mean: `WA wrong answer · TLE time limit exceeded`.
    pub(crate) fn codes(self, verdicts: impl Iterator<Item = Verdict>) -> String {
        let verdicts: BTreeSet<Verdict> = verdicts.collect();
        let words = verdicts.into_iter().map(|it| self.coded_verdict(it));
        words.collect::<Vec<_>>().join(" · ")
    }

    pub(crate) fn students(self, count: usize) -> String {
        self.counted(count, ["student", "students"], "名学生")
    }

    pub(crate) fn cases(self, count: usize) -> String {
        self.counted(count, ["case", "cases"], "个测试点")
    }

    /// The cases of a group: `n=4, n=5`, or `n=4 … n=8, n=10, 6 cases`.
    pub(crate) fn group_name(self, group: &CaseGroup<'_, '_>) -> String {
        let mut is_short = true;
        let ranges = group.ranges.iter().flat_map(|range| {
            let [first, last] = [range.first, range.last].map(|it| safe(it.as_str()));
            is_short &= range.count < 3;
            match range.count {
                1 => vec![first],
                2 => vec![first, last],
                _ => vec![format!("{first} … {last}")],
            }
        });
        let names = self.list(ranges);
        if is_short {
            return names;
        }
        names + self.comma() + &self.cases(group.count)
    }

    pub(crate) fn counted(self, count: usize, [one, many]: [&str; 2], zh: &str) -> String {
        self.pick(counted(count, one, many), format!("{count} {zh}"))
    }

    /// The id of a student, and the name if it is another: `s03 (Ada)`.
    pub(crate) fn who(student: &StudentView<'_>) -> String {
        called(student.id, student.person)
    }

    /// The same on pages.
    pub(crate) fn who_on_page(student: &StudentView<'_>) -> String {
        let name = student.person.and_then(|it| it.name_beside(student.id));
        let name = name.map(|name| format!(" ({})", safe_on_page(name)));
        safe_on_page(student.id.as_str()) + &name.unwrap_or_default()
    }

    /// A reason with its place: `medium/n=9: the number of solutions is wrong`.
    pub(crate) fn reason(self, reason: &Reason<'_>) -> String {
        let text = self.text(&reason.text);
        let Some(subtask) = reason.subtask else {
            return text;
        };
        let case = reason.case.map(|case| format!("/{}", safe(case.as_str())));
        let (subtask, case) = (safe(subtask.as_str()), case.unwrap_or_default());
        format!("{subtask}{case}{}{text}", self.colon())
    }

    /// A reason, with what the program printed and read in its case.
    pub(crate) fn reason_in_case(self, reason: &Reason<'_>, case: Option<&CaseView<'_>>) -> String {
        let mut text = self.reason(reason);
        let Some(case) = case else {
            return text;
        };
        let short = |it: &str| {
            let start = Excerpt::first(it.trim_end().as_bytes(), MAX_SHOWN_BYTES);
            safe(&start.to_string())
        };
        if let Some(found) = case.evidence().iter().find_map(|it| it.found) {
            text = self.and_found(text, short(&found.text));
        }
        match case.input() {
            Some(input) => self.and_input(text, short(&input.text)),
            None => text,
        }
    }

    /// What changed the points after judging.
    pub(crate) fn adjustments(self, problem: &ProblemView<'_>) -> impl Iterator<Item = String> {
        let all = problem.adjustments.iter();
        all.map(move |adjustment| self.text(&adjustment.message))
    }

    /// `L` after the points of late work, `H` if a person gave fewer than there are, `*` if a person corrected them.
    pub(crate) fn marks(marks: Marks) -> String {
        let Marks {
            late,
            by_hand,
            corrected,
        } = marks;
        let marks = [(late, 'L'), (by_hand, 'H'), (corrected, '*')].into_iter();
        marks
            .filter_map(|(is_so, mark)| is_so.then_some(mark))
            .collect()
    }

    /// The same in words.
    pub(crate) fn mark_words(
        &self,
        problem: &ProblemView<'_>,
    ) -> impl Iterator<Item = &'static str> {
        let words = [
            (problem.is_late(), self.late()),
            (problem.is_corrected(), self.corrected()),
        ];
        words
            .into_iter()
            .filter_map(|(is_so, word)| is_so.then_some(word))
    }

    /// What the marks in a table of this class mean; `None` if it has none.
    pub(crate) fn legend(self, class: &ClassView<'_>) -> Option<String> {
        let problems = class.students.iter().flat_map(|it| &it.problems);
        let marks: Vec<Marks> = problems.clone().map(ProblemView::marks).collect();
        let totals = class.students.iter().map(|it| it.standing);
        let mut cells = problems.map(|it| it.standing).chain(totals);
        let is_by_hand = cells.any(Standing::is_by_hand);
        let all = [
            (is_by_hand, self.legend_by_hand()),
            (marks.iter().any(|it| it.late), self.legend_late()),
            (
                marks.iter().any(|it| it.by_hand),
                self.legend_lost_by_hand(),
            ),
            (marks.iter().any(|it| it.corrected), self.legend_corrected()),
        ];
        let words = all
            .into_iter()
            .filter_map(|(is_so, word)| is_so.then_some(word));
        let words: Vec<&str> = words.collect();
        (!words.is_empty()).then(|| words.join(" · "))
    }

    /// What a submission came to: its verdict, or what is missing though all that was judged is right.
    pub(crate) fn outcome(self, problem: &ProblemView<'_>) -> (Option<&'static str>, String) {
        let message = problem.message.filter(|_| problem.is_unbuilt());
        let words = || self.text(message.unwrap_or_else(|| problem.verdict.name()));
        let verdict = || (Some(problem.verdict.code()), words());
        match problem.status {
            _ if problem.failing_verdict().is_some() => verdict(),
            Status::Waiting(WhyOpen::ByHand(_)) => (None, self.missing_of(problem)),
            Status::Short {
                why: Lost::ByHand, ..
            } => (None, self.lost_by_hand().to_owned()),
            Status::Short {
                why: Lost::Remarks, ..
            } => (None, self.lost_by_remarks().to_owned()),
            _ => verdict(),
        }
    }

    /// The same in one piece: `WA wrong answer`.
    pub(crate) fn coded_outcome(self, problem: &ProblemView<'_>) -> String {
        let (code, words) = self.outcome(problem);
        code.map_or_else(String::new, |code| format!("{code} ")) + &words
    }

    /// `WA wrong answer`.
    pub(crate) fn coded_verdict(self, verdict: Verdict) -> String {
        format!("{} {}", verdict.code(), self.verdict(verdict))
    }

    /// `points by hand are missing: style (5)`.
    fn missing_of(self, problem: &ProblemView<'_>) -> String {
        self.missing_by_hand(self.list(problem.to_grade().map(|it| self.with_worth(it))))
    }

    /// `style (5)`.
    fn with_worth(self, subtask: &SubtaskView<'_>) -> String {
        self.worth_by_hand(safe(subtask.name.as_str()), subtask.max_points)
    }

    /// What is missing of the points of a problem so far; `None` if no points by hand are.
    pub(crate) fn so_far(self, problem: &ProblemView<'_>) -> Option<String> {
        let is_by_hand = problem.status.is_by_hand();
        is_by_hand.then(|| self.earned(problem) + self.comma() + &self.missing_of(problem))
    }

    /// What a person said about everything that a student submitted.
    pub(crate) fn comment(self, text: &Text) -> String {
        self.comment_label().to_owned() + &self.text(text)
    }

    /// What a student objects to, and the answer, each after its label.
    pub(crate) fn objection<'a>(
        &self,
        student: &StudentView<'a>,
    ) -> impl Iterator<Item = (String, &'a Excerpt)> {
        let objects = student.objection;
        let objects = objects.map(|it| (self.objection_label(), &it.text));
        let answer = student.objection.and_then(|it| it.answer.as_ref());
        let answer = answer.map(|it| (self.answer_label(), it));
        let both = objects.into_iter().chain(answer);
        both.map(|(label, words)| (label.to_owned(), words))
    }

    /// Language, files and toolchain: `C · count.c · gcc 12.2.0 -O2`.
    pub(crate) fn facts(self, problem: &ProblemView<'_>) -> String {
        let mut parts = Vec::new();
        let language = problem.language;
        if let Some(language) = language.filter(|it| it.is_of_programs()) {
            parts.push(Languages::built_in().name(language).to_owned());
        }
        if !problem.files.is_empty() {
            parts.push(self.list(problem.files.iter().map(|file| safe(file))));
        }
        parts.extend(problem.build.map(|build| safe(&build.toolchain)));
        parts.join(" · ")
    }

    /// How many cases passed, the slowest, the most memory; or why nothing ran.
    pub(crate) fn subtask_run(self, run: &SubtaskRun<'_>) -> String {
        let (passed, counted, skipped, slowest, memory) = match run {
            SubtaskRun::Nothing(text) | SubtaskRun::Remarks(text) => return self.text(text),
            SubtaskRun::ToGrade => {
                return self.still_by_hand().to_owned();
            }
            SubtaskRun::ByHand(items) => return self.rubric(items),
            SubtaskRun::Cases {
                passed,
                counted,
                skipped,
                slowest,
                memory,
            } => (passed, *counted, skipped, slowest, memory),
        };
        let mut parts = vec![if *passed == counted {
            self.cases(counted)
        } else {
            self.passed_of(passed, self.cases(counted), counted)
        }];
        if *skipped > 0 {
            parts.push(self.skipped(skipped));
        }
        parts.extend(slowest.map(|(name, time)| self.slowest(safe(name.as_str()), time)));
        parts.extend(memory.map(|memory| self.peak(memory)));
        parts.join(self.comma())
    }

    /// The items of a rubric that were given, and those that were not.
    fn rubric(self, items: &[(&RubricItem, bool)]) -> String {
        let text = |item: &RubricItem| self.text(&item.text);
        let of = |wanted| {
            let items = items.iter().filter(|(_, is_given)| *is_given == wanted);
            items
                .map(|(item, _)| text(item))
                .collect::<Vec<_>>()
                .join("; ")
        };
        let parts = [("✓ ", of(true)), ("✗ ", of(false))].into_iter();
        let parts = parts.filter(|(_, items)| !items.is_empty());
        let parts: Vec<String> = parts
            .map(|(mark, items)| mark.to_owned() + &items)
            .collect();
        if parts.is_empty() {
            return self.graded_by_hand().to_owned();
        }
        parts.join(" · ")
    }

    /// Why results were not reused: `source changed and compiler changed`.
    pub(crate) fn changes(self, changes: &[Change]) -> String {
        let texts = changes.iter().map(|change| self.text(&change.text()));
        texts.collect::<Vec<_>>().join(self.and())
    }

    /// Which run of the ledger these results are: `run 3, started 2026-11-22 05:23:47 UTC`.
    pub(crate) fn run(self, info: &RunInfo) -> String {
        self.run_began(info.id, moment(&info.began))
    }

    /// The machine: processor, cores, kernel.
    pub(crate) fn host(self, host: &Host) -> Vec<String> {
        let cores = self.counted(host.cores, ["core", "cores"], "核");
        let mut parts = vec![safe(&host.cpu), cores, safe(&host.kernel)];
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The mean in a table.
    pub(crate) fn mean_of(mean: Option<Standing>) -> String {
        mean.map_or_else(|| "—".to_owned(), |mean| mean.to_string())
    }

    /// Full points in the head of a column: `of 35`, or `+10` for a bonus.
    pub(crate) fn most(self, most: Points, bonus: bool) -> String {
        if bonus {
            self.plus_most(most)
        } else {
            self.of_most(most)
        }
    }

    /// How many of so many students are graded, of how many only points by hand are missing, and the mean, the median and the full marks of these.
    pub(crate) fn statistics(self, statistics: &Statistics, all: usize) -> String {
        let mut parts = vec![self.graded_of(statistics.graded, all)];
        if statistics.by_hand > 0 {
            parts.push(self.wait_by_hand(statistics.by_hand));
        }
        if let Some([mean, median]) = statistics.averages {
            parts.push(self.mean_is(mean));
            parts.push(self.median_is(median));
            parts.push(self.full_marks(statistics.full));
        }
        parts.join(" · ")
    }

    /// What something is worth: `35 points`.
    pub(crate) fn worth(self, points: Points, bonus: bool) -> String {
        match (points == Points::whole(1), bonus) {
            (true, false) => self.point(points),
            (false, false) => self.points(points),
            (true, true) => self.bonus_point(points),
            (false, true) => self.bonus_points(points),
        }
    }

    /// What an assignment is worth: `100 points and 10 bonus points`.
    pub(crate) fn assignment_worth(self, info: &AssignmentInfo) -> String {
        let points = self.worth(info.points, false);
        if info.bonus == Points::ZERO {
            return points;
        }
        self.and_bonus(points, self.worth(info.bonus, true))
    }

    /// Points earned: `26.25 of 35 points`.
    pub(crate) fn earned(self, problem: &ProblemView<'_>) -> String {
        self.points_of(problem.standing, problem.max_points, problem.bonus)
    }

    fn points_of(self, standing: Standing, most: Points, bonus: bool) -> String {
        let worth = self.worth(most, bonus);
        let label = if bonus { self.bonus_label() } else { "" };
        label.to_owned()
            + &match standing {
                Standing::Excused => return self.excused_of(worth, most),
                Standing::Open(WhyOpen::ByHand(so_far)) if so_far > Points::ZERO => {
                    self.scored_of(standing, worth, most)
                }
                Standing::Open(_) => self.not_scored_of(worth, most),
                Standing::Scored(points) => self.scored_of(points, worth, most),
            }
    }

    /// Points in a column with a clear unit: `26.25` and `of 35`.
    pub(crate) fn share(self, standing: Standing, most: Points) -> (String, String) {
        (standing.to_string(), self.share_of(most))
    }

    /// `72.5 of 100 points, 0 of 10 bonus points`.
    pub(crate) fn totals(self, student: &StudentView<'_>) -> String {
        let (most, bonus) = (student.most(false), student.most(true));
        let mut line = self.points_of(student.points, most, false);
        if bonus > Points::ZERO {
            line += self.comma();
            line += &self.points_of(student.bonus, bonus, true);
        }
        line
    }

    /// Why there is no score, or none that is complete: a sentence for each cause. Empty if nothing is missing.
    pub(crate) fn no_score(self, student: &StudentView<'_>) -> String {
        let waits = |is: &dyn Fn(WhyOpen) -> bool| {
            let mut problems = student.problems.iter();
            problems.any(|it| matches!(it.status, Status::Waiting(why) if is(why)))
        };
        let several = student.problems.len() > 1;
        let by_hand = student.problems.iter().flat_map(|problem| {
            problem.to_grade().map(move |subtask| {
                let id = safe(problem.id.as_str());
                let id = if several { id + " " } else { String::new() };
                id + &self.with_worth(subtask)
            })
        });
        let by_hand = self.list(by_hand);
        let sentences = [
            (WhyOpen::Fault(FaultCause::Grader), self.failed_here()),
            (WhyOpen::Fault(FaultCause::Unreadable), self.needs_a_look()),
            (
                WhyOpen::Fault(FaultCause::Unclear),
                self.correction_unclear(),
            ),
            (WhyOpen::NotJudged, self.not_complete()),
        ];
        let sentences = sentences
            .into_iter()
            .filter(|(why, _)| waits(&|it| it == *why));
        let mut sentences: Vec<String> =
            sentences.map(|(_, sentence)| sentence.to_owned()).collect();
        if waits(&|it| matches!(it, WhyOpen::ByHand(_))) {
            sentences.push(self.by_hand_missing(by_hand));
        }
        if waits(&|it| it == WhyOpen::SomeCases) {
            sentences.push(self.some_cases_only().to_owned());
        }
        sentences.join(self.between_sentences())
    }
}

impl Style {
    /// The sentences in its language.
    pub(crate) const fn words(&self) -> Words {
        Words::of(self.lang)
    }
}

/// A moment as people read it: `2026-11-22 05:23:47 UTC`. It comes as `2026-11-22T05:23:47Z`.
pub fn moment(text: &str) -> String {
    safe(text).replacen('T', " ", 1).replacen('Z', " UTC", 1)
}
