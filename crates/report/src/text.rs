//! Sentences that several reports share, in English and Chinese.
//!
//! A text that one place uses stands there. Messages of checkers, languages and the judge come as [`grader_model::Text`].

mod timing;

use grader_model::{AssignmentInfo, Points, ProblemResult, Standing, StudentResult, Verdict};

use crate::style::Style;

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

    pub(crate) fn students(&self, count: usize) -> String {
        self.counted(count, ["student", "students"], "名学生")
    }

    pub(crate) fn cases(&self, count: usize) -> String {
        self.counted(count, ["case", "cases"], "个测试点")
    }

    pub(crate) fn counted(&self, count: usize, [one, many]: [&str; 2], zh: &str) -> String {
        let noun = if count == 1 { one } else { many };
        format!("{count} {}", self.pick(noun, zh))
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
    pub(crate) fn earned(&self, problem: &ProblemResult) -> String {
        self.points_of(problem.standing(), problem.max_points, problem.bonus)
    }

    fn points_of(&self, standing: Standing, most: Points, bonus: bool) -> String {
        let worth = self.worth(most, bonus);
        let zh = if bonus { "附加 " } else { "" };
        match standing {
            Standing::Excused => self.pick(
                format!("excused (of {worth})"),
                format!("免做（满分 {most} 分）"),
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
    pub(crate) fn totals(&self, student: &StudentResult) -> String {
        let most = |bonus| -> Points {
            let problems = student.problems.iter().filter(|it| it.bonus == bonus);
            problems.map(|problem| problem.max_points).sum()
        };
        let mut line = self.points_of(student.standing_without_bonus(), most(false), false);
        if most(true) > Points::ZERO {
            line += self.comma();
            line += &self.points_of(student.standing_of_bonus(), most(true), true);
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

    /// Why there is no score.
    pub(crate) fn no_score(&self) -> &'static str {
        self.pick(
            "There is no score yet: grading failed or is not complete. This is not your program's fault; it will be graded \
             again.",
            "还没有分数：评测故障或尚未完成。这不是你的程序的错，会重新评测。",
        )
    }
}
