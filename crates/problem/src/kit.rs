//! `[kit]` of an assignment.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::suggest::quoted;
use crate::value::value;

/// What students read in the kit that `grader bundle` writes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct KitFile {
    /// The address of the page or file where students get `grader`, such as `"https://example.org/grader"`.
    #[serde(rename = "grader")]
    pub(crate) _grader: WebAddress,
}

/// The address of a page or file on the web.
pub(crate) struct WebAddress;

impl TryFrom<&str> for WebAddress {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("https://");
        let rest = rest.or_else(|| text.strip_prefix("http://"));
        let has_host = rest.is_some_and(|it| it.starts_with(char::is_alphanumeric));
        if has_host && !text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Ok(Self);
        }
        let message = "expected an address such as `https://example.org/grader`";
        Err(format!("{message}, found {}", quoted(text)))
    }
}

value! {
    WebAddress, "an address such as \"https://example.org/grader\"",
    { "type": "string", "pattern": r"^https?://[^\s/]\S*$" },
    string: &str
}
