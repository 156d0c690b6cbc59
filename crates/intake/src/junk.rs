//! Files and folders that are nobody's program, by their names.

use grader_model::{Text, extension_of};

/// Why a file or folder is not looked at, by its name alone.
pub(crate) fn junk(name: &str, is_folder: bool) -> Option<Text> {
    let lower = name.to_lowercase();
    let reason = if lower == ".git" || lower == ".svn" || lower == ".hg" {
        ("history of versions", "版本记录")
    } else if lower.starts_with('.') {
        ("hidden", "隐藏文件")
    } else if is_folder {
        match lower.as_str() {
            "__macosx" => ("left by macOS", "macOS 遗留文件"),
            "target" | "__pycache__" | "node_modules" | "cmakefiles" => {
                ("made by a compiler or tool", "编译器或工具生成的文件")
            }
            _ if lower.starts_with("cmake-build-") => {
                ("made by a compiler or tool", "编译器或工具生成的文件")
            }
            _ => return None,
        }
    } else if lower.ends_with('~') {
        ("an editor's backup", "编辑器备份")
    } else if matches!(lower.as_str(), "thumbs.db" | "desktop.ini") {
        ("left by Windows", "Windows 遗留文件")
    } else if lower == "a.out" {
        ("made by a compiler or tool", "编译器或工具生成的文件")
    } else {
        match extension_of(&lower).as_str() {
            "exe" | "o" | "obj" | "class" | "jar" | "a" | "lib" | "so" | "dll" | "dylib"
            | "pdb" | "ilk" | "pyc" | "gch" | "ppu" | "compiled" | "rlib" | "rmeta" | "log" => {
                ("made by a compiler or tool", "编译器或工具生成的文件")
            }
            "bak" | "orig" | "swp" | "swo" | "tmp" => ("an editor's backup", "编辑器备份"),
            "mp4" | "mov" | "avi" | "mkv" | "webm" | "mp3" | "wav" | "m4a" => {
                ("a recording", "音像文件")
            }
            "sln" | "vcxproj" | "filters" | "user" | "suo" | "iml" | "cbp" | "layout"
            | "depend" | "dev" | "lpi" | "lps" | "dproj" | "res" => {
                ("a project file of an editor", "编辑器工程文件")
            }
            extension => document(extension)?,
        }
    };
    Some(Text::new(reason.0, reason.1))
}

/// What a file with such an ending is, if it is a document or a picture.
fn document(extension: &str) -> Option<(&'static str, &'static str)> {
    match extension {
        "png" | "jpg" | "jpeg" | "gif" | "bmp" | "svg" | "webp" | "heic" => {
            Some(("an image", "图片"))
        }
        "pdf" | "doc" | "docx" | "ppt" | "pptx" | "xls" | "xlsx" | "odt" | "rtf" | "md"
        | "html" => Some(("a document", "文档")),
        _ => None,
    }
}

/// Whether a file is a document or a picture by its name: a student may have submitted a program as one.
pub(crate) fn is_document(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.starts_with('.') && document(&extension_of(&name.to_lowercase())).is_some()
}

/// The extensions of archives, the first parts of split ones among them.
const ARCHIVES: [&str; 20] = [
    "zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "tbz", "tbz2", "xz", "txz", "zst", "tzst", "lz",
    "lzma", "lz4", "cab", "001", "z01", "r00",
];

/// Whether this is an archive by its name.
pub(crate) fn is_archive(name: &str) -> bool {
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
