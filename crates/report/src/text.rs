//! Sentences that several reports share, in English and Chinese.
//!
//! A text that one place uses stands there. Messages of checkers, languages and the judge come as [`grader_model::Text`].

mod timing;

use grader_model::{Lang, Points, Verdict};

/// The texts of one language.
#[derive(Clone, Copy)]
pub(crate) struct Words(pub(crate) Lang);

impl Words {
    /// A text that takes no values.
    pub(crate) fn say(self, phrase: Phrase) -> &'static str {
        let (en, zh) = phrase.texts();
        self.0.pick(en, zh)
    }

    pub(crate) fn verdict(self, verdict: Verdict) -> String {
        verdict.name().get(self.0).to_owned()
    }

    pub(crate) fn students(self, count: usize) -> String {
        self.counted(count, ["student", "students"], "名学生")
    }

    pub(crate) fn cases(self, count: usize) -> String {
        self.counted(count, ["case", "cases"], "个测试点")
    }

    pub(crate) fn counted(self, count: usize, [one, many]: [&str; 2], zh: &str) -> String {
        let noun = if count == 1 { one } else { many };
        format!("{count} {}", self.0.pick(noun, zh))
    }

    /// What something is worth: `35 points`.
    pub(crate) fn worth(self, points: Points, bonus: bool) -> String {
        let noun = match (points == Points::whole(1), bonus) {
            (true, false) => "point",
            (true, true) => "bonus point",
            (false, false) => "points",
            (false, true) => "bonus points",
        };
        let prefix = if bonus { "附加 " } else { "" };
        self.0
            .pick(format!("{points} {noun}"), format!("{prefix}{points} 分"))
    }

    /// What an assignment is worth: `100 points and 10 bonus points`.
    pub(crate) fn assignment_worth(self, points: Points, bonus: Points) -> String {
        let points = self.worth(points, false);
        if bonus == Points::ZERO {
            return points;
        }
        let and = self.0.pick(" and ", "，");
        format!("{points}{and}{}", self.worth(bonus, true))
    }

    /// Points earned: `26.25 of 35 points`.
    pub(crate) fn earned(self, points: Option<Points>, most: Points, bonus: bool) -> String {
        let worth = self.worth(most, bonus);
        let prefix = if bonus { "附加 " } else { "" };
        match points {
            None => self.0.pick(
                format!("not graded, of {worth}"),
                format!("{prefix}尚未评分（满分 {most} 分）"),
            ),
            Some(points) => self.0.pick(
                format!("{points} of {worth}"),
                format!("{prefix}{points} / {most} 分"),
            ),
        }
    }

    /// Points in a column whose unit is clear: `26.25` and `of 35`.
    pub(crate) fn share(self, points: Option<Points>, most: Points) -> (String, String) {
        let points = points.map_or_else(|| "?".to_owned(), |points| points.to_string());
        let most = self.0.pick(format!("of {most}"), format!("/ {most} 分"));
        (points, most)
    }

    /// Second line of a column's head: its largest value.
    pub(crate) fn at_most(self, most: Points, bonus: bool) -> String {
        if bonus {
            return format!("+{most}");
        }
        self.0.pick(format!("of {most}"), format!("{most} 分"))
    }

    /// `72.5 of 100 points, 0 of 10 bonus points`.
    pub(crate) fn totals(
        self,
        points: Option<Points>,
        most: Points,
        bonus: Option<Points>,
        most_bonus: Points,
    ) -> String {
        let mut line = self.earned(points, most, false);
        if most_bonus > Points::ZERO {
            line.push_str(self.say(Phrase::Comma));
            line.push_str(&self.earned(bonus, most_bonus, true));
        }
        line
    }

    pub(crate) fn more_lines(self, lines: usize) -> String {
        let are = if lines == 1 { "line is" } else { "lines are" };
        self.0.pick(
            format!("{lines} more {are} left out"),
            format!("还有 {lines} 行未显示"),
        )
    }

    /// Why there is no score.
    pub(crate) fn no_score(self) -> &'static str {
        self.0.pick(
            "There is no score yet: grading failed or was interrupted. This is not your program's fault; it will be graded \
             again.",
            "还没有分数：评测故障或被中断。这不是你的程序的错，会重新评测。",
        )
    }

    /// Name of the row about building a program.
    pub(crate) fn build(self) -> &'static str {
        self.0.pick("build", "编译")
    }

    /// How many annotations are left out.
    pub(crate) fn more_annotations(self, count: usize) -> String {
        self.0.pick(
            format!("and {count} more; the summary has all"),
            format!("另有 {count} 条；见汇总"),
        )
    }
}

/// A text that takes no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phrase {
    Bonus,
    Colon,
    Comma,
    Interrupted,
    ListComma,
    NotJudged,
    Student,
    Total,
}

impl Phrase {
    /// English and Chinese.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Bonus => ("bonus", "附加"),
            Self::Colon => (": ", "："),
            Self::Comma => (", ", "，"),
            Self::Interrupted => (
                "interrupted before the end: the results are incomplete",
                "评测被中断，结果不完整",
            ),
            Self::ListComma => (", ", "、"),
            Self::NotJudged => ("files that were not judged", "没有评测的文件"),
            Self::Student => ("student", "学生"),
            Self::Total => ("total", "总分"),
        }
    }
}
