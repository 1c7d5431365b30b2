//! Sets of integer points.

use std::{
    collections::BTreeMap,
    ffi::{CString, c_int, c_uint},
    rc::Rc,
};

use super::{
    context::{Binary, Columns, Context, DIM_CONSTANT, DIM_LOCAL, DIM_PARAMETER, DIM_SET, IslError, Object},
    formula::{Affine, Formula, Term},
};

/// A set of integer points, in one space.
pub struct Set {
    context: Rc<Context>,
    pub(super) object: Object,
}

/// The points of a set: tuples of values for some dimensions.
pub(crate) struct Space<'s> {
    /// What is the same for all points.
    pub parameters: &'s [Term],
    pub dimensions: &'s [Term],
    /// Those of which some value has to satisfy the set's condition.
    pub hidden: &'s [Term],
}

/// Sets of one space.
struct Builder<'b> {
    context: &'b Rc<Context>,
    space: &'b Space<'b>,
    columns: BTreeMap<&'b Term, usize>,
}

/// A conjunction of comparisons, by rows whose columns are the constant, the parameters, the dimensions and local variables.
#[derive(Default)]
struct Rows {
    equal: Vec<Row>,
    not_negative: Vec<Row>,
    /// For each local variable the value and the divisor of which it is the quotient; none if it may be any.
    quotients: Vec<Option<(Affine, i128)>>,
}

type Row = BTreeMap<usize, i128>;

impl Builder<'_> {
    /// The set of points that satisfy a condition, in which hidden dimensions follow those that are seen.
    fn set(&self, condition: &Formula) -> Result<Set, IslError> {
        let (mut rows, mut choices) = (Rows::default(), Vec::new());
        if !self.add(condition, &mut rows, &mut choices)? {
            return self.empty();
        }
        let mut set = self.convex(&rows)?;
        for alternatives in choices {
            let mut all: Option<Set> = None;
            for alternative in alternatives {
                let one = self.set(alternative)?;
                all = Some(match all {
                    Some(others) => others.union(one)?,
                    None => one,
                });
            }
            set = set.intersect(all.map_or_else(|| self.empty(), Ok)?)?;
        }
        Ok(set)
    }

    /// Adds a condition to a conjunction, and to what has alternatives; false if it never holds.
    fn add<'f>(
        &self,
        condition: &'f Formula,
        rows: &mut Rows,
        choices: &mut Vec<&'f [Formula]>,
    ) -> Result<bool, IslError> {
        match condition {
            // What is not known may hold.
            Formula::True | Formula::Unknown => {}
            Formula::False => return Ok(false),
            Formula::NotNegative(value) => {
                let row = self.row(value, rows)?;
                rows.not_negative.push(row);
            }
            Formula::Zero(value) => {
                let row = self.row(value, rows)?;
                rows.equal.push(row);
            }
            Formula::Multiple(value, divisor) => {
                let mut row = self.row(value, rows)?;
                let column = self.local(rows, None);
                row.insert(column, -divisor);
                rows.equal.push(row);
            }
            Formula::NotMultiple(value, divisor) => {
                let column = self.quotient(value, *divisor, rows)?;
                let mut row = self.row(value, rows)?;
                *row.entry(column).or_default() -= divisor;
                *row.entry(0).or_default() -= 1;
                rows.not_negative.push(row);
            }
            Formula::And(parts) => {
                for part in parts {
                    if !self.add(part, rows, choices)? {
                        return Ok(false);
                    }
                }
            }
            Formula::Or(parts) => choices.push(parts),
        }
        Ok(true)
    }

    fn local(&self, rows: &mut Rows, quotient: Option<(Affine, i128)>) -> usize {
        rows.quotients.push(quotient);
        self.columns.len() + rows.quotients.len()
    }

    fn row(&self, value: &Affine, rows: &mut Rows) -> Result<Row, IslError> {
        let mut row = Row::from([(0, value.constant)]);
        for (term, coefficient) in &value.terms {
            let column = match term {
                Term::Floor(value, divisor) => self.quotient(value, *divisor, rows)?,
                other => *self.columns.get(other).ok_or_else(|| IslError::Rejected(other.name()))?,
            };
            *row.entry(column).or_default() += coefficient;
        }
        Ok(row)
    }

    /// The column of a quotient, rounded down.
    fn quotient(&self, value: &Affine, divisor: i128, rows: &mut Rows) -> Result<usize, IslError> {
        let is_it = |other: &Option<(Affine, i128)>| {
            other.as_ref().is_some_and(|(other, by)| other == value && *by == divisor)
        };
        if let Some(known) = rows.quotients.iter().position(is_it) {
            return Ok(self.columns.len() + 1 + known);
        }
        let mut rest = self.row(value, rows)?;
        let column = self.local(rows, Some((value.clone(), divisor)));
        rest.insert(column, -divisor);
        let mut below: Row = rest.iter().map(|(column, factor)| (*column, -factor)).collect();
        *below.entry(0).or_default() += divisor - 1;
        rows.not_negative.extend([rest, below]);
        Ok(column)
    }

    fn empty(&self) -> Result<Set, IslError> {
        let space = self.space_object()?;
        // SAFETY: isl takes the space.
        self.made(unsafe { (self.context.functions.set_empty)(space) })
    }

    fn convex(&self, rows: &Rows) -> Result<Set, IslError> {
        self.context.check_time()?;
        let width = 1 + self.columns.len() + rows.quotients.len();
        let functions = &self.context.functions;
        // SAFETY: isl takes the space and both matrices, null or not; the columns are as many as their kinds say.
        let object = unsafe {
            let (equal, not_negative) =
                (self.matrix(&rows.equal, width), self.matrix(&rows.not_negative, width));
            let set = (functions.basic_set_of)(
                self.space_object()?,
                equal,
                not_negative,
                DIM_CONSTANT,
                DIM_PARAMETER,
                DIM_SET as c_int,
                DIM_LOCAL,
            );
            (functions.set_from_basic_set)(set)
        };
        self.made(object)
    }

    fn matrix(&self, rows: &[Row], width: usize) -> Object {
        let functions = &self.context.functions;
        // SAFETY: every element is set, inside of the matrix; isl takes it and the values, and returns it, or null.
        unsafe {
            let mut matrix =
                (functions.matrix_of)(self.context.object, rows.len() as c_uint, width as c_uint);
            for (number, row) in rows.iter().enumerate() {
                for column in 0..width {
                    let entry = row.get(&column).copied().unwrap_or_default();
                    let (at, column) = (number as c_int, column as c_int);
                    matrix = match c_int::try_from(entry) {
                        Ok(small) => (functions.matrix_set)(matrix, at, column, small),
                        Err(_) => {
                            let text = CString::new(entry.to_string()).unwrap_or_default();
                            let value = (functions.value_read)(self.context.object, text.as_ptr());
                            (functions.matrix_set_value)(matrix, at, column, value)
                        }
                    };
                }
            }
            matrix
        }
    }

    fn space_object(&self) -> Result<Object, IslError> {
        let functions = &self.context.functions;
        let Space { parameters, dimensions, hidden } = self.space;
        let size = dimensions.len() + hidden.len();
        // SAFETY: isl takes the space and returns it, or null; it copies the names.
        unsafe {
            let mut space =
                (functions.space_of_set)(self.context.object, parameters.len() as c_uint, size as c_uint);
            for (kind, names) in [(DIM_PARAMETER, parameters), (DIM_SET as c_int, dimensions)] {
                for (place, name) in names.iter().enumerate() {
                    let name = CString::new(name.name()).unwrap_or_default();
                    space = (functions.space_name)(space, kind, place as c_uint, name.as_ptr());
                }
            }
            if space.is_null() { Err(self.context.too_complex()) } else { Ok(space) }
        }
    }

    fn made(&self, object: Object) -> Result<Set, IslError> {
        if object.is_null() {
            return Err(self.context.too_complex());
        }
        Ok(Set { context: self.context.clone(), object })
    }
}

impl Set {
    /// The points of a space that satisfy a condition.
    pub(crate) fn of(context: &Rc<Context>, space: &Space<'_>, condition: &Formula) -> Result<Set, IslError> {
        let terms = space.parameters.iter().chain(space.dimensions).chain(space.hidden);
        let columns = terms.enumerate().map(|(place, term)| (term, place + 1)).collect();
        let set = Builder { context, space, columns }.set(condition)?;
        match space.hidden.len() {
            0 => Ok(set),
            hidden => set.project_out(space.dimensions.len(), hidden),
        }
    }

    /// A set from isl's notation: `[n] -> { [i, j] : 0 <= i < n and j = 2i }`.
    pub fn parse(context: &Rc<Context>, text: &str) -> Result<Set, IslError> {
        let object = context.parse(context.functions.set_read, text)?;
        Ok(Set { context: context.clone(), object })
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> Result<bool, IslError> {
        self.context.check_time()?;
        // SAFETY: the object lives; isl keeps it.
        self.context.test(unsafe { (self.context.functions.set_is_empty)(self.object) })
    }

    /// The elements of either.
    pub fn union(self, other: Set) -> Result<Set, IslError> {
        let function = self.context.functions.set_union;
        self.binary(function, other)
    }

    /// The elements of both.
    pub fn intersect(self, other: Set) -> Result<Set, IslError> {
        let function = self.context.functions.set_intersect;
        self.binary(function, other)
    }

    /// The points that are not in the other set.
    pub fn subtract(self, other: Set) -> Result<Set, IslError> {
        let function = self.context.functions.set_subtract;
        self.binary(function, other)
    }

    /// Without `count` of the dimensions, from `first` on: the points for which some value of them is in the set.
    pub fn project_out(self, first: usize, count: usize) -> Result<Set, IslError> {
        let project = self.context.functions.set_project_out;
        // SAFETY: isl takes a copy; it checks the range of dimensions.
        let object = unsafe {
            let copy = (self.context.functions.set_copy)(self.object);
            project(copy, DIM_SET, first as c_uint, count as c_uint)
        };
        self.same_context(object)
    }

    /// The least value of a dimension over all points and parameters, where there is one.
    pub fn least(&self, dimension: usize) -> Result<Option<i64>, IslError> {
        self.extreme(self.context.functions.set_dim_min, dimension)
    }

    /// The greatest value of a dimension over all points and parameters, where there is one.
    pub fn greatest(&self, dimension: usize) -> Result<Option<i64>, IslError> {
        self.extreme(self.context.functions.set_dim_max, dimension)
    }

    fn extreme(
        &self,
        of: unsafe extern "C" fn(Object, c_int) -> Object,
        dimension: usize,
    ) -> Result<Option<i64>, IslError> {
        let functions = &self.context.functions;
        // SAFETY: isl takes a copy and returns a value, which nobody else has.
        unsafe { self.context.number(of((functions.set_copy)(self.object), dimension as c_int)) }
    }

    /// The least and the greatest value of a dimension as C expressions of the parameters, which hold where there are
    /// points. `None` if it has no bounds.
    pub fn bounds(&self, dimension: usize) -> Result<Option<(String, String)>, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: the object lives; isl keeps it.
        let bounded = unsafe { (functions.set_dim_is_bounded)(self.object, DIM_SET, dimension as c_uint) };
        if !self.context.test(bounded)? {
            return Ok(None);
        }
        let bound = |of: unsafe extern "C" fn(Object, c_int) -> Object| {
            self.as_c(|copy, build| {
                // SAFETY: isl takes the copy and the bound, and keeps the build.
                unsafe { (functions.build_expr_from_pw_aff)(build, of(copy, dimension as c_int)) }
            })
        };
        Ok(Some((bound(functions.set_dim_min_aff)?, bound(functions.set_dim_max_aff)?)))
    }

    /// When there are points, as a C expression of the parameters.
    pub fn has_points(&self) -> Result<String, IslError> {
        let functions = &self.context.functions;
        // SAFETY: isl takes the copies, and keeps the build of an empty context.
        unsafe {
            let parameters = (functions.set_params)((functions.set_copy)(self.object));
            let all = (functions.set_union)(
                (functions.set_copy)(parameters),
                (functions.set_complement)((functions.set_copy)(parameters)),
            );
            let build = (functions.build_from_context)(all);
            let expression = (functions.build_expr_from_set)(build, parameters);
            (functions.build_free)(build);
            self.context.c_text(expression)
        }
    }

    /// The C text of an expression that is made from a copy of the set, for parameters with which it has points.
    fn as_c(&self, expression: impl FnOnce(Object, Object) -> Object) -> Result<String, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies; the build lives until the expression is made.
        unsafe {
            let build =
                (functions.build_from_context)((functions.set_params)((functions.set_copy)(self.object)));
            let expression = expression((functions.set_copy)(self.object), build);
            (functions.build_free)(build);
            self.context.c_text(expression)
        }
    }

    /// What a relation makes of the elements: `{ [i, j] -> [i + 1, j] }`.
    pub fn mapped(&self, relation: &str) -> Result<Set, IslError> {
        let functions = &self.context.functions;
        let relation = self.context.parse(functions.single_map_read, relation)?;
        // SAFETY: isl takes the relation, and a copy of the set of the same context.
        self.same_context(unsafe { (functions.set_apply)((functions.set_copy)(self.object), relation) })
    }

    /// With what a condition leaves of the parameters: `[n] -> { : n = 8 }`.
    pub fn with_parameters(&self, condition: &str) -> Result<Set, IslError> {
        let condition = Set::parse(&self.context, condition)?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies of both, which belong to the same context.
        let object = unsafe {
            let copy = functions.set_copy;
            (functions.set_intersect_params)(copy(self.object), copy(condition.object))
        };
        self.same_context(object)
    }

    /// The same set.
    pub fn copy(&self) -> Result<Set, IslError> {
        // SAFETY: isl counts the references of the object.
        self.same_context(unsafe { (self.context.functions.set_copy)(self.object) })
    }

    /// The number of elements, of all parameters together, if it is finite.
    pub fn count(&self) -> Result<Option<u64>, IslError> {
        self.context.check_time()?;
        // SAFETY: isl keeps the set and returns a value, which nobody else has.
        unsafe { self.context.number((self.context.functions.set_count)(self.object)) }
    }

    /// Disjoint convex sets, each of one conjunction of constraints, whose union it is: few, where isl finds few.
    pub fn pieces(&self) -> Result<Vec<Set>, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies; every object that it returns is owned by a set of ours, or freed.
        unsafe {
            let mut all = self.same_context((functions.set_coalesce)((functions.set_copy)(self.object)))?;
            let mut list = (functions.set_basic_sets)(all.object);
            if (functions.basic_sets_size)(list) > 1 {
                (functions.basic_sets_free)(list);
                let disjoint = (functions.set_make_disjoint)((functions.set_copy)(all.object));
                all = self.same_context((functions.set_coalesce)(disjoint))?;
                list = (functions.set_basic_sets)(all.object);
            }
            let size = (functions.basic_sets_size)(list);
            let pieces = (0..size.max(0)).map(|index| {
                self.same_context((functions.set_from_basic_set)((functions.basic_sets_at)(list, index)))
            });
            let pieces = pieces.collect();
            (functions.basic_sets_free)(list);
            if size < 0 { Err(self.context.too_complex()) } else { pieces }
        }
    }

    /// The constraints of one piece: of [`Set::pieces`], or of the affine hull.
    fn constraints_of(&self, piece: Object) -> Result<Constraints, IslError> {
        let functions = &self.context.functions;
        let rows = |of: Columns| {
            // SAFETY: isl keeps the piece, and returns a matrix that is freed here with all of its values.
            unsafe {
                let matrix = of(piece, DIM_CONSTANT, DIM_PARAMETER, DIM_SET as c_int, DIM_LOCAL);
                if matrix.is_null() {
                    return Err(self.context.too_complex());
                }
                let (height, width) = ((functions.matrix_rows)(matrix), (functions.matrix_columns)(matrix));
                let value = |row, column| {
                    let value = (functions.matrix_at)(matrix, row, column);
                    let text = self.context.text((functions.val_to_str)(value));
                    (functions.val_free)(value);
                    text.and_then(|text| text.parse().map_err(|_| self.context.too_complex()))
                };
                let rows = (0..height).map(|row| (0..width).map(|column| value(row, column)).collect());
                let rows: Result<Vec<Vec<i64>>, _> = rows.collect();
                (functions.matrix_free)(matrix);
                rows.map(|rows| (rows, width as usize))
            }
        };
        let (equalities, columns) = rows(functions.basic_set_equalities)?;
        let (inequalities, _) = rows(functions.basic_set_inequalities)?;
        Ok(Constraints { equalities, inequalities, columns })
    }

    /// The constraints of a set that is one piece.
    pub fn constraints(&self) -> Result<Constraints, IslError> {
        let functions = &self.context.functions;
        // SAFETY: isl keeps the set; the list and its element are freed after use.
        unsafe {
            let list = (functions.set_basic_sets)(self.object);
            if (functions.basic_sets_size)(list) != 1 {
                (functions.basic_sets_free)(list);
                return Err(IslError::Rejected(self.text()?));
            }
            let piece = (functions.basic_sets_at)(list, 0);
            let constraints = self.constraints_of(piece);
            (functions.basic_set_free)(piece);
            (functions.basic_sets_free)(list);
            constraints
        }
    }

    /// The equalities that all elements satisfy, independent of each other.
    pub fn equalities(&self) -> Result<Constraints, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes a copy; the hull is freed after use.
        unsafe {
            let hull = (functions.set_affine_hull)((functions.set_copy)(self.object));
            if hull.is_null() {
                return Err(self.context.too_complex());
            }
            let constraints = self.constraints_of(hull);
            (functions.basic_set_free)(hull);
            constraints
        }
    }

    fn binary(self, function: Binary, other: Set) -> Result<Set, IslError> {
        self.context.check_time()?;
        // SAFETY: isl takes copies of both, which belong to the same context.
        let object = unsafe {
            let copy = self.context.functions.set_copy;
            function(copy(self.object), copy(other.object))
        };
        self.same_context(object)
    }

    fn same_context(&self, object: Object) -> Result<Set, IslError> {
        if object.is_null() {
            return Err(self.context.too_complex());
        }
        Ok(Set { context: self.context.clone(), object })
    }

    /// The set in isl's notation.
    pub fn text(&self) -> Result<String, IslError> {
        // SAFETY: isl takes a copy, and keeps the object for the text.
        unsafe {
            let copy = (self.context.functions.set_copy)(self.object);
            let simple = (self.context.functions.set_coalesce)(copy);
            let text = (self.context.functions.set_to_str)(simple);
            (self.context.functions.set_free)(simple);
            self.context.text(text)
        }
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        // SAFETY: the object belongs to this set alone.
        unsafe { (self.context.functions.set_free)(self.object) };
    }
}

/// What isl knows of a convex set, by rows whose columns are the constant, the parameters, the dimensions, and the local
/// variables of divisions.
pub struct Constraints {
    /// Rows whose sum of products is 0.
    pub equalities: Vec<Vec<i64>>,
    /// Rows whose sum of products is 0 or more.
    pub inequalities: Vec<Vec<i64>>,
    /// The length of a row.
    pub columns: usize,
}
