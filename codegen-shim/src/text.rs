//! Reduction variables as text, as `warpfold emit` takes them.
//!
//! ```text
//! VARIABLE  NAME=OP:TYPE[@SOURCE]
//! OP        sum product min max and or xor all any argmin argmax, + * & | ^ && ||,
//!           user(FILE:FUNCTION) or user(FILE:FUNCTION=VALUE,VALUE…) with the identity's scalars
//! TYPE      i8 … i128, u8 … u128, f16, bf16, f32, f64, complex<f32>, [TYPE;N], {TYPE,TYPE…}
//! SOURCE    ARRAY, ARRAY*ARRAY (their product) or map(FILE:FUNCTION,ARRAY…)
//! ARRAY     NUMBER or NUMBER:TYPE, the array's place and the type of its elements
//! ```
//!
//! Without a source a variable reads array 0. An array's elements have the type of a variable that reads it,
//! unless a variable says otherwise. A file ends in `.c` (C) or `.ll` (LLVM IR).

use std::fs;
use std::path::Path;

use toolchain::Tools;

use crate::{Combiner, Error, Mapper, Op, Source, Type, UserModule, Variable};

/// Variables, and the types of the arrays that they read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// In the order in which they were given.
    pub variables: Vec<Variable>,
    /// In the order of the arrays' numbers.
    pub arrays: Vec<Type>,
}

/// An array that a variable reads: its number, and its elements' type where it is given.
type Read = (u32, Option<Type>);

impl Specification {
    /// Reads variables, one from each text. `tools` is asked for what loads functions of the user's, if there
    /// are any; their files are read.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] for a text that is no variable; [`Error::InVariable`] with the variable's name for
    /// everything that is wrong inside one; [`Error::ArrayTypes`] for an array with two types,
    /// [`Error::ArrayUnused`] for one that is passed over.
    pub fn parse<T: AsRef<str>>(
        texts: &[T],
        tools: &dyn Fn() -> Result<Tools, toolchain::Error>,
    ) -> Result<Specification, Error> {
        let mut variables = Vec::new();
        let mut reads = Vec::new();
        for text in texts {
            let text = text.as_ref();
            let syntax = |reason: &str| Error::Syntax { text: text.to_owned(), reason: reason.to_owned() };
            let (name, rest) =
                text.split_once('=').ok_or_else(|| syntax("a variable is NAME=OP:TYPE[@SOURCE]"))?;
            let inside = |source| Error::InVariable { variable: name.to_owned(), source: Box::new(source) };
            let (variable, read) = variable(name, rest, tools).map_err(inside)?;
            variables.push(variable);
            reads.push(read);
        }
        let arrays = array_types(&variables, &reads)?;
        Ok(Specification { variables, arrays })
    }
}

/// The type of each array: what is said of it, else that of the first variable that reads it.
fn array_types(variables: &[Variable], reads: &[Vec<Read>]) -> Result<Vec<Type>, Error> {
    let all = || {
        variables
            .iter()
            .zip(reads)
            .flat_map(|(variable, reads)| reads.iter().map(move |read| (variable, read)))
    };
    let count = all().map(|(_, (array, _))| array + 1).max().unwrap_or(0);
    (0..count)
        .map(|array| {
            let mut of_array = all().filter(|(_, (number, _))| *number == array).peekable();
            let default = of_array.peek().map(|(variable, _)| variable.ty);
            let mut given: Option<(&str, Type)> = None;
            for (variable, (_, ty)) in of_array {
                match (given, ty) {
                    (Some((first, known)), Some(ty)) if known != *ty => {
                        return Err(Error::ArrayTypes {
                            array,
                            variables: [first.to_owned(), variable.name.clone()],
                            types: [known, *ty],
                        });
                    }
                    (None, Some(ty)) => given = Some((&variable.name, *ty)),
                    _ => {}
                }
            }
            given.map(|(_, ty)| ty).or(default).ok_or(Error::ArrayUnused { array })
        })
        .collect()
}

/// The place of the first `wanted` outside of brackets.
fn outside(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0;
    text.find(|c| {
        depth += i32::from("([{<".contains(c)) - i32::from(")]}>".contains(c));
        c == wanted && depth == 0
    })
}

/// `text` at the first `separator` outside of brackets.
fn split(text: &str, separator: char) -> (&str, Option<&str>) {
    match outside(text, separator) {
        Some(at) => (&text[..at], Some(&text[at + separator.len_utf8()..])),
        None => (text, None),
    }
}

/// What is inside `word(…)`.
fn called<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')')
}

fn variable(
    name: &str,
    text: &str,
    tools: &dyn Fn() -> Result<Tools, toolchain::Error>,
) -> Result<(Variable, Vec<Read>), Error> {
    let syntax = |reason: &str| Error::Syntax { text: text.to_owned(), reason: reason.to_owned() };
    let (head, source) = split(text, '@');
    let (op, ty) = split(head, ':');
    let ty: Type = ty.ok_or_else(|| syntax("a type is missing: OP:TYPE"))?.trim().parse()?;
    let op = match called(op.trim(), "user") {
        None => op.trim().parse()?,
        Some(inside) => {
            let (function, identity) = split(inside, '=');
            let (path, function) = file_and_function(function)?;
            let values: Option<Vec<&str>> = identity.map(|values| values.split(',').collect());
            let text = read(path)?;
            Op::User(Combiner::load(&tools()?, path, module(path, &text)?, function, ty, values.as_deref())?)
        }
    };
    let (source, reads) = match source.map(str::trim) {
        None => (Source::Array(0), vec![(0, None)]),
        Some(text) => match called(text, "map") {
            Some(inside) => {
                let mut parts = inside.split(',');
                let (path, function) = file_and_function(parts.next().unwrap_or_default())?;
                let reads = parts.map(array).collect::<Result<Vec<_>, _>>()?;
                let text = read(path)?;
                let mapper = Mapper::load(&tools()?, path, module(path, &text)?, function)?;
                let numbers: Vec<_> = reads.iter().map(|(number, _)| *number).collect();
                (Source::map(mapper, &numbers), reads)
            }
            None => match split(text, '*') {
                (one, None) => {
                    let read = array(one)?;
                    (Source::Array(read.0), vec![read])
                }
                (left, Some(right)) => {
                    let (left, right) = (array(left)?, array(right)?);
                    (Source::Product(left.0, right.0), vec![left, right])
                }
            },
        },
    };
    Ok((Variable { name: name.trim().to_owned(), ty, op, source }, reads))
}

fn array(text: &str) -> Result<Read, Error> {
    let (number, ty) = split(text, ':');
    let reason = "an array is given by its number from 0, at most 507".to_owned();
    let number = number.trim().parse().ok().filter(|number| *number < crate::MAX_ARRAYS as u32);
    let number = number.ok_or_else(|| Error::Syntax { text: text.to_owned(), reason })?;
    Ok((number, ty.map(|ty| ty.trim().parse()).transpose()?))
}

fn file_and_function(text: &str) -> Result<(&str, &str), Error> {
    text.trim().rsplit_once(':').ok_or_else(|| Error::Syntax {
        text: text.to_owned(),
        reason: "a function is given as FILE:FUNCTION".to_owned(),
    })
}

fn read(path: &str) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::Read { path: path.into(), source })
}

fn module<'a>(path: &str, text: &'a str) -> Result<UserModule<'a>, Error> {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("c") => Ok(UserModule::C(text)),
        Some("ll") => Ok(UserModule::Ir(text)),
        _ => Err(Error::Syntax {
            text: path.to_owned(),
            reason: "a file with functions ends in .c (C) or .ll (LLVM IR)".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Result<Specification, String> {
        Specification::parse(texts, &Tools::find).map_err(|error| error.to_string())
    }

    #[test]
    fn variables_with_their_arrays() {
        let all = parse(&[
            "s=sum:f64",
            "z=+:complex<f32>@1",
            "h=max:[i16;3]@2",
            "best=argmin:f32@3",
            "dot=sum:f64@0*4:f32",
            "t=&&:u8 @ 5",
            "wide=sum:i64@6:{i8,u8}",
        ])
        .unwrap();
        let names: Vec<_> = all.variables.iter().map(|variable| variable.name.as_str()).collect();
        assert_eq!(names, ["s", "z", "h", "best", "dot", "t", "wide"]);
        assert_eq!(all.variables[4].source, Source::Product(0, 4));
        assert_eq!((all.variables[5].op, all.variables[1].op), (Op::All, Op::Sum));
        let types: Vec<_> = all.arrays.iter().map(Type::to_string).collect();
        assert_eq!(types, ["f64", "complex<f32>", "[i16;3]", "f32", "f32", "u8", "{i8,u8}"]);
    }

    #[test]
    fn what_is_said_of_an_array_counts_more_than_what_reads_it() {
        let arrays = |texts: &[&str]| parse(texts).map(|all| all.arrays);
        assert_eq!(arrays(&["a=sum:i64", "b=max:i8@0:i8"]).unwrap(), [Type::I8]);
        let error = arrays(&["a=sum:i64@0:i16", "b=max:i8@0:i8"]).unwrap_err();
        assert_eq!(error, "array 0 holds i16 by variable `a` and i8 by variable `b`");
        let error = arrays(&["a=sum:i64@1"]).unwrap_err();
        assert!(error.contains("no variable reads array 0"), "{error}");
    }

    #[test]
    fn refusals_name_the_variable() {
        let refused = |text: &str, words: &[&str]| {
            let error = parse(&[text]).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        };
        refused("sum:f64", &["sum:f64", "NAME=OP:TYPE"]);
        refused("s=sum", &["`s`", "type is missing"]);
        refused("s=mean:f64", &["`s`", "mean", "known operators: sum"]);
        refused("s=sum:float", &["`s`", "float", "known types: i8"]);
        refused("s=sum:f64@x", &["`s`", "by its number"]);
        refused("s=sum:f64@-1", &["`s`", "by its number"]);
        refused("s=user(pair.c):f64", &["`s`", "FILE:FUNCTION"]);
        refused("s=user(pair.o:f):f64", &["`s`", "pair.o"]);
        refused("s=user(no/such.c:f):f64", &["`s`", "no/such.c"]);
    }
}
