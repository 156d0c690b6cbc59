//! Verdicts.

use std::fmt;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::Text;

/// A verdict, with the usual codes.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    VariantArray,
)]
pub enum Verdict {
    /// Accepted.
    #[serde(rename = "AC")]
    Accepted,
    /// Partially correct: some cases passed and earned points, or a case earned a part of its points.
    #[serde(rename = "PC")]
    PartiallyCorrect,
    /// The right answer in the wrong layout, or inside extra text.
    #[serde(rename = "PE")]
    PresentationError,
    /// Wrong answer.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// Over the CPU or wall time limit.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// Over the memory limit.
    #[serde(rename = "MLE")]
    MemoryLimit,
    /// Over the output limit.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// Ended by a signal, an uncaught exception or a non-zero exit status.
    #[serde(rename = "RE")]
    RuntimeError,
    /// Could not be built.
    #[serde(rename = "CE")]
    CompileError,
    /// Not run: nothing submitted, or a required subtask was not passed.
    #[default]
    #[serde(rename = "SK")]
    Skipped,
    /// A fault, or work that could not be opened. There is no score.
    #[serde(rename = "JE")]
    JudgeError,
}

impl Verdict {
    /// All verdicts, in the order of lists.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The code, and the name in both languages.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Accepted => ("AC", "accepted", "通过"),
            Self::PartiallyCorrect => ("PC", "partially correct", "部分正确"),
            Self::PresentationError => ("PE", "presentation error", "格式错误"),
            Self::WrongAnswer => ("WA", "wrong answer", "答案错误"),
            Self::TimeLimit => ("TLE", "time limit exceeded", "超出时间限制"),
            Self::MemoryLimit => ("MLE", "memory limit exceeded", "超出内存限制"),
            Self::OutputLimit => ("OLE", "output limit exceeded", "超出输出限制"),
            Self::RuntimeError => ("RE", "runtime error", "运行错误"),
            Self::CompileError => ("CE", "compile error", "编译错误"),
            Self::Skipped => ("SK", "skipped", "未运行"),
            Self::JudgeError => ("JE", "judge error", "评测故障"),
        }
    }

    /// The code: `AC`.
    pub const fn code(self) -> &'static str {
        self.words().0
    }

    /// The name: `accepted`.
    pub fn name(self) -> &'static Text {
        static NAMES: LazyLock<Vec<Text>> = LazyLock::new(|| {
            let words = Verdict::ALL.iter().map(|verdict| verdict.words());
            words.map(|(_, en, zh)| Text::new(en, zh)).collect()
        });
        &NAMES[self as usize]
    }

    /// Whether a case with this verdict fails: it was run, and earns nothing.
    pub fn fails(self) -> bool {
        !matches!(
            self,
            Self::Accepted | Self::PartiallyCorrect | Self::Skipped
        )
    }

    /// Combines the verdicts of parts into the verdict of the whole.
    ///
    /// If all are accepted, accepted. If any is a judge error, a judge error. If points were earned, partially correct.
    /// Otherwise, the first that is not accepted. Without parts, skipped.
    pub fn fold(parts: impl IntoIterator<Item = Self>, earned: bool) -> Self {
        let parts: Vec<Self> = parts.into_iter().collect();
        let failure = parts.iter().find(|verdict| **verdict != Self::Accepted);
        match failure {
            _ if parts.is_empty() => Self::Skipped,
            _ if parts.contains(&Self::JudgeError) => Self::JudgeError,
            None => Self::Accepted,
            Some(_) if earned => Self::PartiallyCorrect,
            Some(verdict) => *verdict,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted, JudgeError, PartiallyCorrect, Skipped, TimeLimit, WrongAnswer};

    #[test]
    fn a_whole_is_accepted_only_when_every_part_is() {
        assert_eq!(Verdict::fold([Accepted, Accepted], true), Accepted);
        assert_eq!(Verdict::fold([Accepted, TimeLimit], true), PartiallyCorrect);
        assert_eq!(
            Verdict::fold([Accepted, TimeLimit, WrongAnswer], false),
            TimeLimit
        );
        assert_eq!(Verdict::fold([], false), Skipped);
    }

    #[test]
    fn our_failure_is_never_hidden_by_a_students() {
        assert_eq!(Verdict::fold([WrongAnswer, JudgeError], true), JudgeError);
    }

    #[test]
    fn every_verdict_is_its_code_in_json() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.code());
        }
    }
}
