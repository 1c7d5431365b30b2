//! Syntax trees that are not those of the text: an error, and no panic.

use std::path::Path;

use loop_compiler::c::{self, Error, Input, SourceFile};

const TEXT: &str = "void f(int n, int *a) {\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n";

/// Reads the regions of [`TEXT`] from a tree of a function with loops at these bytes, each without a body.
fn read(loops: &[(usize, usize)]) -> Result<SourceFile, Error> {
    let range = |begin: usize, end: usize| {
        let place = |offset| format!(r#"{{"offset":{offset},"file":"a.c","line":1,"col":1,"tokLen":1}}"#);
        format!(r#""range":{{"begin":{},"end":{}}}"#, place(begin), place(end))
    };
    let loops: Vec<_> =
        loops.iter().map(|(begin, end)| format!(r#"{{"kind":"ForStmt",{}}}"#, range(*begin, *end))).collect();
    let (whole, loops) = (range(0, usize::MAX), loops.join(","));
    let body = format!(r#"{{"kind":"CompoundStmt",{whole},"inner":[{loops}]}}"#);
    let function = format!(r#"{{"id":"0x1","kind":"FunctionDecl","name":"f",{whole},"inner":[{body}]}}"#);
    let tree = format!(r#"{{"kind":"TranslationUnitDecl","inner":[{function}]}}"#);
    let (clang, file) = (Path::new("not-used"), Path::new("a.c"));
    let input = Input { clang, file, arguments: &[], auto: true, assume_distinct: false };
    c::read_dump(&input, TEXT.into(), tree.as_bytes())
}

#[test]
fn loops_are_where_the_tree_says() {
    let file = read(&[(26, 62)]).unwrap();
    assert_eq!(&TEXT[file.regions[0].bytes.clone()], "for (int i = 0; i < n; i++) a[i] = 1;");
    assert!(file.regions[0].tree.is_err());
}

#[test]
fn loops_behind_the_text_are_an_error() {
    for (begin, end) in [(26, 400), (400, 500), (50, 30), (26, usize::MAX)] {
        let error = read(&[(begin, end)]).unwrap_err().to_string();
        assert!(error.contains("the syntax tree of clang cannot be read"), "{error}");
    }
}

#[test]
fn loops_whose_text_is_not_theirs_alone_are_no_regions() {
    assert_eq!(read(&[(26, 62), (30, 50)]).unwrap().regions.len(), 0);
}
