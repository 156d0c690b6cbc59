//! How long processes have waited for a processor.

use std::fs;
use std::time::Duration;

/// The time since the machine was started in which some program was ready to run and had no processor; `None` if
/// the kernel does not count it: it is older than 4.20, or was started with `psi=0`.
pub(crate) fn cpu_pressure() -> Option<Duration> {
    parse(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

/// Reads the kernel's `some avg10=… avg60=… avg300=… total=…`, the total in microseconds
/// (`Documentation/accounting/psi.rst`).
fn parse(text: &str) -> Option<Duration> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = some
        .split_whitespace()
        .find_map(|field| field.strip_prefix("total="))?;
    Some(Duration::from_micros(total.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_of_the_first_line_is_read() {
        let text = "some avg10=99.59 avg60=99.16 avg300=84.19 total=3705132401\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
        assert_eq!(parse(text), Some(Duration::from_micros(3_705_132_401)));
    }

    #[test]
    fn what_has_another_shape_says_nothing() {
        for text in ["", "full total=1\n", "some avg10=0.00\n", "some total=x\n"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
