//! Makes programs smaller while a property stays.

use crate::tree::{Node, Program};

/// The smallest program found that has a property, which the given one has; `tries` limits how often it is asked for.
pub fn reduced(program: &Program, tries: usize, has: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut left = tries;
    loop {
        let before = best.size();
        let mut try_it = |best: &mut Program, smaller: Program| {
            if left == 0 || smaller == *best {
                return false;
            }
            left -= 1;
            let is_smaller = has(&smaller);
            if is_smaller {
                *best = smaller;
            }
            is_smaller
        };
        calls(&mut best, &mut try_it);
        nodes(&mut best, &mut try_it);
        lists(&mut best, &mut try_it);
        parameters(&mut best, &mut try_it);
        if left == 0 || best.size() == before {
            return best;
        }
    }
}

type Try<'t> = &'t mut dyn FnMut(&mut Program, Program) -> bool;

fn calls(best: &mut Program, try_it: Try) {
    let mut at = best.calls.len();
    while at > 0 {
        at -= 1;
        if best.calls.len() > 1 {
            let mut smaller = best.clone();
            smaller.calls.remove(at);
            try_it(best, smaller);
        }
    }
}

/// Leaves out parts of a list: first halves, then quarters, and so on.
fn parts<T: Clone>(best: &mut Program, list: &dyn Fn(&mut Program) -> Option<&mut Vec<T>>, try_it: Try) {
    let length = |best: &mut Program| list(best).map_or(0, |list| list.len());
    let mut size = length(best);
    while size > 0 {
        let mut end = length(best);
        while end > 0 {
            let start = end.saturating_sub(size);
            let mut smaller = best.clone();
            if let Some(list) = list(&mut smaller) {
                list.drain(start..end.min(list.len()));
            }
            try_it(best, smaller);
            end = start.min(length(best));
        }
        size /= 2;
    }
}

fn lists(best: &mut Program, try_it: Try) {
    parts(best, &|program| Some(&mut program.shown), try_it);
    parts(best, &|program| Some(&mut program.globals), try_it);
    for call in 0..best.calls.len() {
        parts(best, &|program| program.calls.get_mut(call).map(|call| &mut call.setup), try_it);
    }
    if !best.result.1.is_empty() {
        let mut smaller = best.clone();
        smaller.result = ("void", String::new());
        try_it(best, smaller);
    }
}

fn parameters(best: &mut Program, try_it: Try) {
    for at in (0..best.parameters.len()).rev() {
        let mut smaller = best.clone();
        smaller.parameters.remove(at);
        smaller.calls.iter_mut().for_each(|call| {
            call.arguments.remove(at);
        });
        try_it(best, smaller);
    }
}

/// The paths of all nodes, those inside others behind them.
fn paths(body: &[Node], path: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    for (at, node) in body.iter().enumerate() {
        path.push(at);
        all.push(path.clone());
        paths(node.body(), path, all);
        path.pop();
    }
}

/// The list that holds the node of a path.
fn holder<'p>(program: &'p mut Program, path: &[usize]) -> Option<&'p mut Vec<Node>> {
    let mut body = &mut program.body;
    for at in &path[..path.len() - 1] {
        body = match body.get_mut(*at)? {
            Node::Line(_) => return None,
            Node::Block { body, .. } | Node::Region(body) => body,
        };
    }
    Some(body)
}

fn nodes(best: &mut Program, try_it: Try) {
    parts(best, &|program| Some(&mut program.body), try_it);
    let mut all = Vec::new();
    paths(&best.body, &mut Vec::new(), &mut all);
    // From the end, so that the paths of the others stay.
    for path in all.into_iter().rev() {
        let at = path[path.len() - 1];
        let mut without = best.clone();
        let Some(node) =
            holder(&mut without, &path).filter(|body| at < body.len()).map(|body| body.remove(at))
        else {
            continue;
        };
        if try_it(best, without) {
            continue;
        }
        if let Node::Block { body, .. } = node {
            let mut inside = best.clone();
            if let Some(holder) = holder(&mut inside, &path) {
                holder.splice(at..=at, body);
            }
            try_it(best, inside);
        }
    }
}
