//! The living descendants of the launcher: what they use, and their end.

#[cfg(target_os = "linux")]
#[path = "tree_linux.rs"]
mod system_tree;
#[cfg(not(target_os = "linux"))]
#[path = "tree_other.rs"]
mod system_tree;

pub(super) use system_tree::Tree;
