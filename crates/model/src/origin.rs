//! Origin of a result: this run, or an earlier one in the ledger.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Text;

/// A ledger's run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RunInfo {
    /// Its number in the ledger, from 1.
    pub id: u64,
    /// When it began: RFC 3339, UTC, to the second.
    pub began: String,
}

/// Origin of a submission's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum Origin {
    /// It was judged in this run.
    Ran {
        /// Why the result of an earlier run could not be reused; empty if there is none.
        because: Vec<Change>,
    },
    /// It is the result of an earlier run.
    Reused {
        /// That run.
        run: u64,
    },
}

/// Reason why an earlier result cannot be reused.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The student's files have changed.
    Sources,
    /// The problem has changed: its file, the files of its cases, the reference, a checker, or its points.
    // Ledgers of earlier versions have both words.
    #[serde(alias = "running")]
    Judging,
    /// The compiler, its version or its flags have changed.
    Toolchain,
    /// The grader has changed.
    Grader,
    /// The machine has changed.
    Host,
    /// The isolation has changed.
    Isolation,
    /// The program may draw random numbers, so an earlier run says nothing about this one.
    Random,
    /// The earlier result was a fault of ours.
    Fault,
    /// The program did not compile: building it again is cheap, and a missing tool may be installed now.
    CompileError,
    /// The stored result cannot be read.
    Unread,
    /// `--fresh` reuses nothing.
    Fresh,
}

impl Change {
    /// A few words for people.
    pub fn text(self) -> Text {
        match self {
            Self::Sources => Text::new("source changed", "源程序有改动"),
            Self::Judging => Text::new("problem changed", "题目有改动"),
            Self::Toolchain => Text::new("compiler changed", "编译器有变动"),
            Self::Grader => Text::new("grader changed", "评测系统有变动"),
            Self::Host => Text::new("machine changed", "机器有变动"),
            Self::Isolation => Text::new("isolation changed", "隔离方式有变动"),
            Self::Random => Text::new("may use random numbers", "可能使用随机数"),
            Self::Fault => Text::new("grading failed before", "上次评测故障"),
            Self::CompileError => Text::new("did not compile before", "上次编译错误"),
            Self::Unread => Text::new("stored result unreadable", "保存的结果无法读取"),
            Self::Fresh => Text::new("with `--fresh`", "使用了 `--fresh`"),
        }
    }
}
