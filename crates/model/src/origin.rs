//! Where a result comes from: this run, or an earlier one that the ledger kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Text;

/// One grading of a class, as the ledger names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RunInfo {
    /// Its number in the ledger, from 1.
    pub id: u64,
    /// When it began: RFC 3339, UTC, to the second.
    pub began: String,
}

/// Where the result of a submission comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
pub enum Origin {
    /// It was built and run in this run.
    Ran {
        /// Why the stored result of an earlier run could not be reused; empty if there is none.
        because: Vec<Change>,
    },
    /// It is the result of an earlier run.
    Reused {
        /// That run.
        run: u64,
    },
}

/// Why an earlier result cannot be taken.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The student's files are others.
    Sources,
    /// The problem is another: its file, the files of its cases, the reference, a checker, or its points.
    // Ledgers of earlier versions have both words.
    #[serde(alias = "running")]
    Judging,
    /// The compiler, its version or its flags are others.
    Toolchain,
    /// The grader is another.
    Grader,
    /// The machine is another.
    Host,
    /// Programs are isolated in another way.
    Isolation,
    /// The program may draw random numbers: an earlier run says nothing of this one.
    Random,
    /// The earlier result was a fault of ours.
    Fault,
    /// The program did not compile: building it again costs little, and what was missing may be there now.
    CompileError,
    /// The stored result cannot be read.
    Unread,
    /// It was asked that nothing earlier be taken.
    Fresh,
}

impl Change {
    /// A few words for people.
    pub fn text(self) -> Text {
        match self {
            Self::Sources => Text::new("source changed", "源程序已改"),
            Self::Judging => Text::new("problem changed", "题目已改"),
            Self::Toolchain => Text::new("compiler changed", "编译器已变"),
            Self::Grader => Text::new("grader changed", "评测程序已变"),
            Self::Host => Text::new("machine changed", "机器已变"),
            Self::Isolation => Text::new("isolation changed", "隔离方式已变"),
            Self::Random => Text::new("may use random numbers", "可能使用随机数"),
            Self::Fault => Text::new("grading failed before", "上次评测故障"),
            Self::CompileError => Text::new("did not compile before", "上次编译错误"),
            Self::Unread => Text::new("stored result unreadable", "保存的结果无法读取"),
            Self::Fresh => Text::new("with `--fresh`", "使用了 `--fresh`"),
        }
    }
}
