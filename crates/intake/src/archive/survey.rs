//! Where in an archive its entries begin to differ.

/// What all entries of an archive share.
#[derive(Default)]
pub(super) struct Survey {
    /// The only name in each folder, from the top, down to the first in which there is a file or a second name.
    pub(super) shared: Vec<String>,
    /// Whether it ends there, and is no more than what was seen so far.
    is_bounded: bool,
}

impl Survey {
    /// Looks at one more entry.
    pub(super) fn see(&mut self, parts: &[String], is_folder: bool) {
        let folders = parts.len() - usize::from(!is_folder);
        for (depth, part) in parts.iter().enumerate() {
            let is_new = depth == self.shared.len();
            if is_new && self.is_bounded {
                return;
            }
            if depth >= folders || !is_new && self.shared[depth] != *part {
                self.shared.truncate(depth);
                self.is_bounded = true;
                return;
            }
            if is_new {
                self.shared.push(part.clone());
            }
        }
    }
}
