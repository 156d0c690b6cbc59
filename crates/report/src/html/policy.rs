//! What a page may load and run: its own style and its own script, by their hashes. Its icon is in its head.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// The style of all pages but that of a class.
pub(super) const STYLE: &str = include_str!("../../templates/style.css");
/// The style of the page of a class, in which those of students may be packed.
pub(super) const CLASS_STYLE: &str = concat!(
    include_str!("../../templates/style.css"),
    include_str!("../../templates/class.css")
);
/// The script of the page of a class.
pub(super) const SCRIPT: &str = concat!(
    include_str!("../../templates/keys.js"),
    include_str!("../../templates/script.js")
);
/// The script of a student's page for staff.
pub(super) const KEYS: &str = include_str!("../../templates/keys.js");

/// The content of the policy's `<meta>`. A page with a script may allow `more` for scripts.
pub fn content_policy(style: &str, script: Option<&str>, more: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let script = script.map_or_else(|| "'none'".to_owned(), |script| hash(script) + more);
    format!(
        "default-src 'none'; style-src {}; script-src {script}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(style)
    )
}
