//! Tokens to regions: functions, declarations, loops and statements.

use std::collections::HashMap;

use super::lexer::{Lexeme, Token, tokens};
use super::names::Names;
use super::words;
use crate::ir::convert;
use crate::ir::located::Located;
use crate::ir::types::Scalar;
use crate::ir::verify::{MAXIMUM_NESTING, MAXIMUM_RANK, verify};
use crate::ir::{
    Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, If, Loop, LoopId, Node, Pairing,
    Position, Private, ReduceDimension, ReductionOperator, Region, Statement, Storage, Store, Variable,
    VariableId,
};
use crate::ir::{LoopAttributes, Schedule, ScheduleStep};

/// Bytes that a text may have.
pub const MAXIMUM_LENGTH: usize = 16 << 20;

/// Reads a file of loops: its functions, verified.
///
/// `file` is the name that errors give.
///
/// # Errors
///
/// The first place where the text is not in the notation, or what [`verify`] finds.
pub fn parse(text: &str, file: &str) -> Result<Vec<Region>, Located> {
    regions(text).map_err(|error| error.in_file(file))
}

fn regions(text: &str) -> Result<Vec<Region>, Located> {
    if text.len() > MAXIMUM_LENGTH {
        let what = format!("the text has {} bytes, more than {MAXIMUM_LENGTH}", text.len());
        return Err(Located::new(Position::default(), what, "split the file"));
    }
    let mut parser = Parser::new(tokens(text)?);
    let mut regions = Vec::new();
    while let Some(region) = parser.function()? {
        verify(&region)?;
        regions.push(region);
    }
    Ok(regions)
}

/// A type of a variable.
struct VariableType {
    scalar: Scalar,
    memref: bool,
    extents: Vec<Option<Expression>>,
    /// Of a structure: the members on the way (`[]` stands for a subscript) and the type behind them.
    members: Vec<(Vec<String>, Scalar)>,
}

pub struct Parser {
    tokens: Vec<Token>,
    next: usize,
    nesting: usize,
    pub(super) expression_nesting: usize,
    pub(super) region: Region,
    pub(super) names: Names,
    /// Of the loops around.
    pub(super) iterators: Vec<VariableId>,
    /// Functions that the file declares.
    pub(super) functions: HashMap<String, (Vec<Scalar>, Scalar)>,
    pub(super) members: HashMap<VariableId, HashMap<Vec<String>, Scalar>>,
}

type Parsed<T> = Result<T, Located>;

impl Parser {
    fn new(tokens: Vec<Token>) -> Parser {
        Parser {
            tokens,
            next: 0,
            nesting: 0,
            expression_nesting: 0,
            region: Region::default(),
            names: Names::default(),
            iterators: Vec::new(),
            functions: HashMap::new(),
            members: HashMap::new(),
        }
    }

    // Tokens.

    pub(super) fn at(&self) -> Position {
        self.tokens[self.next].at
    }

    pub(super) fn peek(&self) -> &Lexeme {
        &self.tokens[self.next].lexeme
    }

    fn peek_second(&self) -> &Lexeme {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].lexeme
    }

    /// The token, and goes on; the last one stays.
    pub(super) fn advance(&mut self) -> Lexeme {
        let lexeme = self.peek().clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        lexeme
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Lexeme::Symbol(found) if *found == symbol)
    }

    /// Whether the token is this word, reserved or not.
    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Lexeme::Word(found) | Lexeme::Name(found) if found == word)
    }

    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expected<T>(&self, what: &str, hint: &str) -> Parsed<T> {
        let what = format!("expected {what}, found {}", self.peek().describe());
        Err(Located::new(self.at(), what, hint))
    }

    pub(super) fn expect(&mut self, symbol: &str, hint: &str) -> Parsed<()> {
        if self.take(symbol) { Ok(()) } else { self.expected(&format!("`{symbol}`"), hint) }
    }

    fn expect_word(&mut self, word: &str, hint: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { self.expected(&format!("`{word}`"), hint) }
    }

    fn expect_name(&mut self, what: &str) -> Parsed<(String, Position)> {
        let at = self.at();
        match self.peek() {
            Lexeme::Name(name) => {
                let name = name.clone();
                self.advance();
                Ok((name, at))
            }
            Lexeme::Symbol("%") => self.expected(what, "names have no sigil: write `name`, not `%name`"),
            Lexeme::Word(word) => {
                let hint = format!("`{word}` is reserved: as a name it has backquotes");
                self.expected(what, &hint)
            }
            _ => self.expected(what, "a name is a word, or in backquotes"),
        }
    }

    /// Runs `body` one level deeper.
    fn nested<T>(&mut self, body: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == MAXIMUM_NESTING {
            let what = format!("more than {MAXIMUM_NESTING} bodies in each other");
            return Err(Located::new(self.at(), what, "join loops or conditions"));
        }
        self.nesting += 1;
        let result = body(self);
        self.nesting -= 1;
        result
    }

    // Functions and types.

    /// The next function, after declarations of others; `None` at the end.
    fn function(&mut self) -> Parsed<Option<Region>> {
        while self.take_word("declare") {
            self.declared_function()?;
        }
        if *self.peek() == Lexeme::End {
            return Ok(None);
        }
        let hint = "a file has functions: `func @name(parameters) { … }`";
        if self.take_word("builtin") {
            self.expect(".", hint)?;
        }
        let at = self.at();
        self.expect_word("func", hint)?;
        self.expect("@", "the name of a function begins with `@`")?;
        let (function, _) = self.expect_name("the function's name")?;
        self.region = Region { function, at, ..Region::default() };
        self.names = Names::default();
        self.members.clear();
        self.iterators.clear();
        self.names.enter();
        self.expect("(", "parameters follow, in parentheses")?;
        while !self.take(")") {
            self.parameter()?;
            if !self.is(")") {
                self.expect(",", "a comma separates parameters")?;
            }
        }
        if self.take("->") {
            self.expect_word("void", "a function returns nothing: its results are in memrefs")?;
        }
        self.expect("{", "the body follows, in braces")?;
        self.region.body = self.nodes()?;
        self.region.identify_loops();
        self.names.leave();
        Ok(Some(std::mem::take(&mut self.region)))
    }

    /// `func @name(types) -> type`.
    fn declared_function(&mut self) -> Parsed<()> {
        let hint = "a function of C is declared as `declare func @name(f64) -> f64`";
        self.expect_word("func", hint)?;
        self.expect("@", hint)?;
        let (name, _) = self.expect_name("the function's name")?;
        self.expect("(", hint)?;
        let mut parameters = Vec::new();
        while !self.take(")") {
            parameters.push(self.scalar(hint)?);
            if !self.is(")") {
                self.expect(",", hint)?;
            }
        }
        self.expect("->", hint)?;
        let result = self.scalar(hint)?;
        self.functions.insert(name, (parameters, result));
        Ok(())
    }

    fn parameter(&mut self) -> Parsed<()> {
        let (name, at) = self.expect_name("a parameter's name")?;
        self.expect(":", "a parameter is `name: type`")?;
        let kind = self.variable_type()?;
        let storage = if kind.memref { Storage::Parameter } else { Storage::Local };
        self.declare(name, at, kind, storage).map(|_| ())
    }

    /// Adds a variable with the attributes that follow.
    fn declare(
        &mut self,
        name: String,
        at: Position,
        kind: VariableType,
        mut storage: Storage,
    ) -> Parsed<VariableId> {
        let mut aliasing = Aliasing::Distinct;
        let mut declared_type = String::new();
        let hint = "attributes are [local], [parameter], [pointer], [global], [shared], [rows] and [as \"type in C\"]";
        if self.take("[") {
            loop {
                let at = self.at();
                let (attribute, _) = self.expect_name("an attribute")?;
                let place = match attribute.as_str() {
                    "local" => Some(Storage::Local),
                    "parameter" => Some(Storage::Parameter),
                    "pointer" => Some(Storage::Pointer),
                    "global" => Some(Storage::Global),
                    _ => None,
                };
                match (attribute.as_str(), place) {
                    (_, Some(_)) if storage == Storage::Region => {
                        let what = "a variable of a body is neither a parameter nor outside of it";
                        return Err(Located::new(at, what, "only parameters say where they are"));
                    }
                    (_, Some(place)) => storage = place,
                    ("shared", _) => aliasing = Aliasing::Shared,
                    ("rows", _) => aliasing = Aliasing::Rows,
                    ("as", _) => match self.advance() {
                        Lexeme::Text(text) => declared_type = text,
                        _ => return Err(Located::new(at, "`as` has no text in quotes behind it", hint)),
                    },
                    _ => return Err(Located::new(at, format!("there is no attribute `{attribute}`"), hint)),
                }
                if self.take("]") {
                    break;
                }
                self.expect(",", hint)?;
            }
        }
        let VariableType { scalar, extents, members, .. } = kind;
        let variable = Variable { name: name.clone(), scalar, declared_type, extents, storage, aliasing };
        let variable = self.region.add(variable);
        if !members.is_empty() {
            self.members.insert(variable, members.into_iter().collect());
        }
        self.names.declare(&name, variable, at)?;
        Ok(variable)
    }

    fn scalar(&mut self, hint: &str) -> Parsed<Scalar> {
        match self.peek_scalar() {
            Some(scalar) => {
                self.advance();
                Ok(scalar)
            }
            None => self.expected("a type", hint),
        }
    }

    pub(super) fn peek_scalar(&self) -> Option<Scalar> {
        match self.peek() {
            Lexeme::Word(word) => words::scalar(word),
            _ => None,
        }
    }

    /// `f64`, `memref<n x 4 x f64>`, `{x: f64, v[]: i32}`, `memref<? x {x: f64}>`.
    fn variable_type(&mut self) -> Parsed<VariableType> {
        let memref = self.take_word("memref");
        let mut extents = Vec::new();
        if memref {
            self.expect("<", "a shape follows: `memref<n x f64>`")?;
            while !self.is("{")
                && (self.peek_scalar().is_none() || *self.peek_second() == Lexeme::Symbol("("))
            {
                if self.take("?") {
                    extents.push(None);
                } else {
                    extents.push(Some(self.binary(words::ADDITIVE)?.0));
                }
                if extents.len() > MAXIMUM_RANK {
                    let what = format!("a memref has more than {MAXIMUM_RANK} dimensions");
                    return Err(Located::new(self.at(), what, "join some of them"));
                }
                match self.peek() {
                    Lexeme::Name(name) if name == "x" => self.advance(),
                    _ => {
                        return self
                            .expected("`x`", "a shape is its extents and its type: `memref<n x 4 x f64>`");
                    }
                };
            }
            if extents.is_empty() {
                return self
                    .expected("an extent", "a memref has a dimension: `memref<1 x f64>`; a scalar is `f64`");
            }
        }
        let (scalar, members) = if self.is("{") {
            let members = self.structure()?;
            (members[0].1, members)
        } else {
            (
                self.scalar(
                    "types are bool, i8 to i128, u8 to u128, f32, f64, c32, c64, index and memref<…>",
                )?,
                vec![],
            )
        };
        if memref {
            self.expect(">", "a memref ends with its type: `memref<n x f64>`")?;
        }
        Ok(VariableType { scalar, memref, extents, members })
    }

    fn structure(&mut self) -> Parsed<Vec<(Vec<String>, Scalar)>> {
        self.expect("{", "")?;
        let mut members: Vec<(Vec<String>, Scalar)> = Vec::new();
        loop {
            let at = self.at();
            let mut path = vec![self.expect_name("a member's name")?.0];
            loop {
                if self.take("[") {
                    self.expect("]", "a member that is an array is written `name[]`")?;
                    path.push("[]".to_owned());
                } else if self.take(".") {
                    path.push(self.expect_name("a member's name")?.0);
                } else {
                    break;
                }
            }
            self.expect(":", "a member is `name: type`")?;
            let scalar = self.scalar("a member has a type such as f64")?;
            if members.iter().any(|(other, _)| *other == path) {
                return Err(Located::new(at, "the member is declared twice", "leave one out"));
            }
            members.push((path, scalar));
            if self.take("}") {
                return Ok(members);
            }
            self.expect(",", "a comma separates members")?;
        }
    }

    // Bodies.

    /// Nodes up to the closing brace, in a scope of their own.
    fn nodes(&mut self) -> Parsed<Vec<Node>> {
        self.names.enter();
        let mut nodes = Vec::new();
        while !self.take("}") {
            nodes.push(self.nested(Parser::node)?);
        }
        self.names.leave();
        Ok(nodes)
    }

    /// `{ nodes }`, or one node.
    fn body(&mut self) -> Parsed<Vec<Node>> {
        if self.take("{") {
            return self.nodes();
        }
        self.names.enter();
        let node = self.nested(Parser::node)?;
        self.names.leave();
        Ok(vec![node])
    }

    fn node(&mut self) -> Parsed<Node> {
        let at = self.at();
        let word = match self.peek() {
            Lexeme::Name(_) => return self.named(),
            Lexeme::Word(word) => word.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "for" | "par" => self.counted(at).map(Node::Loop),
            "if" => self.guard(at).map(Node::If),
            "break" => {
                self.advance();
                Ok(Node::Break(at))
            }
            "reduce" => self.reduce(at),
            "reduce_dimension" | "reduce_dimension_inplace" => {
                self.reduce_dimension(at).map(Node::ReduceDimension)
            }
            _ if self.is("%") => self.expect_name("a statement").map(|_| Node::Break(at)),
            _ => self.expected(
                "a statement",
                "`for`, `par.for`, `if`, `reduce(…)`, `name: type`, `name[…] = value`",
            ),
        }
    }

    /// What begins with a name: a declaration, private memory or a store.
    fn named(&mut self) -> Parsed<Node> {
        let at = self.at();
        match self.peek_second() {
            Lexeme::Symbol(":") => self.declaration(),
            Lexeme::Symbol("(") if self.is_word("schedule") => self.scheduled(),
            Lexeme::Symbol("=") => {
                let second = (self.next + 2).min(self.tokens.len() - 1);
                match &self.tokens[second].lexeme {
                    Lexeme::Word(word) if word == "memref" => self.private(),
                    Lexeme::Word(word) if word == "reduce_dimension" => Err(Located::new(
                        self.tokens[second].at,
                        "`reduce_dimension` has no value",
                        "its target is its first argument: `reduce_dimension(target, source, 0)`",
                    )),
                    _ => self.store(at),
                }
            }
            _ => self.store(at),
        }
    }

    /// `schedule(steps)`, and the loop behind it.
    fn scheduled(&mut self) -> Parsed<Node> {
        let at = self.at();
        let mut text = String::new();
        let mut depth = 0;
        loop {
            let token = self.advance();
            match token {
                Lexeme::Symbol("(") => depth += 1,
                Lexeme::Symbol(")") => depth -= 1,
                _ => {}
            }
            text += &match token {
                Lexeme::Word(word) | Lexeme::Name(word) => word,
                Lexeme::Integer(value, None) => value.to_string(),
                Lexeme::Symbol(",") => ", ".into(),
                Lexeme::Symbol(symbol @ ("(" | ")")) => symbol.into(),
                Lexeme::Symbol(symbol @ ("+" | "-" | "*" | "/")) => format!(" {symbol} "),
                other => {
                    let hint = "a schedule is `schedule(tile(i, 32, i_tile), parallel(i_tile))`";
                    let what = format!("a schedule does not have {}", other.describe());
                    return Err(Located::new(at, what, hint));
                }
            };
            if depth == 0 && text != "schedule" {
                break;
            }
        }
        let schedule = Schedule::parse(&text).map_err(|what| Located::new(at, what, ""))?;
        match self.node()? {
            Node::Loop(mut looped) => {
                match schedule.steps[..] {
                    [ScheduleStep::Mark(mark, ref name)]
                        if *name == self.region.variable(looped.iterator).name =>
                    {
                        looped.attributes.marks.insert(mark);
                    }
                    _ => looped.attributes.schedules.insert(0, Ok(schedule)),
                }
                Ok(Node::Loop(looped))
            }
            _ => {
                let what = "a schedule stands in front of what is no loop";
                Err(Located::new(at, what, "the loop that it speaks of follows it"))
            }
        }
    }

    /// `name: type = value`.
    fn declaration(&mut self) -> Parsed<Node> {
        let (name, at) = self.expect_name("a name")?;
        self.expect(":", "")?;
        let kind = self.variable_type()?;
        let scalar = kind.scalar;
        let variable = self.declare(name, at, kind, Storage::Region)?;
        let value = self.take("=").then(|| self.expression()).transpose()?;
        let value = value.map(|value| convert::convert(value, scalar));
        Ok(Node::Declaration(Declaration { variable, value, at }))
    }

    /// `name = memref<shape>`, and the operator whose identity it is filled with: `<"operator">`.
    fn private(&mut self) -> Parsed<Node> {
        let (name, at) = self.expect_name("a name")?;
        self.expect("=", "")?;
        let kind = self.variable_type()?;
        let variable = self.declare(name, at, kind, Storage::Region)?;
        let operator = match self.peek() {
            Lexeme::Symbol("<") => {
                self.advance();
                let operator = self.reduction_operator()?;
                self.expect(">", "memory is filled with an operator's identity: `memref<2 x f64> <\"+\">`")?;
                Some(operator)
            }
            _ => None,
        };
        Ok(Node::Private(Private { variable, operator, at }))
    }

    fn store(&mut self, at: Position) -> Parsed<Node> {
        let target = self.reference()?;
        let Lexeme::Symbol(symbol) = *self.peek() else {
            return self.expected("`=`", "a statement is `target = value` or `target += value`");
        };
        let operator = symbol.strip_suffix('=').and_then(BinaryOperator::from_symbol);
        let updates = !matches!(symbol, "<=" | ">=");
        let (store, value) = match operator.filter(|_| updates) {
            Some(operator) => {
                let at = self.at();
                self.advance();
                let value = self.expression()?;
                let Some(types) = convert::operator_types(operator, target.scalar, value.scalar) else {
                    let what =
                        format!("`{symbol}` is not defined for {} and {}", target.scalar, value.scalar);
                    return Err(Located::new(at, what, "convert the value: `type(value)`"));
                };
                let store = Store::Update { operator, computed_in: types.result };
                (store, convert::convert(value, types.right))
            }
            None => {
                self.expect("=", "a statement is `target = value` or `target += value`")?;
                let value = self.expression()?;
                (Store::Assign, convert::convert(value, target.scalar))
            }
        };
        Ok(Node::Statement(Statement { target, store, value, at }))
    }

    fn counted(&mut self, at: Position) -> Parsed<Loop> {
        let parallel = self.take_word("par");
        if parallel {
            self.expect(".", "a parallel loop is `par.for`")?;
        }
        self.expect_word("for", "a parallel loop is `par.for`")?;
        let (name, name_at) = self.expect_name("the iterator's name")?;
        let hint = "a loop is `for i in range(begin : end)`; `for i = …` uses a variable declared before";
        let declared = match self.take("=") {
            true => Some(self.names.find(&name, name_at).map_err(|error| Located {
                hint: format!("a loop that declares its iterator is `for {name} in range(begin : end)`"),
                ..error
            })?),
            false => None,
        };
        self.names.enter();
        let result = match declared {
            Some(variable) => self.header(variable),
            None => {
                let scalar = if self.take(":") {
                    self.scalar("an iterator has an integer type: `for i: i32 in …`")?
                } else {
                    Scalar::LONG
                };
                let kind = VariableType { scalar, memref: false, extents: vec![], members: vec![] };
                let variable = self.declare(name, name_at, kind, Storage::Region)?;
                self.expect_word("in", hint)?;
                self.header(variable)
            }
        };
        let (iterator, [lower, condition, step]) = result?;
        self.iterators.push(iterator);
        let body = self.body()?;
        self.iterators.pop();
        self.names.leave();
        let declares = declared.is_none();
        let attributes = LoopAttributes::default();
        Ok(Loop {
            id: LoopId::NONE,
            iterator,
            declares,
            lower,
            condition,
            step,
            parallel,
            attributes,
            body,
            at,
        })
    }

    /// `range(begin : end)`, `range(begin : step : end)` or `while(begin : step : condition)`: the first value, the
    /// condition and the step.
    fn header(&mut self, iterator: VariableId) -> Parsed<(VariableId, [Expression; 3])> {
        let scalar = self.region.variable(iterator).scalar;
        if !scalar.is_integer() {
            return self.expected("an iterator of an integer type", "declare it as `i: index`");
        }
        let general = self.take_word("while");
        if !general {
            self.expect_word("range", "a loop is `for i in range(begin : end)`")?;
        }
        let hint = "the parts of a range are separated by colons: `range(begin : step : end)`";
        self.expect("(", hint)?;
        let lower = convert::convert(self.expression()?, scalar);
        self.expect(":", hint)?;
        let (step, condition);
        if general {
            step = convert::convert(self.expression()?, scalar);
            self.expect(":", "a loop with a condition is `while(begin : step : condition)`")?;
            self.iterators.push(iterator);
            condition = self.expression();
            self.iterators.pop();
        } else {
            let second = self.expression()?;
            let (given, end) =
                if self.take(":") { (Some(second), self.expression()?) } else { (None, second) };
            let at = self.at();
            step = convert::convert(given.unwrap_or(Expression::integer(1, scalar)), scalar);
            condition = convert::binary(direction(&step), iterator_value(iterator, scalar), end)
                .map_err(|what| Located::new(at, what, "a range ends with a real number"));
        }
        let condition = condition?;
        self.expect(")", hint)?;
        Ok((iterator, [lower, condition, step]))
    }

    fn guard(&mut self, at: Position) -> Parsed<If> {
        self.expect_word("if", "")?;
        let condition = self.expression()?;
        let then = self.body()?;
        let otherwise = if !self.take_word("else") {
            Vec::new()
        } else if self.is_word("if") {
            let at = self.at();
            vec![Node::If(self.nested(|parser| parser.guard(at))?)]
        } else {
            self.body()?
        };
        Ok(If { condition, then, otherwise, at })
    }

    // Reductions.

    /// `reduce(target, value) <"operator", init>`; without `init` it is what the target holds.
    fn reduce(&mut self, at: Position) -> Parsed<Node> {
        self.expect_word("reduce", "")?;
        let hint = "a reduction is `reduce(target[index], value) <\"+\", 0.0>`";
        self.expect("(", hint)?;
        let target = self.reference()?;
        self.expect(",", hint)?;
        let value = convert::convert(self.expression()?, target.scalar);
        self.expect(")", hint)?;
        let (operator, init) = self.attributes(target.scalar)?;
        let held = || Expression { kind: ExpressionKind::Read(target.clone()), scalar: target.scalar };
        let init = init.unwrap_or_else(held);
        Ok(Node::Statement(Statement { target, store: Store::Reduce { operator, init }, value, at }))
    }

    /// `<"operator">` or `<"operator", init>`.
    fn attributes(&mut self, scalar: Scalar) -> Parsed<(ReductionOperator, Option<Expression>)> {
        let hint = "the operator follows, and where it begins: `<\"+\", 0.0>`";
        self.expect("<", hint)?;
        let operator = self.reduction_operator()?;
        let init = self.take(",").then(|| self.binary(words::ADDITIVE)).transpose()?;
        self.expect(">", hint)?;
        Ok((operator, init.map(|(init, _)| convert::convert(init, scalar))))
    }

    fn reduction_operator(&mut self) -> Parsed<ReductionOperator> {
        let hint = || {
            let names = ReductionOperator::ALL.map(|operator| format!("\"{operator}\""));
            format!("operators are {}", names.join(", "))
        };
        match self.peek() {
            Lexeme::Text(text) => match ReductionOperator::from_name(text) {
                Some(operator) => {
                    self.advance();
                    Ok(operator)
                }
                None => {
                    let what = format!("\"{}\" is not an operator of reductions", text.escape_debug());
                    Err(Located::new(self.at(), what, hint()))
                }
            },
            _ => self.expected("an operator in quotes", &hint()),
        }
    }

    fn reduce_dimension(&mut self, at: Position) -> Parsed<ReduceDimension> {
        let in_place = matches!(self.advance(), Lexeme::Word(word) if word == "reduce_dimension_inplace");
        let hint = if in_place {
            "it is `reduce_dimension_inplace(memory, dimension, [indices], [begins], [ends]) <\"+\">`, with `, tree` before \
             the parenthesis to combine halves, or `, neighbours` to combine neighbours"
        } else {
            "it is `reduce_dimension(target, source, dimension, [indices], [begins], [ends]) <\"+\", 0.0>`"
        };
        self.expect("(", hint)?;
        let mut target = None;
        if !in_place {
            target = Some(self.memory("the target's name")?);
            self.expect(",", hint)?;
        }
        let source = self.memory("the source's name")?;
        self.expect(",", hint)?;
        let dimension = self.small("a dimension's number", hint)?;
        let mut indices = Vec::new();
        let rank = self.region.variable(source).extents.len();
        let mut ranges = vec![None; rank.saturating_sub(dimension.saturating_add(1))];
        let target_rank = target.map_or(0, |target| self.region.variable(target).extents.len());
        let mut mapped: Vec<usize> = Vec::new();
        if target_rank + 1 == rank {
            mapped = (0..rank).filter(|other| *other != dimension).collect();
        }
        let has_list = |parser: &mut Parser| {
            parser.take(",") && !["map", "tree", "neighbours"].iter().any(|word| parser.is_word(word))
        };
        if has_list(self) {
            indices = self.list(hint, |parser| parser.expression())?;
            if has_list(self) {
                let bound = |parser: &mut Parser| {
                    if parser.take_word("_") { Ok(None) } else { parser.expression().map(Some) }
                };
                let begins = self.list(hint, bound)?;
                self.expect(",", hint)?;
                let ends_at = self.at();
                let ends = self.list(hint, bound)?;
                let pairs = begins.len() == ends.len();
                let ends: Vec<_> = begins.into_iter().zip(ends).collect();
                if !pairs || ends.iter().any(|(begin, end)| begin.is_some() != end.is_some()) {
                    let what = "the ends of the ranges are not as many as their begins";
                    return Err(Located::new(
                        ends_at,
                        what,
                        "`_` in both lists stands for a whole dimension",
                    ));
                }
                ranges = ends.into_iter().map(|(begin, end)| begin.zip(end)).collect();
                self.take(",");
            }
        }
        let mut pairing = Pairing::InOrder;
        if in_place && self.take_word("tree") {
            pairing = Pairing::Halves;
        } else if in_place && self.take_word("neighbours") {
            pairing = Pairing::Neighbours;
        } else if self.take_word("map") {
            if in_place {
                let what = "the form in place has no target to map dimensions to";
                return Err(Located::new(at, what, "leave `map` out"));
            }
            mapped = self.list(hint, |parser| parser.small("a dimension's number", hint))?;
        }
        self.expect(")", hint)?;
        let scalar = self.region.variable(target.unwrap_or(source)).scalar;
        let (operator, init) = self.attributes(scalar)?;
        Ok(ReduceDimension {
            target,
            source,
            dimension,
            indices,
            ranges,
            mapped,
            operator,
            init,
            pairing,
            at,
        })
    }

    /// The name of a variable as a whole.
    fn memory(&mut self, what: &str) -> Parsed<VariableId> {
        let (name, at) = self.expect_name(what)?;
        self.names.find(&name, at)
    }

    fn small(&mut self, what: &str, hint: &str) -> Parsed<usize> {
        match *self.peek() {
            Lexeme::Integer(value, None) if value < 1 << 16 => {
                self.advance();
                Ok(value as usize)
            }
            _ => self.expected(what, hint),
        }
    }

    /// `[a, b]`.
    fn list<T>(&mut self, hint: &str, item: impl Fn(&mut Parser) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("[", hint)?;
        let mut items = Vec::new();
        while !self.take("]") {
            items.push(item(self)?);
            if !self.is("]") {
                self.expect(",", hint)?;
            }
        }
        Ok(items)
    }
}

/// The comparison of a range: with a negative constant step it goes down.
pub fn direction(step: &Expression) -> BinaryOperator {
    match step.kind {
        ExpressionKind::Integer(..0) => BinaryOperator::Greater,
        _ => BinaryOperator::Less,
    }
}

/// The value of a loop's iterator.
pub fn iterator_value(iterator: VariableId, scalar: Scalar) -> Expression {
    Expression { kind: ExpressionKind::Iterator(iterator), scalar }
}
