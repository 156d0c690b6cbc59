//! How a Python script is started that is a part of a package.

use std::collections::BTreeSet;

use crate::lexer::{Token, TokenKind};
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
    level(script).saturating_sub(folders)
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
    let level = level(sources[script]);
    let depth = if level > 0 {
        let has_init = |depth: usize| paths.contains(&format!("{}__init__.py", prefix(depth)));
        let mut depth = folders.len().checked_sub(level)?;
        while depth > 0 && has_init(depth) {
            depth -= 1;
        }
        depth
    } else {
        // Those that no folder has yet.
        let mut names = BTreeSet::new();
        for source in sources {
            let tokens = source.tokens(Syntax::Python);
            let all = imports(&source.text, &tokens).into_iter();
            names.extend(all.flat_map(|it| it.modules));
        }
        let mut depths = (0..=folders.len()).rev();
        depths.find(|&depth| {
            let prefix = prefix(depth);
            let inner = paths
                .iter()
                .filter_map(|it| it.strip_prefix(&prefix)?.strip_suffix(".py"));
            let modules = inner.map(|it| it.split('/').next().unwrap_or(it));
            let found = modules.filter(|it| names.remove(it)).count();
            depth < folders.len() && found > 0
        })?
    };
    let inner = &path[prefix(depth).len()..];
    (!inner.contains('.')).then(|| ModuleStart {
        own_folder: prefix(folders.len()),
        folder: prefix(depth),
        module: inner.replace('/', "."),
    })
}

/// How many folders a script goes up in its imports.
fn level(script: &SourceText<'_>) -> usize {
    let tokens = script.tokens(Syntax::Python);
    let all = imports(&script.text, &tokens).into_iter();
    all.map(|it| it.level).max().unwrap_or(0)
}

/// A statement that imports.
pub(crate) struct Import<'t, 'a> {
    /// Whether its line is not indented.
    pub(crate) is_outermost: bool,
    /// The dots before the module: how many folders it goes up.
    pub(crate) level: usize,
    /// The first parts of the modules.
    pub(crate) modules: Vec<&'a str>,
    /// All after its first word.
    pub(crate) tokens: &'t [Token<'a>],
}

/// What a script imports. A statement ends with the line, unless a parenthesis is open.
pub(crate) fn imports<'t, 'a>(text: &str, tokens: &'t [Token<'a>]) -> Vec<Import<'t, 'a>> {
    let begins_line = |at: usize| {
        let last = at.checked_sub(1).map(|last| &tokens[last]);
        last.is_none_or(|it| text[it.at + it.text.len()..tokens[at].at].contains(['\n', '\r']))
    };
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(word) = tokens.get(at) {
        let is_import = matches!(word.text, "import" | "from")
            && (begins_line(at) || matches!(tokens[at - 1].text, ";" | ":"));
        at += 1;
        if !is_import {
            continue;
        }
        let (begin, mut depth) = (at, 0_usize);
        while let Some(token) = tokens.get(at) {
            match token.text {
                _ if depth == 0 && begins_line(at) => break,
                ";" => break,
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        let rest = &tokens[begin..at];
        let dots = rest.iter().take_while(|it| matches!(it.text, "." | "..."));
        let begins = |at: usize| at == 0 || word.is("import") && rest[at - 1].is(",");
        let names = rest.iter().enumerate();
        let modules = names.filter(|(at, it)| it.kind == TokenKind::Name && begins(*at));
        all.push(Import {
            is_outermost: word.begins_line(text),
            level: dots.map(|it| it.text.len()).sum(),
            modules: modules.map(|(_, it)| it.text).collect(),
            tokens: rest,
        });
    }
    all
}
