//! `[checker.…]` as it is written: every checker with its options.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::defaults_and_maxima::MemorySize;
use crate::problem::CheckerProtocol;
use crate::value::{At, Count, Scalar, Time, Tolerance};

/// What decides whether an answer is right: exactly one checker.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckerFile {
    /// Byte for byte.
    Exact(NoOptions),
    /// Line by line; blanks at the end of lines and blank lines at the end are forgiven.
    Lines(NoOptions),
    /// Token by token; any white space between them.
    Tokens(TokensFile),
    /// Token by token, numbers by value. At least one of `absolute` and `relative`.
    Numbers(At<NumbersFile>),
    /// A board drawn with two symbols.
    QueensBoard(QueensBoardFile),
    /// The column of the queen of each row.
    QueensColumns(QueensColumnsFile),
    /// A program of the problem's author.
    Program(ProgramFile),
}

/// No options.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoOptions {}

/// Options of `tokens`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct TokensFile {
    /// Whether upper and lower case differ.
    #[serde(default = "yes")]
    pub(crate) case_sensitive: bool,
    /// Whether the white space must be the same byte for byte.
    #[serde(default)]
    pub(crate) space_change_sensitive: bool,
}

/// Options of `numbers`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct NumbersFile {
    /// Largest absolute difference.
    pub(crate) absolute: Option<Tolerance>,
    /// Largest difference relative to the expected value.
    pub(crate) relative: Option<Tolerance>,
    /// Whether upper and lower case differ in what is no number.
    #[serde(default = "yes")]
    pub(crate) case_sensitive: bool,
    /// Whether the white space must be the same byte for byte.
    #[serde(default)]
    pub(crate) space_change_sensitive: bool,
}

fn yes() -> bool {
    true
}

/// Options of `queens-board`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct QueensBoardFile {
    /// Number of rows and columns, 1 to 10000.
    pub(crate) size: At<Scalar>,
    /// The symbol of a queen.
    pub(crate) queen: At<String>,
    /// The symbol of an empty cell.
    pub(crate) blank: At<String>,
    /// The text between the cells of a row. Default: none.
    #[serde(default)]
    pub(crate) separator: String,
}

/// Options of `queens-columns`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct QueensColumnsFile {
    /// Number of rows and columns, 1 to 10000000.
    pub(crate) size: At<Scalar>,
    /// The number of the first column: 0 or 1.
    pub(crate) base: Count<0, 1>,
}

/// Options of `program`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ProgramFile {
    /// A source file, or a folder of them, in the problem's folder.
    pub(crate) source: At<String>,
    /// How it is started and how it answers: as Kattis' output validators or as testlib's checkers.
    #[serde(default)]
    pub(crate) protocol: CheckerProtocol,
    /// Further command-line arguments, templates.
    #[serde(default)]
    pub(crate) arguments: Vec<At<Scalar>>,
    /// Its CPU time for one case. Default: 10 s.
    pub(crate) time: Option<Time>,
    /// Its memory, 1 MiB to 64 GiB. Default: 1 GiB.
    pub(crate) memory: Option<MemorySize>,
}
