//! Finds cycles: strongly connected components of more than one file (Tarjan's algorithm).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::names::Dependency;

/// The sets of files that depend on each other.
pub fn find(dependencies: &[Dependency]) -> Vec<BTreeSet<PathBuf>> {
    let mut edges: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> = BTreeMap::new();
    for dependency in dependencies {
        edges.entry(&dependency.from).or_default().insert(&dependency.to);
        edges.entry(&dependency.to).or_default();
    }
    let mut search = Search {
        edges: &edges,
        index: BTreeMap::new(),
        low: BTreeMap::new(),
        stack: Vec::new(),
        found: Vec::new(),
    };
    for file in edges.keys() {
        if !search.index.contains_key(file) {
            search.visit(file);
        }
    }
    search.found
}

struct Search<'a> {
    edges: &'a BTreeMap<&'a PathBuf, BTreeSet<&'a PathBuf>>,
    /// The order in which a file was reached; `low`: the earliest file that it leads back to.
    index: BTreeMap<&'a PathBuf, usize>,
    low: BTreeMap<&'a PathBuf, usize>,
    stack: Vec<&'a PathBuf>,
    found: Vec<BTreeSet<PathBuf>>,
}

impl<'a> Search<'a> {
    fn visit(&mut self, file: &'a PathBuf) {
        let at = self.index.len();
        self.index.insert(file, at);
        self.low.insert(file, at);
        self.stack.push(file);
        for next in &self.edges[file] {
            if !self.index.contains_key(next) {
                self.visit(next);
                let low = self.low[file].min(self.low[next]);
                self.low.insert(file, low);
            } else if self.stack.contains(next) {
                let low = self.low[file].min(self.index[next]);
                self.low.insert(file, low);
            }
        }
        if self.low[file] == self.index[file] {
            let start = self.stack.iter().position(|on| *on == file).unwrap_or(0);
            let component: BTreeSet<PathBuf> =
                self.stack.drain(start..).map(|file| file.to_path_buf()).collect();
            if component.len() > 1 {
                self.found.push(component);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependencies(pairs: &[(&str, &str)]) -> Vec<Dependency> {
        let path = |name: &str| PathBuf::from(name);
        pairs
            .iter()
            .map(|(from, to)| Dependency { from: path(from), to: path(to), name: String::from("x") })
            .collect()
    }

    #[test]
    fn a_chain_has_no_cycle() {
        assert!(find(&dependencies(&[("a", "b"), ("b", "c"), ("a", "c")])).is_empty());
    }

    #[test]
    fn each_cycle_is_found_once_and_whole() {
        let found = find(&dependencies(&[
            ("top", "a"),
            ("a", "b"),
            ("b", "c"),
            ("c", "a"),
            ("c", "x"),
            ("x", "y"),
            ("y", "x"),
        ]));
        let mut sizes: Vec<usize> = found.iter().map(BTreeSet::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [2, 3]);
    }
}
