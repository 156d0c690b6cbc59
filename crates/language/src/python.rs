//! How a Python script is started that is a part of a package.

use std::collections::BTreeSet;

use crate::lexer::{TokenKind, tokens};
use crate::source::SourceText;
use crate::syntax::Syntax;

/// A script that is started as `python3 -m` does it, from a folder above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModuleStart {
    /// The script's own folder, which is searched last; both are relative to the build folder.
    pub(crate) own_folder: String,
    /// The folder in which modules are looked for.
    pub(crate) folder: String,
    /// `words.__main__`.
    pub(crate) module: String,
}

/// Starts the module that its third argument names, and lets it see only the arguments after that.
pub(crate) const START: &str = "\
import runpy, sys
sys.path[0], own, module = sys.argv[1:4]
del sys.argv[1:4]
sys.path.append(own)
runpy._run_module_as_main(module)
";

/// How many folders are lacking above a script: it imports `..shapes`, and its folder is the submission.
pub(crate) fn missing_folders(script: &SourceText<'_>) -> usize {
    let folders = script.file.path.matches('/').count();
    imports(&script.text).0.saturating_sub(folders)
}

/// How a script at this path is started, if it cannot be by its path: it imports relative to its package, or a script imports
/// what is only in a folder above it.
pub(crate) fn module_start(
    script: usize,
    paths: &[String],
    sources: &[&SourceText<'_>],
) -> Option<ModuleStart> {
    let path = paths[script].strip_suffix(".py")?;
    let folders: Vec<&str> = path.split('/').collect();
    let folders = &folders[..folders.len() - 1];
    let prefix = |depth: usize| match &folders[..depth] {
        [] => String::new(),
        folders => folders.join("/") + "/",
    };
    let (level, _) = imports(&sources[script].text);
    let depth = if level > 0 {
        let has_init = |depth: usize| paths.contains(&format!("{}__init__.py", prefix(depth)));
        let mut depth = folders.len().checked_sub(level)?;
        while depth > 0 && has_init(depth) {
            depth -= 1;
        }
        depth
    } else {
        let names = sources.iter().flat_map(|it| imports(&it.text).1);
        let names: BTreeSet<&str> = names.collect();
        let mut found = BTreeSet::new();
        let mut depths = (0..=folders.len()).rev();
        depths.find(|&depth| {
            let prefix = prefix(depth);
            let inner = paths
                .iter()
                .filter_map(|it| it.strip_prefix(&prefix)?.strip_suffix(".py"));
            let modules = inner.map(|it| it.split('/').next().unwrap_or(it));
            let new: Vec<&str> = modules
                .filter(|it| names.contains(it) && !found.contains(it))
                .collect();
            found.extend(new.iter().copied());
            depth < folders.len() && !new.is_empty()
        })?
    };
    let inner = &path[prefix(depth).len()..];
    (!inner.contains('.')).then(|| ModuleStart {
        own_folder: prefix(folders.len()),
        folder: prefix(depth),
        module: inner.replace('/', "."),
    })
}

/// What a script imports: the most dots before a name, and the first parts of the names without dots.
fn imports(text: &str) -> (usize, BTreeSet<&str>) {
    let (mut level, mut names) = (0, BTreeSet::new());
    for line in text.lines() {
        let tokens = tokens(line, Syntax::Python);
        let word = tokens.first().filter(|it| it.kind == TokenKind::Name);
        let is_list = match word.map(|it| it.text) {
            Some("import") => true,
            Some("from") if tokens.iter().any(|it| it.is("import")) => false,
            _ => continue,
        };
        let dots = tokens[1..]
            .iter()
            .take_while(|it| matches!(it.text, "." | "..."));
        level = level.max(dots.map(|it| it.text.len()).sum());
        let begins = |at: usize| at == 1 || is_list && tokens[at - 1].is(",");
        let first =
            (1..tokens.len()).filter(|at| begins(*at) && tokens[*at].kind == TokenKind::Name);
        names.extend(first.map(|at| tokens[at].text));
    }
    (level, names)
}
