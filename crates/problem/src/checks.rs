//! `[checks]` as it is written.

use std::collections::BTreeMap;

use schemars::{JsonSchema, json_schema};
use serde::Deserialize;

use crate::value::{At, Entries, Id, LanguageWord, value};

/// The keys of `[checks]`.
pub(crate) type ChecksFile = Entries<Id, CheckFile>;

/// The value of a key of `[checks]`.
pub(crate) enum CheckFile {
    Switch(bool),
    Tool(ToolFile),
}

impl From<bool> for CheckFile {
    fn from(is_on: bool) -> Self {
        Self::Switch(is_on)
    }
}

impl From<ToolFile> for CheckFile {
    fn from(tool: ToolFile) -> Self {
        Self::Tool(tool)
    }
}

value!(
    CheckFile,
    "true or false, or a table with `command`",
    |generator| json_schema!({ "anyOf": [{ "type": "boolean" }, generator.subschema_for::<ToolFile>()] }),
    boolean: bool,
    table: ToolFile
);

/// What is looked for after judging, and tools whose remarks are told: `[checks.NAME]`. None of it changes a verdict.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only for the schema")]
pub(crate) struct ChecksTable {
    /// Whether C and C++ programs that fail a case whose input students may see are searched for undefined behaviour:
    /// variables without a value, indices outside arrays, dangling pointers. Students get the line and the cause as a
    /// hint. Default: `true`.
    undefined_behaviour: Option<bool>,
    /// Whether the other programs are searched too, also those that pass; only staff get the result. Default: `false`.
    all_programs: Option<bool>,
    #[schemars(flatten)]
    tools: BTreeMap<String, ToolFile>,
}

/// A tool that makes remarks on students' sources: `file:line: message`, as GCC writes it, or SARIF 2.1.0. It runs after judging,
/// if the program was built. A subtask may name it as `check`; else its remarks are only told.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ToolFile {
    /// The command: the name of a program, then its arguments. An argument with `{files}` is repeated for each of the student's
    /// sources. No shell is involved.
    pub(crate) command: At<Vec<String>>,
    /// The languages of the programs on which it runs. Default: all that the problem accepts.
    pub(crate) languages: Option<Vec<At<LanguageWord>>>,
    /// Files of the problem's folder, such as the tool's settings. They lie in the folder in which it starts.
    #[serde(default)]
    pub(crate) files: Vec<At<String>>,
}
