//! Directives in front of loops.

use loop_compiler::{schedule::Schedule, strategies::Strategy, tree::Node};

/// The directives of the loops of a body.
pub fn directives(body: &[Node]) -> Vec<&String> {
    let mut found = Vec::new();
    for node in body {
        match node {
            Node::Loop(looped) => {
                found.extend(&looped.directives);
                found.extend(directives(&looped.body));
            }
            Node::If(guard) => found.extend([directives(&guard.then), directives(&guard.otherwise)].concat()),
            _ => {}
        }
    }
    found
}

/// Whether a directive is this program's.
pub fn is_ours(text: &str) -> bool {
    Schedule::of(text).is_some() || Strategy::of(text).is_some()
}
