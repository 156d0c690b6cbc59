//! Every text that a renderer says by itself, in English and Chinese.
//!
//! Messages of checkers, languages and the judge come as [`grader_model::Text`] and are not here.

mod attempts;
mod fairness;
mod machines;
mod runs;

use grader_model::{Lang, Points, Verdict};

pub(crate) use fairness::CloseCalls;

/// The words of one language.
#[derive(Clone, Copy)]
pub(crate) struct Words(pub(crate) Lang);

impl Words {
    /// A word or phrase that takes no values.
    pub(crate) const fn say(self, phrase: Phrase) -> &'static str {
        let (en, zh) = phrase.words();
        match self.0 {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    pub(crate) fn verdict(self, verdict: Verdict) -> String {
        verdict.name().get(self.0).to_owned()
    }

    pub(crate) fn students(self, count: usize) -> String {
        self.counted(count, "student", "students", "名学生")
    }

    pub(crate) fn cases(self, count: usize) -> String {
        self.counted(count, "case", "cases", "个测试点")
    }

    pub(crate) fn cores(self, count: usize) -> String {
        self.counted(count, "core", "cores", "核")
    }

    fn counted(self, count: usize, one: &str, many: &str, zh: &str) -> String {
        match (self.0, count) {
            (Lang::En, 1) => format!("1 {one}"),
            (Lang::En, _) => format!("{count} {many}"),
            (Lang::Zh, _) => format!("{count} {zh}"),
        }
    }

    /// What something is worth: `35 points`.
    pub(crate) fn worth(self, points: Points, bonus: bool) -> String {
        let one = points == Points::whole(1);
        match (self.0, bonus) {
            (Lang::En, false) if one => "1 point".to_owned(),
            (Lang::En, false) => format!("{points} points"),
            (Lang::En, true) if one => "1 bonus point".to_owned(),
            (Lang::En, true) => format!("{points} bonus points"),
            (Lang::Zh, false) => format!("{points} 分"),
            (Lang::Zh, true) => format!("附加 {points} 分"),
        }
    }

    /// What an assignment is worth: `100 points and 10 bonus points`.
    pub(crate) fn assignment_worth(self, points: Points, bonus: Points) -> String {
        let points = self.worth(points, false);
        if bonus == Points::ZERO {
            return points;
        }
        let bonus = self.worth(bonus, true);
        match self.0 {
            Lang::En => format!("{points} and {bonus}"),
            Lang::Zh => format!("{points}，{bonus}"),
        }
    }

    /// Points earned: `26.25 of 35 points`.
    pub(crate) fn earned(self, points: Option<Points>, most: Points, bonus: bool) -> String {
        let Some(points) = points else {
            return match self.0 {
                Lang::En => format!("not graded, of {}", self.worth(most, bonus)),
                Lang::Zh => format!("尚未评分（满分 {most} 分）"),
            };
        };
        match self.0 {
            Lang::En => format!("{points} of {}", self.worth(most, bonus)),
            Lang::Zh if bonus => format!("附加 {points} / {most} 分"),
            Lang::Zh => format!("{points} / {most} 分"),
        }
    }

    /// Points in a column whose unit is understood: `26.25 of 35`.
    pub(crate) fn share(self, points: Option<Points>, most: Points) -> (String, String) {
        let points = points.map_or_else(|| "?".to_owned(), |points| points.to_string());
        match self.0 {
            Lang::En => (points, format!("of {most}")),
            Lang::Zh => (points, format!("/ {most} 分")),
        }
    }

    /// Second line of a column's head: what is in it at most.
    pub(crate) fn at_most(self, most: Points, bonus: bool) -> String {
        match (self.0, bonus) {
            (_, true) => format!("+{most}"),
            (Lang::En, false) => format!("of {most}"),
            (Lang::Zh, false) => format!("{most} 分"),
        }
    }

    /// `26.1 s of 26.1 s CPU`.
    pub(crate) fn used_of(self, used: &str, limit: &str, unit: Phrase) -> String {
        let unit = self.say(unit);
        match self.0 {
            Lang::En if unit.is_empty() => format!("{used} of {limit}"),
            Lang::En => format!("{used} of {limit} {unit}"),
            Lang::Zh => format!("{unit} {used}，限 {limit}").trim_start().to_owned(),
        }
    }

    /// `slowest n=16 1.3 s`.
    pub(crate) fn slowest(self, case: &str, time: &str) -> String {
        match self.0 {
            Lang::En => format!("slowest {case} {time}"),
            Lang::Zh => format!("最慢 {case} {time}"),
        }
    }

    /// `5 of 6 cases`.
    pub(crate) fn passed(self, passed: usize, all: usize) -> String {
        if passed == all {
            return self.cases(all);
        }
        match self.0 {
            Lang::En => format!("{passed} of {}", self.cases(all)),
            Lang::Zh => format!("{all} 个测试点中 {passed} 个通过"),
        }
    }

    /// `s03: 72.5 of 100 points, 0 of 10 bonus points`.
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

    pub(crate) fn statistics(
        self,
        graded: usize,
        all: usize,
        class: Option<&ClassNumbers>,
    ) -> String {
        let mut parts = vec![match self.0 {
            Lang::En => format!("graded {graded} of {all}"),
            Lang::Zh => format!("已评分 {graded} / {all} 人"),
        }];
        if let Some(ClassNumbers { mean, median, full }) = class {
            parts.push(format!("{} {mean}", self.say(Phrase::Mean)));
            parts.push(match self.0 {
                Lang::En => format!("median {median}"),
                Lang::Zh => format!("中位数 {median}"),
            });
            parts.push(match self.0 {
                Lang::En => format!("full marks {full}"),
                Lang::Zh => format!("满分 {full} 人"),
            });
        }
        parts.join(" · ")
    }

    /// What is said of a run that was stopped.
    pub(crate) fn interrupted(self, graded: usize, all: usize) -> String {
        match self.0 {
            Lang::En => format!(
                "interrupted before the end: {graded} of {} graded",
                self.students(all)
            ),
            Lang::Zh => format!("评测被中断：{all} 名学生中已评完 {graded} 名"),
        }
    }

    pub(crate) fn built_in(self, time: &str) -> String {
        match self.0 {
            Lang::En => format!("built in {time}"),
            Lang::Zh => format!("编译用时 {time}"),
        }
    }

    pub(crate) fn left_out(self, bytes: u64) -> String {
        match self.0 {
            Lang::En => format!("{bytes} more bytes are left out"),
            Lang::Zh => format!("还有 {bytes} 字节未显示"),
        }
    }

    pub(crate) fn more_lines(self, lines: usize) -> String {
        match self.0 {
            Lang::En if lines == 1 => "1 more line is left out".to_owned(),
            Lang::En => format!("{lines} more lines are left out"),
            Lang::Zh => format!("还有 {lines} 行未显示"),
        }
    }
}

/// Mean, median and number of full marks of a class.
pub(crate) struct ClassNumbers {
    pub(crate) mean: Points,
    pub(crate) median: Points,
    pub(crate) full: usize,
}

/// A word or phrase that takes no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phrase {
    AllFine,
    Bonus,
    BuildFailures,
    Calibration,
    Cases,
    CloseCalls,
    Colon,
    Comma,
    Cpu,
    Expected,
    Faults,
    Flag,
    Flags,
    Found,
    FittedLine,
    HandedInFaults,
    Hint,
    Interrupted,
    Isolation,
    LayersBasic,
    LayersStrict,
    LayoutFailures,
    ListComma,
    Mean,
    Measured,
    Memory,
    Missing,
    NearLimit,
    NeedsAHuman,
    NoReason,
    NotASandbox,
    NotJudged,
    Notes,
    NothingHandedIn,
    OpenNearLimits,
    Output,
    Semicolon,
    Stderr,
    Stopped,
    Student,
    TooFastToMeasure,
    TooNearLimit,
    Total,
    Unfinished,
    Unjudged,
    Unused,
    Wall,
}

impl Phrase {
    /// English and Chinese.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::AllFine => ("Nothing needs a human.", "没有需要人工处理的情况。"),
            Self::Bonus => ("bonus", "附加"),
            Self::BuildFailures => ("Compile errors", "编译错误"),
            Self::Calibration => ("calibration", "校准"),
            Self::Cases => ("cases", "个测试点"),
            Self::CloseCalls => ("close calls", "临界结果"),
            Self::Colon => (": ", "："),
            Self::Comma => (", ", "，"),
            Self::Cpu => ("CPU", "CPU"),
            Self::Expected => ("expected", "应为"),
            Self::Faults => (
                "Not graded: our failure, not the student's",
                "尚未评分：是评测故障，不是学生的错",
            ),
            Self::Flag => ("flag", "留意"),
            Self::Flags => (
                "Flags: worth a look, no points taken",
                "留意：值得看一眼，不影响分数",
            ),
            Self::Found => ("found", "实为"),
            Self::FittedLine => ("fitted line", "拟合直线"),
            Self::HandedInFaults => (
                "Not graded: what was handed in needs a look",
                "尚未评分：需要查看提交的内容",
            ),
            Self::Hint => ("hint", "建议"),
            Self::Interrupted => (
                "interrupted before the end: what is shown is not everything",
                "评测被中断：以下不是全部结果",
            ),
            Self::Isolation => ("isolation", "隔离"),
            Self::LayersBasic => ("basic", "基本"),
            Self::LayersStrict => ("strict", "严格"),
            Self::LayoutFailures => (
                "Presentation errors: the answer is right, the layout is not",
                "格式错误：答案对，格式不对",
            ),
            Self::ListComma => (", ", "、"),
            Self::Mean => ("mean", "平均"),
            Self::Measured => ("measured", "已测"),
            Self::Memory => ("memory", "内存"),
            Self::Missing => ("missing", "缺少"),
            Self::NearLimit => ("near the limit", "接近限制"),
            Self::NeedsAHuman => ("What needs a human", "需要人工处理"),
            Self::NoReason => ("no reason is given", "没有给出原因"),
            Self::NotASandbox => ("not a sandbox", "不是沙箱"),
            Self::NotJudged => ("files that were not judged", "没有评测的文件"),
            Self::Notes => (
                "What else is known of what was handed in",
                "关于提交的其他情况",
            ),
            Self::NothingHandedIn => ("Nothing submitted", "没有提交"),
            Self::OpenNearLimits => (
                "Near a time limit and not settled",
                "接近时间限制，没有定论",
            ),
            Self::Output => ("output", "输出"),
            Self::Semicolon => ("; ", "；"),
            Self::Stderr => ("standard error", "标准错误输出"),
            Self::Stopped => ("stopped at its limit", "到限被中止"),
            Self::Student => ("student", "学生"),
            Self::TooFastToMeasure => ("too fast to measure", "太快，测不出"),
            Self::TooNearLimit => ("too near the limit to tell", "太接近限制，难以断定"),
            Self::Total => ("total", "总分"),
            Self::Unfinished => (
                "Not everything was judged: grade once more.",
                "没有全部评完：请再评一次。",
            ),
            Self::Unjudged => (
                "Not judged: the run was interrupted",
                "没有评测：评测被中断",
            ),
            Self::Unused => (
                "Files that were not judged and may be programs",
                "没有评测、但可能是程序的文件",
            ),
            Self::Wall => ("wall time", "实际时间"),
        }
    }
}
