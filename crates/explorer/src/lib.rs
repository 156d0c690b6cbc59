//! The explorer: one HTML file that shows how the assignment's algorithms think.
//!
//! The page runs the reference searches themselves, as WebAssembly (`explorer.wasm`), which records their steps; the
//! script plays and draws. The module is checked in, because building it takes a target that most machines lack;
//! `build-wasm.sh` builds it again, and a test says when that is due.
//!
//! The page loads nothing: style, script and module are in it, and its security policy allows nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grader_report::content_policy;

const STYLE: &str = include_str!("../page/style.css");
/// One script in parts, which share one scope.
const SCRIPT: &str = concat!(
    include_str!("../page/base.js"),
    include_str!("../page/board.js"),
    include_str!("../page/player.js"),
    include_str!("../page/backtracking.js"),
    include_str!("../page/local-search.js"),
    include_str!("../page/annealing.js"),
    include_str!("../page/numbers.js"),
    include_str!("../page/main.js"),
);
const MODULE: &[u8] = include_bytes!("../explorer.wasm");
/// The published numbers of solutions: the file that the tests of `fast-count` compare with.
const COUNTS: &str = include_str!("../../../reference/fast-count/tests/published.txt");

/// The explorer as one HTML file.
pub fn page() -> String {
    let script = without_comments(SCRIPT);
    include_str!("../page/page.html")
        .replace("{{policy}}", &content_policy(STYLE, Some(&script), COMPILE))
        .replace("{{style}}", STYLE)
        .replace("{{counts}}", COUNTS)
        .replace("{{module}}", &STANDARD.encode(MODULE))
        .replace("{{script}}", &script)
}

/// Whether a file is such a page, of this version or another.
pub fn is_page(file: &[u8]) -> bool {
    const TITLE: &[u8] = b"<title>Bitcraft explorer</title>";
    // After it comes the style.
    let head = &file[..file.len().min(MAX_HEAD_BYTES)];
    head.windows(TITLE.len()).any(|it| it == TITLE)
}

/// The title of a page ends before this.
const MAX_HEAD_BYTES: usize = 1 << 10;

/// The page compiles its own module.
const COMPILE: &str = " 'wasm-unsafe-eval'";

/// A script without indentation and without lines that are comments. No text of the script begins a line with a blank.
fn without_comments(script: &str) -> String {
    let lines = script.lines().map(str::trim_start);
    let mut short = String::with_capacity(script.len());
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
        short.push_str(line);
        short.push('\n');
    }
    short
}
