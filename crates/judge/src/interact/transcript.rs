//! Transcripts of interactions: who wrote what, and when.

use std::sync::Mutex;
use std::time::Instant;

use grader_model::{Evidence, Excerpt, Figure, Ink, Span, Text};

use super::handshake::Side;

use crate::constants::{MAX_TRANSCRIPT_LINE_BYTES, TRANSCRIPT_HEAD_LINES, TRANSCRIPT_TAIL_LINES};
use crate::lock::locked;

/// The transcript of one run.
pub(crate) struct Transcript {
    began: Instant,
    lines: Mutex<Lines>,
}

#[derive(Default)]
struct Lines {
    kept: Vec<Line>,
    dropped: usize,
}

struct Line {
    from: Side,
    /// Seconds since the beginning.
    at: f64,
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Transcript {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
            lines: Mutex::default(),
        }
    }

    /// Appends one side's output.
    pub(crate) fn add(&self, from: Side, written: &[u8]) {
        let at = self.began.elapsed().as_secs_f64();
        let mut lines = locked(&self.lines);
        for part in written.split_inclusive(|byte| *byte == b'\n') {
            let (text, is_whole) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            let Lines { kept, dropped } = &mut *lines;
            // The other side may have written meanwhile.
            let mut open = kept.iter_mut().rev().take(2);
            if let Some(line) = open.find(|line| line.from == from && !line.is_whole) {
                let room = MAX_TRANSCRIPT_LINE_BYTES
                    .saturating_sub(line.bytes.len())
                    .min(text.len());
                line.bytes.extend(&text[..room]);
                line.is_whole = is_whole;
                continue;
            }
            if kept.len() == TRANSCRIPT_HEAD_LINES + TRANSCRIPT_TAIL_LINES {
                kept.remove(TRANSCRIPT_HEAD_LINES);
                *dropped += 1;
            }
            kept.push(Line {
                from,
                at,
                bytes: text[..text.len().min(MAX_TRANSCRIPT_LINE_BYTES)].to_vec(),
                is_whole,
            });
        }
    }

    /// The lines: `  0.012 s > 50`.
    pub(crate) fn evidence(&self) -> Evidence {
        let lines = locked(&self.lines);
        let mut figure = Figure::default();
        for (number, line) in lines.kept.iter().enumerate() {
            if number == TRANSCRIPT_HEAD_LINES && lines.dropped > 0 {
                figure.push([Span::new(
                    format!("… {} lines omitted …", lines.dropped),
                    Ink::Faint,
                )]);
            }
            let arrow = match line.from {
                Side::Program => '>',
                Side::Interactor => '<',
            };
            let text = Excerpt::first(&line.bytes, MAX_TRANSCRIPT_LINE_BYTES - 1).to_string();
            let time = Span::new(format!("{:7.3} s {arrow} ", line.at), Ink::Faint);
            figure.push([time, Span::new(text, Ink::Plain)]);
        }
        let text = if figure.lines.is_empty() {
            Text::new(
                "transcript of another run: neither side wrote anything",
                "另一次运行的交互记录：双方都没有输出",
            )
        } else {
            Text::new(
                "transcript of another run (`>` the program, `<` the interactor):",
                "另一次运行的交互记录（`>` 为程序的输出，`<` 为交互器的输出）：",
            )
        };
        let evidence = Evidence::new("transcript", text);
        if figure.lines.is_empty() {
            evidence
        } else {
            evidence.with_figure(figure)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_beginning_and_the_end_and_joins_the_parts_of_a_line() {
        let transcript = Transcript::new();
        transcript.add(Side::Program, b"1");
        transcript.add(Side::Interactor, b"early\n");
        transcript.add(Side::Program, b"2\n\xff\n");
        for number in 0..40 {
            transcript.add(Side::Interactor, format!("line {number}\n").as_bytes());
        }
        transcript.add(Side::Program, "x".repeat(1000).as_bytes());
        let figure = transcript.evidence().figure.unwrap();
        let lines = figure.plain();
        let text: Vec<&str> = lines
            .lines()
            .map(|line| line.split_once(" s ").map_or(line, |it| it.1))
            .collect();
        let head = ["> 12", "< early", r"> \xff", "< line 0"];
        assert_eq!(
            text[..6],
            [&head[..], &["… 28 lines omitted …", "< line 29"]].concat()
        );
        assert_eq!(text[15], "< line 39");
        assert_eq!(text[16], format!("> {}…", "x".repeat(100)));
        assert_eq!(text.len(), 17);
    }
}
