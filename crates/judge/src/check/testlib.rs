//! Testlib's protocol (`testlib.h`, "Result codes").

use grader_model::{Judgement, Mark};

use super::CheckerCall;
use crate::Fault;
use crate::decide::message::message;

impl CheckerCall<'_> {
    /// The exit status decides; the message is on standard error.
    pub(super) fn testlib(&self, status: i32, stderr: &[u8]) -> Result<Judgement, Fault> {
        let (mark, text) = match status {
            0 => (Mark::Right, after("ok", stderr)),
            1 => (Mark::Wrong, after("wrong answer", stderr)),
            // Including testlib's "dirt" (text after the answer) and an unexpected end of file.
            2 | 4 | 8 => (Mark::Layout, after("wrong output format", stderr)),
            7 => {
                if let Some((part, whole)) = fraction(stderr) {
                    let mark = self.share("points", part, whole)?;
                    return Ok(self.judgement(mark, Vec::new()));
                }
                let text = after("points", stderr);
                let end = text.iter().position(u8::is_ascii_whitespace);
                let (number, rest) = text.split_at(end.unwrap_or(text.len()));
                (self.share("points", number, 1.0)?, rest.trim_ascii())
            }
            3 => return Err(self.fault("reports a failure", stderr)),
            status => {
                let reason = format!("ended with exit status {status} instead of 0 to 4, 7 or 8");
                return Err(self.fault(&reason, stderr));
            }
        };
        let evidence = message("checker", text).into_iter().collect();
        Ok(self.judgement(mark, evidence))
    }

    /// HUSTOJ knows the exit statuses of testlib; every other one rejects (`special_judge` in its `judge_client.cc`).
    pub(super) fn hustoj(&self, status: i32, stderr: &[u8]) -> Result<Judgement, Fault> {
        let is_known = matches!(status, 0..=3 | 7);
        self.testlib(if is_known { status } else { 1 }, stderr)
    }
}

/// The share in a line `partial 1/2`, as checkers of COCI print it.
fn fraction(stderr: &[u8]) -> Option<(&[u8], f64)> {
    let mut lines = stderr.split(|byte| *byte == b'\n');
    let share = lines.find_map(|line| line.strip_prefix(b"partial "))?;
    let slash = share.iter().position(|byte| *byte == b'/')?;
    let whole: u32 = std::str::from_utf8(&share[slash + 1..])
        .ok()?
        .parse()
        .ok()?;
    (whole > 0).then(|| (&share[..slash], whole.into()))
}

/// The text after a leading keyword of the protocol.
fn after<'a>(word: &str, text: &'a [u8]) -> &'a [u8] {
    text.strip_prefix(word.as_bytes())
        .unwrap_or(text)
        .trim_ascii()
}
