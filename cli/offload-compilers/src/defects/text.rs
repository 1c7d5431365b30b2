//! Directives in the text of C and C++.

/// The name and the clauses of a directive of OpenMP that begins in this line; `lines` are those after it, of which it
/// takes those that continue a directive.
pub fn directive<'t>(line: &str, lines: &mut impl Iterator<Item = (usize, &'t str)>) -> Option<String> {
    let mut directive = line.trim_start().strip_prefix('#')?.trim_start().to_owned();
    while directive.ends_with('\\') {
        directive.pop();
        directive.push(' ');
        directive.push_str(lines.next().map_or("", |(_, more)| more));
    }
    let rest = directive.strip_prefix("pragma")?.trim_start().strip_prefix("omp")?;
    rest.starts_with(char::is_whitespace).then(|| rest.to_owned())
}

/// C with spaces in place of comments and of what is in quotes.
pub fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let blank =
        |out: &mut String, gone: &str| out.extend(gone.chars().map(|c| if c == '\n' { c } else { ' ' }));
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if let Some(inside) = from.strip_prefix("/*") {
            inside.find("*/").map_or(from.len(), |end| end + 4)
        } else if let Some(behind) = from.strip_prefix('/') {
            out.push('/');
            rest = behind;
            continue;
        } else {
            let quote = from.as_bytes()[0];
            let mut escaped = false;
            let end = from.bytes().skip(1).position(|byte| {
                let ends = byte == b'\n' || byte == quote && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            end.map_or(from.len(), |end| end + 2)
        };
        blank(&mut out, &from[..end]);
        rest = &from[end..];
    }
    out.push_str(rest);
    out
}
