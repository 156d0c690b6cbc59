//! `[checker.…]` as it is written: every checker with its options.

use schemars::{JsonSchema, json_schema};
use serde::Deserialize;

use crate::author_program::CheckerProtocol;
use crate::constants::MAX_VALIDATORS;
use crate::problem::{TokenOptions, yes};
use crate::value::{At, Count, MemorySize, Scalar, Time, Tolerance, value};

/// When an output is right: exactly one of these checkers.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckerFile {
    /// Every byte is the same.
    Exact(NoOptions),
    /// The lines are the same. Spaces at the end of lines and blank lines at the end do not matter.
    Lines(LinesFile),
    /// The words are the same, with any white space between them.
    Tokens(TokenOptions),
    /// As `tokens`, but numbers are compared by value. At least one of `absolute` and `relative`.
    Numbers(At<NumbersFile>),
    /// Texts and patterns appear in the output; the rest of it does not matter.
    Contains(ContainsFile),
    /// A legal board of n queens, drawn with two symbols.
    QueensBoard(QueensBoardFile),
    /// A legal board of n queens, as the column of each row's queen.
    QueensColumns(QueensColumnsFile),
    /// Your own program accepts the output.
    Program(ProgramFile),
}

/// No options.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoOptions {}

/// Options of `lines`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LinesFile {
    /// Whether the lines may come in any order, each as often as in the answer. Default: `false`.
    #[serde(default)]
    pub(crate) any_order: bool,
}

/// Options of `numbers`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct NumbersFile {
    /// Largest absolute difference.
    pub(crate) absolute: Option<Tolerance>,
    /// Largest difference as a fraction of the expected number.
    pub(crate) relative: Option<Tolerance>,
    /// Whether upper and lower case differ in words that are not numbers. Default: `true`.
    #[serde(default = "yes")]
    pub(crate) case_sensitive: bool,
    /// Whether white space must be the same too. Default: `false`.
    #[serde(default)]
    pub(crate) space_change_sensitive: bool,
    /// Whether only numbers are compared, so that labels and units do not matter: `mean = 2.5, sd = 1.1 cm`. Default:
    /// `false`.
    #[serde(default)]
    pub(crate) skip_words: bool,
}

/// Options of `contains`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ContainsFile {
    /// Texts that appear in this order, templates: `["total: {total}"]`. White space may be any white space, and a number at either end
    /// is never part of a longer one. Default: the lines of the answer, or none if there is a `pattern`.
    pub(crate) text: Option<Vec<At<Scalar>>>,
    /// Regular expressions that match in this order: `["Enter .*:"]`. `^` and `$` are the ends of a line. Default: none.
    #[serde(default)]
    pub(crate) pattern: Vec<At<String>>,
    /// Texts that must not appear, templates: `["Traceback"]`. Default: none.
    #[serde(default)]
    pub(crate) never: Vec<At<Scalar>>,
    /// Whether upper and lower case differ. Default: `true`.
    #[serde(default = "yes")]
    pub(crate) case_sensitive: bool,
}

/// A step of a dialogue: exactly one of these.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct StepTable {
    /// A line of input, a template.
    send: Option<At<Scalar>>,
    /// A text that appears after what was expected before, a template.
    expect: Option<At<Scalar>>,
    /// A regular expression that matches after what was expected before.
    expect_pattern: Option<At<String>>,
}

pub(crate) enum StepFile {
    Send(At<Scalar>),
    Expect(At<Scalar>),
    ExpectPattern(At<String>),
}

impl TryFrom<StepTable> for StepFile {
    type Error = &'static str;

    fn try_from(step: StepTable) -> Result<Self, Self::Error> {
        match (step.send, step.expect, step.expect_pattern) {
            (Some(line), None, None) => Ok(Self::Send(line)),
            (None, Some(text), None) => Ok(Self::Expect(text)),
            (None, None, Some(pattern)) => Ok(Self::ExpectPattern(pattern)),
            _ => Err("expected exactly one of `send`, `expect` and `expect-pattern`"),
        }
    }
}

value!(
    StepFile,
    "a step of a dialogue",
    |generator| generator.subschema_for::<StepTable>(),
    table: StepTable
);

/// What standard error contains.
pub(crate) enum StderrFile {
    Text(Scalar),
    Rule(ContainsFile),
}

impl From<&str> for StderrFile {
    fn from(text: &str) -> Self {
        Self::Text(Scalar(text.to_owned()))
    }
}

impl From<ContainsFile> for StderrFile {
    fn from(rule: ContainsFile) -> Self {
        Self::Rule(rule)
    }
}

value!(
    StderrFile,
    "a text, or a table with `text`, `pattern` or `never`",
    |generator| {
        let rule = generator.subschema_for::<ContainsFile>();
        json_schema!({ "anyOf": [{ "type": "string" }, rule] })
    },
    string: &str,
    table: ContainsFile
);

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

/// A program that you provide: a checker, an interactor or a validator.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ProgramFile {
    /// A source file, or a folder of them, in the problem's folder.
    pub(crate) source: At<String>,
    /// How it is called and answers: `"kattis"` (output validators), `"testlib"` (checkers and interactors), `"hustoj"` or `"cms"`
    /// (checkers), or `"junit"` (interactors that write a report of unit tests to `report.xml` in their feedback folder). Default:
    /// `"kattis"`.
    #[serde(default)]
    pub(crate) protocol: CheckerProtocol,
    /// Further command-line arguments, templates.
    #[serde(default)]
    pub(crate) arguments: Vec<At<Scalar>>,
    /// Its CPU time for one case. Default: 10 s.
    pub(crate) time: Option<Time>,
    /// Its memory, 1 MiB to 64 GiB. Default: 1 GiB.
    pub(crate) memory: Option<MemorySize>,
    /// Its simultaneous processes and threads, 1 to 1024. Only the sandbox enforces it. Default: 1.
    pub(crate) processes: Option<Count<1, 1024>>,
}

/// The validators of an input, which must all accept it.
pub(crate) struct Validators(pub(crate) Vec<ProgramFile>);

impl From<ProgramFile> for Validators {
    fn from(one: ProgramFile) -> Self {
        Self(vec![one])
    }
}

impl TryFrom<Vec<ProgramFile>> for Validators {
    type Error = String;

    fn try_from(all: Vec<ProgramFile>) -> Result<Self, String> {
        if all.len() > MAX_VALIDATORS {
            let count = all.len();
            return Err(format!(
                "expected at most {MAX_VALIDATORS} validators, found {count}"
            ));
        }
        Ok(Self(all))
    }
}

value!(
    Validators,
    "a validator or a list of validators",
    |generator| {
        let one = generator.subschema_for::<At<ProgramFile>>();
        json_schema!({ "anyOf": [one, { "type": "array", "maxItems": MAX_VALIDATORS, "items": one }] })
    },
    table: ProgramFile,
    list: ProgramFile
);
