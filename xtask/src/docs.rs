//! Checks the documentation: every link has a target, every page is in the book and in its contents, pages and lines
//! stay below their limits, the path of a region is that of the sources, and the book builds.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{Event, Options as Extensions, Parser, Tag, TagEnd};
use toolchain::Cache;

use crate::readme::workspace_root;

/// Options of `cargo xtask docs`.
#[derive(clap::Args)]
pub struct Options {
    /// Check links and pages only; do not build the book
    #[arg(long)]
    no_book: bool,
}

/// The version of mdBook that builds the book. If missing, it is installed into the cache, once for all clones.
const MDBOOK: &str = "0.5.4";

/// Pages that are to stay short, with the most lines that they may have.
const MOST_LINES: &[(&str, usize)] =
    &[("docs/performance.md", 250), ("docs/emulator-speed.md", 120), ("docs/loops.md", 350)];

/// The most characters of a line of a page, tables included.
const LONGEST_LINE: usize = 400;

const SUMMARY: &str = "docs/SUMMARY.md";
const INDEX: &str = "docs/index.md";

/// A page: its links, the anchors of its headings, and the characters of each line.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: HashSet<String>,
    lines: Vec<usize>,
}

/// Checks the pages and builds the book.
pub fn run(options: &Options) -> Result<(), String> {
    let root = workspace_root();
    let mut pages = HashMap::new();
    for file in pages_of(root)? {
        let text =
            fs::read_to_string(root.join(&file)).map_err(|error| format!("{}: {error}", file.display()))?;
        pages.insert(file, page(&text));
    }
    let mut problems = dead_links(root, &pages);
    problems.extend(outside_the_book(&pages));
    problems.extend(missing_in_the_index(&pages));
    problems.extend(too_long(&pages));
    problems.extend(wrong_steps(root)?);
    problems.sort();
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    println!("{} pages: all links have a target, and no page or line is too long", pages.len());
    if options.no_book { Ok(()) } else { build(root) }
}

/// README and everything in `docs`, relative to the top folder.
fn pages_of(root: &Path) -> Result<Vec<PathBuf>, String> {
    fn collect(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
        let entries =
            fs::read_dir(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                collect(root, &path, found)?;
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
        Ok(())
    }
    let mut found = vec![PathBuf::from("README.md")];
    collect(root, Path::new("docs"), &mut found)?;
    Ok(found)
}

fn page(text: &str) -> Page {
    let mut page = Page { lines: text.lines().map(|line| line.chars().count()).collect(), ..Page::default() };
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Extensions::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => page.anchors.extend(heading.take().map(|title| anchor(&title))),
            Event::Text(text) | Event::Code(text) => {
                if let Some(title) = &mut heading {
                    title.push_str(&text);
                }
            }
            _ => {}
        }
    }
    page
}

/// The anchor of a heading, as mdBook and code hosts generate it.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Links to files that do not exist, or to headings that a page does not have.
fn dead_links(root: &Path, pages: &HashMap<PathBuf, Page>) -> Vec<String> {
    let mut problems = Vec::new();
    for (file, page) in pages {
        for link in page.links.iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => file.clone(),
                path => normal(&file.parent().unwrap_or(Path::new("")).join(path)),
            };
            let problem = if !root.join(&target).exists() {
                "has no target file"
            } else if !anchor.is_empty()
                && !pages.get(&target).is_some_and(|page| page.anchors.contains(anchor))
            {
                "has no target heading"
            } else if file.starts_with("docs") && !target.starts_with("docs") {
                "leaves the book: name the file instead"
            } else {
                continue;
            };
            problems.push(format!("{}: the link `{link}` {problem}", file.display()));
        }
    }
    problems
}

/// The pages to which a page of `docs` links.
fn linked(pages: &HashMap<PathBuf, Page>, from: &str) -> HashSet<PathBuf> {
    let links = pages.get(Path::new(from)).into_iter().flat_map(|page| &page.links);
    links.map(|link| Path::new("docs").join(link)).collect()
}

/// Pages that SUMMARY.md does not list.
fn outside_the_book(pages: &HashMap<PathBuf, Page>) -> Vec<String> {
    let listed = linked(pages, SUMMARY);
    pages
        .keys()
        .filter(|file| file.starts_with("docs") && *file != Path::new(SUMMARY) && !listed.contains(*file))
        .map(|file| format!("{}: not in {SUMMARY}", file.display()))
        .collect()
}

/// Pages of the book to which index.md does not link.
fn missing_in_the_index(pages: &HashMap<PathBuf, Page>) -> Vec<String> {
    let named = linked(pages, INDEX);
    linked(pages, SUMMARY)
        .iter()
        .filter(|file| *file != Path::new(INDEX) && !named.contains(*file))
        .map(|file| format!("{INDEX}: no link to {}, a page of the book", file.display()))
        .collect()
}

/// Pages with more lines than `MOST_LINES` allows, and lines of more than `LONGEST_LINE` characters.
fn too_long(pages: &HashMap<PathBuf, Page>) -> Vec<String> {
    let mut problems = Vec::new();
    for (file, limit) in MOST_LINES {
        match pages.get(Path::new(file)).map(|page| page.lines.len()) {
            None => problems.push(format!("{file}: has a limit in xtask/src/docs.rs, but does not exist")),
            Some(lines) if lines > *limit => {
                problems.push(format!("{file}: {lines} lines; shorten it to at most {limit}"));
            }
            Some(_) => {}
        }
    }
    for (file, page) in pages {
        for (line, length) in (1..).zip(&page.lines).filter(|(_, length)| **length > LONGEST_LINE) {
            problems.push(format!(
                "{}:{line}: {length} characters; a line has at most {LONGEST_LINE}",
                file.display()
            ));
        }
    }
    problems
}

/// The most functions that a region passes through.
const MOST_STEPS: usize = 20;

/// What is wrong with the table of functions through which a region passes: each is in its file, and the body of the
/// function that is named as its caller calls it.
fn wrong_steps(root: &Path) -> Result<Vec<String>, String> {
    let read = |path: &str| fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"));
    let page = read("docs/architecture.md")?;
    let section = page.split("\n## ").find(|section| section.starts_with("The path of a region"));
    let rows = section.unwrap_or_default().lines().filter(|line| line.starts_with("| ")).skip(1);
    let mut steps: Vec<(String, String)> = Vec::new();
    let mut problems = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [number, function, file, caller] = cells[..] else {
            problems.push(format!("docs/architecture.md: `{row}` has not four columns"));
            continue;
        };
        let quoted = |cell: &str| cell.split('`').nth(1).unwrap_or_default().to_string();
        let (function, file) = (quoted(function), quoted(file));
        let text = read(&file)?;
        if number.parse() != Ok(steps.len() + 1) || bodies(&text, &function).is_empty() {
            problems.push(format!("docs/architecture.md: step {number}: no `{function}` in {file}"));
        }
        let caller = caller.parse::<usize>().ok().and_then(|caller| steps.get(caller.wrapping_sub(1)));
        if let Some((calling, calling_file)) = caller {
            let calls = [format!("{function}("), format!("::{function})")];
            let text = read(calling_file)?;
            let is_called = |body: &&str| calls.iter().any(|call| body.contains(call));
            if !bodies(&text, calling).iter().any(is_called) {
                problems.push(format!(
                    "docs/architecture.md: step {number}: `{calling}` does not call `{function}`"
                ));
            }
        } else if number != "1" {
            problems.push(format!("docs/architecture.md: step {number} has no caller"));
        }
        steps.push((function, file));
    }
    if steps.is_empty() || steps.len() > MOST_STEPS {
        problems.push(format!("docs/architecture.md: a region passes through {} functions", steps.len()));
    }
    Ok(problems)
}

/// The texts of the functions of a name: up to the brace in their first line's column.
fn bodies<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let head = format!("fn {name}");
    let begins = text.match_indices(&head).filter(|(at, _)| text[at + head.len()..].starts_with(['(', '<']));
    begins
        .map(|(at, _)| {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let indent: String = text[line..].chars().take_while(|c| *c == ' ').collect();
            let end = text[at..].find(&format!("\n{indent}}}")).map_or(text.len(), |end| at + end);
            &text[at..end]
        })
        .collect()
}

/// A relative path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

fn build(root: &Path) -> Result<(), String> {
    let tools = Cache::location().map_err(|error| error.to_string())?.join("mdbook");
    let program = tools.join("bin/mdbook");
    let version = || Command::new(&program).arg("--version").output().ok();
    let is_there = version().is_some_and(|output| String::from_utf8_lossy(&output.stdout).contains(MDBOOK));
    if !is_there {
        println!("installing mdbook {MDBOOK} into {}", tools.display());
        let mut install = Command::new(env!("CARGO"));
        // It is built for one book: building it fast matters more than its speed.
        install.args([
            "install",
            "--debug",
            "--quiet",
            "--locked",
            "--no-default-features",
            "--force",
            "--version",
            MDBOOK,
        ]);
        install.arg("--root").arg(&tools).arg("mdbook");
        // Keeps mdbook's build out of this workspace's target folder.
        install.env("CARGO_TARGET_DIR", tools.join("build"));
        succeed(&mut install)?;
        let _ = fs::remove_dir_all(tools.join("build"));
    }
    succeed(Command::new(&program).arg("build").current_dir(root))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} ended with {status}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_lower_case_with_hyphens() {
        assert_eq!(anchor("Streams of the emulated driver"), "streams-of-the-emulated-driver");
        assert_eq!(anchor("The last block folds (`grid::reduce`)"), "the-last-block-folds-gridreduce");
    }

    #[test]
    fn dead_links_are_found() {
        let text =
            "# One\n[a](#one) [b](#two) [c](nowhere.md) [d](../README.md) [e](https://example.org/x)\n";
        let pages = HashMap::from([(PathBuf::from("docs/index.md"), page(text))]);
        let mut problems = dead_links(workspace_root(), &pages);
        problems.sort();
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].contains("`#two` has no target heading"));
        assert!(problems[1].contains("`../README.md` leaves the book"));
        assert!(problems[2].contains("`nowhere.md` has no target file"));
    }

    #[test]
    fn pages_outside_the_book_are_found() {
        let pages = HashMap::from([
            (PathBuf::from("docs/SUMMARY.md"), page("[a](a.md)")),
            (PathBuf::from("docs/a.md"), Page::default()),
            (PathBuf::from("docs/b.md"), Page::default()),
            (PathBuf::from("README.md"), Page::default()),
        ]);
        assert_eq!(outside_the_book(&pages), ["docs/b.md: not in docs/SUMMARY.md"]);
    }

    #[test]
    fn the_index_names_every_page_of_the_book() {
        let pages = HashMap::from([
            (PathBuf::from(SUMMARY), page("[Contents](index.md) [a](a.md) [b](b.md)")),
            (PathBuf::from(INDEX), page("[a](a.md)")),
        ]);
        assert_eq!(missing_in_the_index(&pages), ["docs/index.md: no link to docs/b.md, a page of the book"]);
    }

    #[test]
    fn long_pages_and_lines_are_found() {
        let short = || page("a line\n");
        let mut pages: HashMap<_, _> =
            MOST_LINES.iter().map(|(file, _)| (PathBuf::from(file), short())).collect();
        // Characters count, not bytes.
        pages.insert("docs/a.md".into(), page(&format!("µ{}\n", "x".repeat(LONGEST_LINE - 1))));
        assert!(too_long(&pages).is_empty());

        pages.insert("docs/a.md".into(), page(&format!("short\n{}\n", "x".repeat(LONGEST_LINE + 1))));
        assert_eq!(too_long(&pages), ["docs/a.md:2: 401 characters; a line has at most 400"]);

        pages.insert("docs/a.md".into(), short());
        let (file, limit) = MOST_LINES[0];
        pages.insert(file.into(), page(&"a line\n".repeat(limit + 1)));
        assert_eq!(too_long(&pages), [format!("{file}: {} lines; shorten it to at most {limit}", limit + 1)]);

        pages.remove(Path::new(file));
        assert_eq!(
            too_long(&pages),
            [format!("{file}: has a limit in xtask/src/docs.rs, but does not exist")]
        );
    }
}
