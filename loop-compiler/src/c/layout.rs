//! What types are made of, as far as structures can be taken apart.

use crate::ir::{Expression, Step, types::Scalar};

/// Numbers of a structure or an array that are set one by one.
pub(super) const MAX_ELEMENTS: usize = 64;

/// What a type is made of.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    Number(Scalar),
    Pointer,
    Array(usize, Box<Layout>),
    Record(Vec<(String, Layout)>),
    /// What no expression reads: a union, an array whose length is not a number.
    Other,
}

/// Parts without parts, each with its way.
pub(super) type Parts<'l> = Vec<(Vec<Step>, &'l Layout)>;

impl Layout {
    pub fn is_record(&self) -> bool {
        matches!(self, Layout::Record(_))
    }

    /// Whether it is a structure, or an array of structures.
    pub fn is_record_or_array_of(&self) -> bool {
        match self {
            Layout::Array(_, element) => element.is_record_or_array_of(),
            layout => layout.is_record(),
        }
    }

    pub fn parts(&self) -> Parts<'_> {
        let mut found = Vec::new();
        self.add_parts(&mut Vec::new(), &mut found);
        found
    }

    fn add_parts<'l>(&'l self, path: &mut Vec<Step>, found: &mut Parts<'l>) {
        match self {
            // One more says that there are too many.
            _ if found.len() > MAX_ELEMENTS => {}
            Layout::Array(length, element) => {
                for index in 0..*length {
                    path.push(Step::Index(Expression::integer(index as i128, Scalar::LONG)));
                    element.add_parts(path, found);
                    path.pop();
                }
            }
            Layout::Record(members) => {
                for (name, member) in members {
                    path.push(Step::Member(name.clone()));
                    member.add_parts(path, found);
                    path.pop();
                }
            }
            Layout::Number(_) | Layout::Pointer | Layout::Other => found.push((path.clone(), self)),
        }
    }

    /// The members that are numbers, as arrays: names, lengths and types.
    pub fn arrays(&self) -> Vec<(Vec<String>, Vec<usize>, Scalar)> {
        match self {
            Layout::Number(scalar) => vec![(Vec::new(), Vec::new(), *scalar)],
            Layout::Array(length, element) => {
                let mut arrays = element.arrays();
                arrays.iter_mut().for_each(|(_, lengths, _)| lengths.insert(0, *length));
                arrays
            }
            Layout::Record(members) => {
                let all = members.iter().flat_map(|(name, member)| {
                    let mut arrays = member.arrays();
                    arrays.iter_mut().for_each(|(names, ..)| names.insert(0, name.clone()));
                    arrays
                });
                all.collect()
            }
            Layout::Pointer | Layout::Other => Vec::new(),
        }
    }
}
