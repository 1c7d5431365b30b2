//! Parses reduction variables from text, such as the arguments of `warpfold emit`.
//!
//! ```text
//! VARIABLE  NAME=OP:TYPE[@SOURCE]
//! OP        sum product min max and or xor all any argmin argmax, + * & | ^ && ||,
//!           user(FILE:FUNCTION) or user(FILE:FUNCTION=VALUE,VALUE…) with the identity's scalars
//! TYPE      i8 … i128, u8 … u128, f16, bf16, f32, f64, complex<f32>, [TYPE;N], {TYPE,TYPE…}
//! SOURCE    ARRAY, ARRAY*ARRAY (their product) or map(FILE:FUNCTION,ARRAY…)
//! ARRAY     NUMBER or NUMBER:TYPE, the array's number from 0 and the type of its elements
//! ```
//!
//! Without a source a variable reads array 0. The element type of an array is the one that a variable gives;
//! if none does, the type of the first variable that reads it. A file ends in `.c` (C) or `.ll` (LLVM IR).

use std::fs;
use std::path::Path;

use toolchain::Tools;

use crate::{Combiner, Error, Mapper, Op, Source, Type, UserModule, Variable};

/// Variables, and the element types of the arrays that they read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// The variables, in the order given.
    pub variables: Vec<Variable>,
    /// The element types, in the order of the arrays' numbers.
    pub arrays: Vec<Type>,
}

/// An array that a variable reads: its number, and its element type if one is given.
type ArrayUse = (u32, Option<Type>);

impl Specification {
    /// Parses one variable from each text. `tools` is called if there are user functions; their files are
    /// read.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] for a text that is not of the form `NAME=…`; [`Error::InVariable`], with the
    /// variable's name, for every error behind it; [`Error::ArrayTypes`] for an array with two types,
    /// [`Error::ArrayUnused`] for a gap in the arrays' numbers.
    pub fn parse<T: AsRef<str>>(
        texts: &[T],
        tools: &dyn Fn() -> Result<Tools, toolchain::Error>,
    ) -> Result<Specification, Error> {
        let mut variables = Vec::new();
        let mut uses = Vec::new();
        for text in texts {
            let text = text.as_ref();
            let syntax = |reason: &str| Error::Syntax { text: text.to_owned(), reason: reason.to_owned() };
            let (name, rest) =
                text.split_once('=').ok_or_else(|| syntax("a variable is NAME=OP:TYPE[@SOURCE]"))?;
            let inside = |source| Error::InVariable { variable: name.to_owned(), source: Box::new(source) };
            let (variable, arrays) = variable(name, rest, tools).map_err(inside)?;
            variables.push(variable);
            uses.push(arrays);
        }
        let arrays = array_types(&variables, &uses)?;
        Ok(Specification { variables, arrays })
    }
}

/// The type of each array: the one given, else that of the first variable that reads it.
fn array_types(variables: &[Variable], uses: &[Vec<ArrayUse>]) -> Result<Vec<Type>, Error> {
    let all = || {
        variables
            .iter()
            .zip(uses)
            .flat_map(|(variable, uses)| uses.iter().map(move |array| (variable, array)))
    };
    let count = all().map(|(_, (array, _))| array + 1).max().unwrap_or(0);
    (0..count)
        .map(|array| {
            let mut readers = all().filter(|(_, (number, _))| *number == array).peekable();
            let default = readers.peek().map(|(variable, _)| variable.ty);
            let mut given: Option<(&str, Type)> = None;
            for (variable, (_, ty)) in readers {
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

/// The position of the first `wanted` outside of brackets.
fn find_outside_brackets(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0;
    text.find(|c| {
        depth += i32::from("([{<".contains(c)) - i32::from(")]}>".contains(c));
        c == wanted && depth == 0
    })
}

/// Splits `text` at the first `separator` outside of brackets.
fn split_outside_brackets(text: &str, separator: char) -> (&str, Option<&str>) {
    match find_outside_brackets(text, separator) {
        Some(at) => (&text[..at], Some(&text[at + separator.len_utf8()..])),
        None => (text, None),
    }
}

/// The text between the brackets of `word(…)`.
fn arguments_of<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')')
}

fn variable(
    name: &str,
    text: &str,
    tools: &dyn Fn() -> Result<Tools, toolchain::Error>,
) -> Result<(Variable, Vec<ArrayUse>), Error> {
    let syntax = |reason: &str| Error::Syntax { text: text.to_owned(), reason: reason.to_owned() };
    let (head, source) = split_outside_brackets(text, '@');
    let (op, ty) = split_outside_brackets(head, ':');
    let ty: Type = ty.ok_or_else(|| syntax("a type is missing: OP:TYPE"))?.trim().parse()?;
    let op = match arguments_of(op.trim(), "user") {
        None => op.trim().parse()?,
        Some(inside) => {
            let (function, identity) = split_outside_brackets(inside, '=');
            let (path, function) = file_and_function(function)?;
            let values: Option<Vec<&str>> = identity.map(|values| values.split(',').collect());
            let text = read(path)?;
            Op::User(Combiner::load(&tools()?, path, module(path, &text)?, function, ty, values.as_deref())?)
        }
    };
    let (source, arrays) = match source.map(str::trim) {
        None => (Source::Array(0), vec![(0, None)]),
        Some(text) => match arguments_of(text, "map") {
            Some(inside) => {
                let mut arguments = inside.split(',');
                let (path, function) = file_and_function(arguments.next().unwrap_or_default())?;
                let arrays = arguments.map(array).collect::<Result<Vec<_>, _>>()?;
                let text = read(path)?;
                let mapper = Mapper::load(&tools()?, path, module(path, &text)?, function)?;
                let numbers: Vec<_> = arrays.iter().map(|(number, _)| *number).collect();
                (Source::map(mapper, &numbers), arrays)
            }
            None => match split_outside_brackets(text, '*') {
                (one, None) => {
                    let one = array(one)?;
                    (Source::Array(one.0), vec![one])
                }
                (left, Some(right)) => {
                    let (left, right) = (array(left)?, array(right)?);
                    (Source::Product(left.0, right.0), vec![left, right])
                }
            },
        },
    };
    Ok((Variable { name: name.trim().to_owned(), ty, op, source }, arrays))
}

fn array(text: &str) -> Result<ArrayUse, Error> {
    let (number, ty) = split_outside_brackets(text, ':');
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
    fn a_given_array_type_takes_precedence() {
        let arrays = |texts: &[&str]| parse(texts).map(|all| all.arrays);
        assert_eq!(arrays(&["a=sum:i64", "b=max:i8@0:i8"]).unwrap(), [Type::I8]);
        let error = arrays(&["a=sum:i64@0:i16", "b=max:i8@0:i8"]).unwrap_err();
        assert_eq!(error, "array 0 has elements of type i16 in variable `a` and i8 in variable `b`");
        let error = arrays(&["a=sum:i64@1"]).unwrap_err();
        assert!(error.contains("no variable reads array 0"), "{error}");
    }

    #[test]
    fn errors_name_the_variable() {
        let rejected = |text: &str, words: &[&str]| {
            let error = parse(&[text]).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        };
        rejected("sum:f64", &["sum:f64", "NAME=OP:TYPE"]);
        rejected("s=sum", &["`s`", "type is missing"]);
        rejected("s=mean:f64", &["`s`", "mean", "known operators: sum"]);
        rejected("s=sum:float", &["`s`", "float", "known types: i8"]);
        rejected("s=sum:f64@x", &["`s`", "by its number"]);
        rejected("s=sum:f64@-1", &["`s`", "by its number"]);
        rejected("s=user(pair.c):f64", &["`s`", "FILE:FUNCTION"]);
        rejected("s=user(pair.o:f):f64", &["`s`", "pair.o"]);
        rejected("s=user(no/such.c:f):f64", &["`s`", "no/such.c"]);
    }
}
