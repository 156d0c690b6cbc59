//! Sentences that several reports share, in English and Chinese.
//!
//! A text that one place uses stands there. Messages of checkers, languages and the judge come as [`grader_model::Text`].

mod needs;
mod timing;

use std::collections::BTreeSet;

use grader_language::Languages;
use grader_model::{
    AssignmentInfo, Bytes, Change, Excerpt, FaultCause, Host, Points, RubricItem, RunInfo,
    Standing, Text, Verdict, WhyOpen, called, counted, local_time,
};
use grader_view::{
    CaseGroup, ClassView, Lost, Marks, ProblemView, Reason, Statistics, Status, StudentView,
    SubtaskRun, SubtaskView,
};

use crate::style::{Style, safe, safe_on_page};

impl Style {
    pub(crate) fn colon(&self) -> &'static str {
        self.pick(": ", "：")
    }

    pub(crate) fn comma(&self) -> &'static str {
        self.pick(", ", "，")
    }

    /// The items of a list with commas between.
    pub(crate) fn list(&self, items: impl IntoIterator<Item = String>) -> String {
        let items: Vec<String> = items.into_iter().collect();
        items.join(self.pick(", ", "、"))
    }

    pub(crate) fn verdict(&self, verdict: Verdict) -> String {
        verdict.name().get(self.lang).to_owned()
    }

    /// When the work is due: `due 2026-11-20 23:59 (Asia/Shanghai)`.
    pub(crate) fn due(&self, info: &AssignmentInfo) -> Option<String> {
        let deadline = info.deadline.as_ref()?;
        let (due, zone) = (local_time(deadline.due, &deadline.zone), &deadline.zone);
        Some(self.pick(
            format!("due {due} ({zone})"),
            format!("截止 {due}（{zone}）"),
        ))
    }

    /// When it was submitted, in the time zone of the deadline if there is one.
    pub(crate) fn submitted(
        &self,
        problem: &ProblemView<'_>,
        info: &AssignmentInfo,
    ) -> Option<String> {
        let submitted = problem.submitted?;
        let at = match &info.deadline {
            Some(deadline) => local_time(submitted, &deadline.zone),
            None => local_time(submitted, "UTC") + " UTC",
        };
        Some(self.pick(format!("submitted {at}"), format!("提交于 {at}")))
    }

    /// What the codes of these verdicts mean: `WA wrong answer · TLE time limit exceeded`.
    pub(crate) fn codes(&self, verdicts: impl Iterator<Item = Verdict>) -> String {
        let verdicts: BTreeSet<Verdict> = verdicts.collect();
        let words = verdicts
            .into_iter()
            .map(|it| format!("{} {}", it.code(), self.verdict(it)));
        words.collect::<Vec<_>>().join(" · ")
    }

    pub(crate) fn students(&self, count: usize) -> String {
        self.counted(count, ["student", "students"], "名学生")
    }

    pub(crate) fn cases(&self, count: usize) -> String {
        self.counted(count, ["case", "cases"], "个测试点")
    }

    /// The cases of a group: `n=4, n=5`, or `n=4 … n=8, n=10, 6 cases`.
    pub(crate) fn group_name(&self, group: &CaseGroup<'_, '_>) -> String {
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

    pub(crate) fn counted(&self, count: usize, [one, many]: [&str; 2], zh: &str) -> String {
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
    pub(crate) fn reason(&self, reason: &Reason<'_>) -> String {
        let text = self.text(&reason.text);
        let Some(subtask) = reason.subtask else {
            return text;
        };
        let case = reason.case.map(|case| format!("/{}", safe(case.as_str())));
        let (subtask, case) = (safe(subtask.as_str()), case.unwrap_or_default());
        format!("{subtask}{case}{}{text}", self.colon())
    }

    /// What changed the points after judging.
    pub(crate) fn adjustments(&self, problem: &ProblemView<'_>) -> impl Iterator<Item = String> {
        let all = problem.adjustments.iter();
        all.map(|adjustment| self.text(&adjustment.message))
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
            (problem.is_late(), self.pick("late", "迟交")),
            (problem.is_corrected(), self.pick("corrected", "人工修正")),
        ];
        words
            .into_iter()
            .filter_map(|(is_so, word)| is_so.then_some(word))
    }

    /// What the marks in a table of this class mean; `None` if it has none.
    pub(crate) fn legend(&self, class: &ClassView<'_>) -> Option<String> {
        let problems = class.students.iter().flat_map(|it| &it.problems);
        let marks: Vec<Marks> = problems.map(ProblemView::marks).collect();
        let is_by_hand = class.students.iter().any(|it| it.standing.is_by_hand());
        let all = [
            (
                is_by_hand,
                self.pick("+ ? points by hand are missing", "+ ? 尚待人工评分"),
            ),
            (
                marks.iter().any(|it| it.late),
                self.pick("L late", "L 迟交"),
            ),
            (
                marks.iter().any(|it| it.by_hand),
                self.pick("H points lost by hand", "H 人工评分扣分"),
            ),
            (
                marks.iter().any(|it| it.corrected),
                self.pick("* corrected by hand", "* 人工修正"),
            ),
        ];
        let words = all
            .into_iter()
            .filter_map(|(is_so, word)| is_so.then_some(word));
        let words: Vec<&str> = words.collect();
        (!words.is_empty()).then(|| words.join(" · "))
    }

    /// What a submission came to: its verdict, or what is missing though all that was judged is right.
    pub(crate) fn outcome(&self, problem: &ProblemView<'_>) -> (Option<&'static str>, String) {
        let verdict = || (Some(problem.verdict.code()), self.verdict(problem.verdict));
        match problem.status {
            _ if problem.failing_verdict().is_some() => verdict(),
            Status::Waiting(WhyOpen::ByHand(_)) => (None, self.missing_by_hand(problem)),
            Status::Short {
                why: Lost::ByHand, ..
            } => (
                None,
                self.pick("points lost by hand", "人工评分扣分").to_owned(),
            ),
            _ => verdict(),
        }
    }

    /// `points by hand are missing: style (5)`.
    fn missing_by_hand(&self, problem: &ProblemView<'_>) -> String {
        let missing = self.list(problem.to_grade().map(|it| self.with_worth(it)));
        self.pick(
            format!("points by hand are missing: {missing}"),
            format!("尚待人工评分：{missing}"),
        )
    }

    /// `style (5)`.
    fn with_worth(&self, subtask: &SubtaskView<'_>) -> String {
        let (name, most) = (safe(subtask.name.as_str()), subtask.max_points);
        self.pick(format!("{name} ({most})"), format!("{name}（{most} 分）"))
    }

    /// What is missing of the points of a problem so far; `None` if no points by hand are.
    pub(crate) fn so_far(&self, problem: &ProblemView<'_>) -> Option<String> {
        let is_by_hand = problem.status.is_by_hand();
        is_by_hand.then(|| {
            format!(
                "{}{}{}",
                self.earned(problem),
                self.comma(),
                self.missing_by_hand(problem)
            )
        })
    }

    /// What a person said about everything that a student submitted.
    pub(crate) fn comment(&self, text: &Text) -> String {
        self.pick("comment: ", "评语：").to_owned() + &self.text(text)
    }

    /// What a student objects to, and the answer, each after its label.
    pub(crate) fn objection<'a>(
        &self,
        student: &StudentView<'a>,
    ) -> impl Iterator<Item = (String, &'a Excerpt)> {
        let objects = student
            .objection
            .map(|it| (self.pick("objection:", "异议："), &it.text));
        let answer = student.objection.and_then(|it| it.answer.as_ref());
        let answer = answer.map(|it| (self.pick("answer:", "答复："), it));
        let both = objects.into_iter().chain(answer);
        both.map(|(label, words)| (label.to_owned(), words))
    }

    /// Language, files, toolchain and the time of building: `C · count.c · gcc 12.2.0 -O2 · built in 60 ms`.
    pub(crate) fn facts(&self, problem: &ProblemView<'_>) -> String {
        let mut parts = Vec::new();
        if let Some(language) = problem.language {
            parts.push(Languages::built_in().name(language).to_owned());
        }
        if !problem.files.is_empty() {
            parts.push(self.list(problem.files.iter().map(|file| safe(file))));
        }
        if let Some(build) = problem.build {
            parts.push(safe(&build.toolchain));
            let time = build.cpu;
            parts.push(self.pick(format!("built in {time}"), format!("编译用时 {time}")));
        }
        parts.join(" · ")
    }

    /// How many cases passed, the slowest, the most memory; or why nothing ran.
    pub(crate) fn subtask_run(&self, run: &SubtaskRun<'_>) -> String {
        let (passed, counted, skipped, slowest, memory) = match run {
            SubtaskRun::Nothing(why) => return self.text(why),
            SubtaskRun::ToGrade => {
                return self
                    .pick("points by hand are still missing", "尚待人工评分")
                    .to_owned();
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
            self.pick(
                format!("{passed} of {}", self.cases(counted)),
                format!("{counted} 个测试点中 {passed} 个通过"),
            )
        }];
        if *skipped > 0 {
            parts.push(self.pick(format!("{skipped} skipped"), format!("跳过 {skipped} 个")));
        }
        parts.extend(slowest.map(|(name, time)| {
            let name = safe(name.as_str());
            self.pick(
                format!("slowest {name}: {time}"),
                format!("最慢 {name}：{time}"),
            )
        }));
        let peak =
            |memory: Bytes| self.pick(format!("peak {memory}"), format!("内存峰值 {memory}"));
        parts.extend(memory.map(peak));
        parts.join(self.comma())
    }

    /// The items of a rubric that were given, and those that were not.
    fn rubric(&self, items: &[(&RubricItem, bool)]) -> String {
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
            return self.pick("graded by hand", "人工评分").to_owned();
        }
        parts.join(" · ")
    }

    /// Why results were not reused: `source changed and compiler changed`.
    pub(crate) fn changes(&self, changes: &[Change]) -> String {
        let texts = changes.iter().map(|change| self.text(&change.text()));
        texts.collect::<Vec<_>>().join(self.pick(" and ", "、"))
    }

    /// Which run of the ledger these results are: `run 3, started 2026-11-22 05:23:47 UTC`.
    pub(crate) fn run(&self, info: &RunInfo) -> String {
        let (id, began) = (info.id, moment(&info.began));
        self.pick(
            format!("run {id}, started {began}"),
            format!("第 {id} 次评测，开始于 {began}"),
        )
    }

    /// The machine: processor, cores, kernel.
    pub(crate) fn host(&self, host: &Host) -> Vec<String> {
        let cores = self.counted(host.cores, ["core", "cores"], "核");
        let mut parts = vec![safe(&host.cpu), cores, safe(&host.kernel)];
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The mean in a table.
    pub(crate) fn mean(mean: Option<Standing>) -> String {
        mean.map_or_else(|| "—".to_owned(), |mean| mean.to_string())
    }

    /// Full points in the head of a column: `of 35`, or `+10` for a bonus.
    pub(crate) fn most(&self, most: Points, bonus: bool) -> String {
        if bonus {
            return format!("+{most}");
        }
        self.pick(format!("of {most}"), format!("{most} 分"))
    }

    /// How many of so many students are graded, and the mean, the median and the full marks of these.
    pub(crate) fn statistics(&self, statistics: &Statistics, all: usize) -> String {
        let (graded, full) = (statistics.graded, statistics.full);
        let mut parts = vec![self.pick(
            format!("graded {graded} of {all}"),
            format!("已评分 {graded} / {all} 人"),
        )];
        if let Some([mean, median]) = statistics.averages {
            parts.push(self.pick(format!("mean {mean}"), format!("平均 {mean}")));
            parts.push(self.pick(format!("median {median}"), format!("中位数 {median}")));
            parts.push(self.pick(format!("{full} with full marks"), format!("满分 {full} 人")));
        }
        parts.join(" · ")
    }

    /// What something is worth: `35 points`.
    pub(crate) fn worth(&self, points: Points, bonus: bool) -> String {
        let noun = if points == Points::whole(1) {
            "point"
        } else {
            "points"
        };
        let (en, zh) = if bonus {
            ("bonus ", "附加 ")
        } else {
            ("", "")
        };
        self.pick(format!("{points} {en}{noun}"), format!("{zh}{points} 分"))
    }

    /// What an assignment is worth: `100 points and 10 bonus points`.
    pub(crate) fn assignment_worth(&self, info: &AssignmentInfo) -> String {
        let points = self.worth(info.points, false);
        if info.bonus == Points::ZERO {
            return points;
        }
        points + self.pick(" and ", "，") + &self.worth(info.bonus, true)
    }

    /// Points earned: `26.25 of 35 points`.
    pub(crate) fn earned(&self, problem: &ProblemView<'_>) -> String {
        self.points_of(problem.standing, problem.max_points, problem.bonus)
    }

    fn points_of(&self, standing: Standing, most: Points, bonus: bool) -> String {
        let worth = self.worth(most, bonus);
        let zh = if bonus { "附加 " } else { "" };
        match standing {
            Standing::Excused => self.pick(
                format!("excused (of {worth})"),
                format!("免做（满分 {most} 分）"),
            ),
            Standing::Open(WhyOpen::ByHand(so_far)) if so_far > Points::ZERO => self.pick(
                format!("{standing} of {worth}"),
                format!("{zh}{standing} / {most} 分"),
            ),
            Standing::Open(_) => self.pick(
                format!("not scored yet (of {worth})"),
                format!("{zh}尚未评分（满分 {most} 分）"),
            ),
            Standing::Scored(points) => self.pick(
                format!("{points} of {worth}"),
                format!("{zh}{points} / {most} 分"),
            ),
        }
    }

    /// Points in a column with a clear unit: `26.25` and `of 35`.
    pub(crate) fn share(&self, standing: Standing, most: Points) -> (String, String) {
        (
            standing.to_string(),
            self.pick(format!("of {most}"), format!("/ {most} 分")),
        )
    }

    /// `72.5 of 100 points, 0 of 10 bonus points`.
    pub(crate) fn totals(&self, student: &StudentView<'_>) -> String {
        let (most, bonus) = (student.most(false), student.most(true));
        let mut line = self.points_of(student.points, most, false);
        if bonus > Points::ZERO {
            line += self.comma();
            line += &self.points_of(student.bonus, bonus, true);
        }
        line
    }

    /// That the results are not complete.
    pub(crate) fn interrupted(&self) -> &'static str {
        self.pick(
            "interrupted before the end: the results are incomplete",
            "评测被中断，结果不完整",
        )
    }

    /// The heading of how a program fails on an input that no case has.
    pub(crate) fn beyond_cases(&self) -> &'static str {
        self.pick(
            "Fails on an input outside the test cases",
            "在测试点之外的输入上出错",
        )
    }

    /// Why there is no score, or none that is complete: a sentence for each cause. Empty if nothing is missing.
    pub(crate) fn no_score(&self, student: &StudentView<'_>) -> String {
        let waits = |is: fn(WhyOpen) -> bool| {
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
            waits(|it| it == WhyOpen::Fault(FaultCause::Grader)).then(|| self.pick(
                "There is no score yet: grading failed. This is not your program's fault; it will be graded again.".to_owned(),
                "还没有分数：评测出了故障。这不是你的程序的错，会重新评测。".to_owned(),
            )),
            waits(|it| it == WhyOpen::Fault(FaultCause::Unreadable)).then(|| self.pick(
                "There is no score yet: a person has to look at what was submitted.".to_owned(),
                "还没有分数：提交的内容需要人工查看。".to_owned(),
            )),
            waits(|it| it == WhyOpen::Fault(FaultCause::Unclear)).then(|| {
                self.pick(
                    "There is no score yet: a correction by hand has to say for which class it is.".to_owned(),
                    "还没有分数：有一项人工修正需要写明属于哪个班级。".to_owned(),
                )
            }),
            waits(|it| it == WhyOpen::NotJudged).then(|| self.pick(
                "There is no score yet: grading is not complete.".to_owned(),
                "还没有分数：评测尚未完成。".to_owned(),
            )),
            waits(|it| matches!(it, WhyOpen::ByHand(_))).then(|| self.pick(
                format!("The score is not complete: points by hand are still missing: {by_hand}."),
                format!("分数还不完整：以下部分尚待人工评分：{by_hand}。"),
            )),
            waits(|it| it == WhyOpen::SomeCases).then(|| self.pick(
                "There is no score: only some cases were run.".to_owned(),
                "没有分数：只运行了部分测试点。".to_owned(),
            )),
        ];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        sentences.join(self.pick(" ", ""))
    }
}

/// A moment as people read it: `2026-11-22 05:23:47 UTC`. It comes as `2026-11-22T05:23:47Z`.
pub fn moment(text: &str) -> String {
    safe(text).replacen('T', " ", 1).replacen('Z', " UTC", 1)
}
