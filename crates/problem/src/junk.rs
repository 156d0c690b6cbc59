//! Files and folders that are nobody's work, by their names.

use grader_model::{Text, extension_of};

const HISTORY: (&str, &str) = ("history of versions", "版本历史");
const HIDDEN: (&str, &str) = ("hidden", "隐藏文件");
const MACOS: (&str, &str) = ("left by macOS", "macOS 遗留文件");
const WINDOWS: (&str, &str) = ("left by Windows", "Windows 遗留文件");
const BUILT: (&str, &str) = ("made by a compiler or tool", "编译器或工具生成的文件");
const BACKUP: (&str, &str) = ("an editor's backup", "编辑器备份");
const RECORDING: (&str, &str) = ("a recording", "音视频文件");
const PROJECT: (&str, &str) = ("a project file of an editor", "编辑器工程文件");
const IMAGE: (&str, &str) = ("an image", "图片");
const DOCUMENT: (&str, &str) = ("a document", "文档");

/// Why a file or folder is not looked at, by its name alone.
pub fn junk(name: &str, is_folder: bool) -> Option<Text> {
    let lower = name.to_lowercase();
    let (en, zh) = match lower.as_str() {
        ".git" | ".svn" | ".hg" => HISTORY,
        _ if lower.starts_with('.') => HIDDEN,
        "__macosx" if is_folder => MACOS,
        "target" | "__pycache__" | "node_modules" | "cmakefiles" | "site-packages" if is_folder => {
            BUILT
        }
        _ if is_folder => lower.starts_with("cmake-build-").then_some(BUILT)?,
        "thumbs.db" | "desktop.ini" => WINDOWS,
        "a.out" => BUILT,
        _ if lower.ends_with('~') => BACKUP,
        _ => by_extension(&extension_of(&lower))?,
    };
    Some(Text::new(en, zh))
}

/// What a tool makes: not looked at.
pub fn built() -> Text {
    Text::new(BUILT.0, BUILT.1)
}

fn by_extension(extension: &str) -> Option<(&'static str, &'static str)> {
    Some(match extension {
        "exe" | "o" | "obj" | "class" | "jar" | "a" | "lib" | "so" | "dll" | "dylib" | "pdb"
        | "ilk" | "pyc" | "gch" | "ppu" | "compiled" | "rlib" | "rmeta" | "log" => BUILT,
        "bak" | "orig" | "swp" | "swo" | "tmp" => BACKUP,
        "mp4" | "mov" | "avi" | "mkv" | "webm" | "mp3" | "wav" | "m4a" => RECORDING,
        "sln" | "vcxproj" | "filters" | "user" | "suo" | "iml" | "cbp" | "layout" | "depend"
        | "dev" | "lpi" | "lps" | "dproj" | "res" => PROJECT,
        "png" | "jpg" | "jpeg" | "gif" | "bmp" | "svg" | "webp" | "heic" => IMAGE,
        "pdf" | "doc" | "docx" | "ppt" | "pptx" | "xls" | "xlsx" | "odt" | "rtf" | "md"
        | "html" => DOCUMENT,
        _ => return None,
    })
}

/// Whether junk was left by systems or editors rather than submitted by mistake; the extension does not decide.
pub fn is_left_behind(name: &str) -> bool {
    name.starts_with(['.', '~']) || by_extension(&extension_of(name)).is_none()
}

/// Whether a file is a document or a picture by its name: a student may have submitted a program as one.
pub fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let kind = by_extension(&extension_of(&name.to_lowercase()));
    !name.starts_with('.') && kind.is_some_and(|kind| kind == IMAGE || kind == DOCUMENT)
}

/// The extensions of archives, the first parts of split ones among them.
const ARCHIVES: [&str; 20] = [
    "zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz", "zst", "tzst", "lz",
    "lzma", "lz4", "cab", "001", "z01", "r00",
];

/// Whether this is an archive by its name.
pub fn is_archive(name: &str) -> bool {
    ARCHIVES.contains(&extension_of(name).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_is_known_by_its_name_and_programs_are_not_junk() {
        let junk_files = [
            ".DS_Store",
            "Thumbs.db",
            "count.c~",
            "count.EXE",
            "count.o",
            "Main.class",
            "a.out",
            "报告.pdf",
            "shot.PNG",
            "demo.mp4",
            ".count.c.swp",
            "._count.c",
        ];
        assert!(junk_files.iter().all(|name| junk(name, false).is_some()));
        assert!(
            [".git", ".idea", "__MACOSX", "target"]
                .iter()
                .all(|name| junk(name, true).is_some())
        );
        assert!(
            ["count.c", "count", "count.txt", "八皇后.cpp", "build"]
                .iter()
                .all(|name| junk(name, false).is_none() && junk(name, true).is_none())
        );
    }

    #[test]
    fn archives_are_known_by_their_names() {
        for name in ["a.zip", "A.ZIP", "a.tar.gz", "a.7z", "a.zip.001"] {
            assert!(is_archive(name), "{name}");
        }
        for name in ["zip", "a.c", "a.1"] {
            assert!(!is_archive(name), "{name}");
        }
    }
}
