//! File name patterns with `*` and `?`.

/// Characters that are special in other tools' patterns, but not here.
pub(crate) const RESERVED: &str = "[]{}\\!";

/// Whether a name matches a pattern, ignoring case: `*` stands for any characters, `?` for one.
pub fn fits(pattern: &str, name: &str) -> bool {
    let chars = |text: &str| text.to_lowercase().chars().collect::<Vec<_>>();
    let (pattern, name) = (chars(pattern), chars(name));
    // `fitting[n]`: whether the first n characters match the pattern so far.
    let mut fitting = vec![false; name.len() + 1];
    fitting[0] = true;
    for c in pattern {
        let mut next = vec![false; name.len() + 1];
        for end in 0..=name.len() {
            next[end] = match c {
                '*' => fitting[end] || end > 0 && next[end - 1],
                _ => end > 0 && fitting[end - 1] && (c == '?' || c == name[end - 1]),
            };
        }
        fitting = next;
    }
    fitting[name.len()]
}
