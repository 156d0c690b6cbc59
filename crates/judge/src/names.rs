//! File names in messages: compilers and interpreters print our names, students know theirs.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use grader_language::{BuiltFiles, Plan, ProgramSources};

/// The names of a submission's files, in the build folder and as submitted.
#[derive(Debug)]
pub(crate) struct FileNames {
    /// The build folder, with a trailing `/`.
    folder: Vec<u8>,
    /// Our names and the student's where they differ: `main.c` and `count.c`.
    renamed: Vec<(String, String)>,
    /// Our names of the author's files and of the student's.
    included: Vec<String>,
    own: Vec<String>,
}

impl FileNames {
    pub(crate) fn new(folder: &Path, sources: &ProgramSources<'_>, plan: &Plan) -> Self {
        let mut folder = folder.as_os_str().as_bytes().to_vec();
        folder.push(b'/');
        let ours = plan.files.iter().map(|(path, _)| path.clone());
        let mut included: Vec<String> = ours.clone().collect();
        let own = included.split_off(sources.included.len().min(included.len()));
        let sources = sources.all().into_iter();
        let names = ours.zip(sources.map(|it| it.submitted.to_owned()));
        let renamed = names.filter(|(ours, submitted)| ours != submitted);
        Self {
            folder,
            renamed: renamed.collect(),
            included,
            own,
        }
    }

    /// The files in the build folder.
    pub(crate) fn files(&self) -> BuiltFiles<'_> {
        BuiltFiles {
            included: &self.included,
            own: &self.own,
        }
    }

    /// Removes our folder: `/tmp/…/build/main.c:3` becomes `main.c:3`.
    pub(crate) fn without_folder(&self, messages: &[u8]) -> Vec<u8> {
        replaced(messages, &[(&self.folder, b"")], |_, _| true)
    }

    /// Names the files as the student does: `main.c:3` becomes `count.c:3`.
    pub(crate) fn as_submitted(&self, messages: &[u8]) -> Vec<u8> {
        let part_of_a_word = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_/-.".contains(byte))
        };
        let names = self.renamed.iter();
        let names = names.map(|(ours, submitted)| (ours.as_bytes(), submitted.as_bytes()));
        let names: Vec<_> = names.collect();
        replaced(messages, &names, |before, after| {
            !part_of_a_word(before.last()) && !after.first().is_some_and(u8::is_ascii_alphanumeric)
        })
    }
}

/// Replaces each occurrence of the first texts of these pairs for which `may`, given the text before and after it,
/// returns true.
fn replaced(text: &[u8], pairs: &[(&[u8], &[u8])], may: impl Fn(&[u8], &[u8]) -> bool) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let (before, rest) = text.split_at(at);
        let mut pairs = pairs.iter();
        let found = pairs.find(|(old, _)| {
            rest.strip_prefix(*old)
                .is_some_and(|after| may(before, after))
        });
        if let Some((old, new)) = found {
            result.extend_from_slice(new);
            at += old.len();
        } else {
            result.push(text[at]);
            at += 1;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_files_as_the_student_knows_them() {
        let names = FileNames {
            folder: b"/tmp/bitcraft/build/".to_vec(),
            renamed: vec![("main.c".to_owned(), "我的 count.c".to_owned())],
            included: Vec::new(),
            own: Vec::new(),
        };
        let messages = b"/tmp/bitcraft/build/main.c:1: domain.c, main.cpp and \"main.c\" see a.h\n";
        let ours = names.without_folder(messages);
        assert_eq!(
            ours,
            b"main.c:1: domain.c, main.cpp and \"main.c\" see a.h\n"
        );
        assert_eq!(
            String::from_utf8(names.as_submitted(&ours)).unwrap(),
            "我的 count.c:1: domain.c, main.cpp and \"我的 count.c\" see a.h\n"
        );
    }
}
