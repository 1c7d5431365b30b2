//! isl's state, and its functions.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_uint, c_ulong, c_void},
    rc::Rc,
    str::FromStr,
    time::{Duration, Instant},
};

use libloading::Library;

use super::watchdog::Watch;

/// Names of the library, newest interface first.
const LIBRARIES: [&str; 3] = ["libisl.so.23", "libisl.so.22", "libisl.so"];

/// `isl_dim_cst`, `isl_dim_param`, `isl_dim_set`, `isl_dim_div`.
pub(super) const DIM_CONSTANT: c_int = 0;
pub(super) const DIM_PARAMETER: c_int = 1;
pub(super) const DIM_SET: c_uint = 3;
pub(super) const DIM_LOCAL: c_int = 4;

/// `ISL_ON_ERROR_CONTINUE`: errors are results, nothing is printed.
const ON_ERROR_CONTINUE: c_int = 1;

/// Why a question about sets has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IslError {
    /// The library cannot be loaded.
    #[error("the library isl is missing ({0})\nhint: `apt-get install libisl23`, or run `warpfold setup`")]
    Missing(String),
    /// The limits of the context are reached.
    #[error("more than {operations} operations on sets, or more than {seconds} s")]
    TooComplex {
        /// The limit of operations.
        operations: u64,
        /// The limit of time.
        seconds: u64,
    },
    /// A fault of ours: the text that isl does not take.
    #[error("isl does not take {0}")]
    Rejected(String),
}

pub(super) type Object = *mut c_void;
pub(super) type Unary = unsafe extern "C" fn(Object) -> Object;
pub(super) type Binary = unsafe extern "C" fn(Object, Object) -> Object;
pub(super) type Test = unsafe extern "C" fn(Object) -> c_int;
pub(super) type Parse = unsafe extern "C" fn(Object, *const c_char) -> Object;
pub(super) type Text = unsafe extern "C" fn(Object) -> *mut c_char;
pub(super) type At = unsafe extern "C" fn(Object, c_int) -> Object;
pub(super) type Columns = unsafe extern "C" fn(Object, c_int, c_int, c_int, c_int) -> Object;

/// The functions that are used.
pub(super) struct Functions {
    pub ctx_abort: unsafe extern "C" fn(Object),
    pub ctx_free: unsafe extern "C" fn(Object),
    pub ctx_set_max_operations: unsafe extern "C" fn(Object, c_ulong),
    pub ctx_reset_operations: unsafe extern "C" fn(Object),
    pub space_of_set: unsafe extern "C" fn(Object, c_uint, c_uint) -> Object,
    pub space_name: unsafe extern "C" fn(Object, c_int, c_uint, *const c_char) -> Object,
    pub matrix_of: unsafe extern "C" fn(Object, c_uint, c_uint) -> Object,
    pub matrix_set: unsafe extern "C" fn(Object, c_int, c_int, c_int) -> Object,
    pub matrix_set_value: unsafe extern "C" fn(Object, c_int, c_int, Object) -> Object,
    pub value_read: Parse,
    pub basic_set_of: unsafe extern "C" fn(Object, Object, Object, c_int, c_int, c_int, c_int) -> Object,
    pub set_empty: Unary,
    pub set_read: Parse,
    pub set_copy: Unary,
    pub set_free: Unary,
    pub set_is_empty: Test,
    pub set_union: Binary,
    pub set_intersect: Binary,
    pub set_subtract: Binary,
    pub set_coalesce: Unary,
    pub set_complement: Unary,
    pub set_project_out: unsafe extern "C" fn(Object, c_uint, c_uint, c_uint) -> Object,
    pub set_dim_min: unsafe extern "C" fn(Object, c_int) -> Object,
    pub set_dim_max: unsafe extern "C" fn(Object, c_int) -> Object,
    pub set_dim_min_aff: unsafe extern "C" fn(Object, c_int) -> Object,
    pub set_dim_max_aff: unsafe extern "C" fn(Object, c_int) -> Object,
    pub set_dim_is_bounded: unsafe extern "C" fn(Object, c_uint, c_uint) -> c_int,
    pub set_to_str: Text,
    pub set_params: Unary,
    pub val_to_str: Text,
    pub val_free: Unary,
    pub build_from_context: Unary,
    pub build_free: Unary,
    pub build_expr_from_pw_aff: Binary,
    pub build_expr_from_set: Binary,
    pub expr_to_c: Text,
    pub expr_free: Unary,
    pub map_read: Parse,
    pub map_copy: Unary,
    pub map_free: Unary,
    pub map_is_empty: Test,
    pub map_is_equal: unsafe extern "C" fn(Object, Object) -> c_int,
    pub map_union: Binary,
    pub map_subtract: Binary,
    pub map_intersect: Binary,
    pub map_coalesce: Unary,
    pub map_to_str: Text,
    pub set_apply: Binary,
    pub set_affine_hull: Unary,
    pub set_make_disjoint: Unary,
    pub set_count: Unary,
    pub set_intersect_params: Binary,
    pub set_basic_sets: Unary,
    pub basic_sets_size: Test,
    pub basic_sets_at: At,
    pub basic_sets_free: Unary,
    pub basic_set_free: Unary,
    pub basic_set_equalities: Columns,
    pub basic_set_inequalities: Columns,
    pub set_from_basic_set: Unary,
    pub matrix_rows: Test,
    pub matrix_columns: Test,
    pub matrix_at: unsafe extern "C" fn(Object, c_int, c_int) -> Object,
    pub matrix_free: Unary,
    pub single_map_read: Parse,
    pub map_restrict: Binary,
    pub union_from_set: Unary,
    pub union_of_sets: Binary,
    pub build_options: Binary,
    pub build_node: Binary,
    pub node_free: Unary,
    pub node_type: Test,
    pub for_iterator: Unary,
    pub for_init: Unary,
    pub for_condition: Unary,
    pub for_increment: Unary,
    pub for_body: Unary,
    pub if_condition: Unary,
    pub if_then: Unary,
    pub if_has_else: Test,
    pub if_else: Unary,
    pub block_children: Unary,
    pub nodes_size: Test,
    pub nodes_at: At,
    pub nodes_free: Unary,
    pub user_expression: Unary,
    pub call_arguments: Test,
    pub call_argument: At,
    // Last: the functions must not outlive it.
    _library: Library,
}

/// isl's state: the library, and the operations that are left.
pub struct Context {
    pub(super) functions: Functions,
    pub(super) object: Object,
    operations: u64,
    limit: Duration,
    begin: Instant,
    /// Dropped by hand, before isl's context.
    watch: Option<Watch>,
}

impl Context {
    /// Loads isl. At most so many operations, and so much time, are spent on everything that is asked of the context.
    pub fn new(operations: u64, limit: Duration) -> Result<Rc<Context>, IslError> {
        let mut failure = String::new();
        let library = LIBRARIES.iter().find_map(|name| {
            // SAFETY: isl has no code that runs when it is loaded beyond the C library's.
            unsafe { Library::new(*name) }.map_err(|error| failure = error.to_string()).ok()
        });
        let Some(library) = library else { return Err(IslError::Missing(failure)) };
        // SAFETY: the names and signatures are those of isl's headers, versions 0.22 to 0.27.
        unsafe { Context::with(library, operations, limit) }
            .map_err(|error| IslError::Missing(error.to_string()))
    }

    /// # Safety
    /// The library is isl.
    unsafe fn with(
        library: Library,
        operations: u64,
        limit: Duration,
    ) -> Result<Rc<Context>, libloading::Error> {
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the caller says that the library is isl; the field's type is the function's.
                *unsafe { library.get($name) }?
            };
        }
        let alloc: unsafe extern "C" fn() -> Object = function!(b"isl_ctx_alloc\0");
        let on_error: unsafe extern "C" fn(Object, c_int) -> c_int = function!(b"isl_options_set_on_error\0");
        let functions = Functions {
            ctx_free: function!(b"isl_ctx_free\0"),
            ctx_abort: function!(b"isl_ctx_abort\0"),
            ctx_set_max_operations: function!(b"isl_ctx_set_max_operations\0"),
            ctx_reset_operations: function!(b"isl_ctx_reset_operations\0"),
            space_of_set: function!(b"isl_space_set_alloc\0"),
            space_name: function!(b"isl_space_set_dim_name\0"),
            matrix_of: function!(b"isl_mat_alloc\0"),
            matrix_set: function!(b"isl_mat_set_element_si\0"),
            matrix_set_value: function!(b"isl_mat_set_element_val\0"),
            value_read: function!(b"isl_val_read_from_str\0"),
            basic_set_of: function!(b"isl_basic_set_from_constraint_matrices\0"),
            set_empty: function!(b"isl_set_empty\0"),
            set_read: function!(b"isl_set_read_from_str\0"),
            set_copy: function!(b"isl_set_copy\0"),
            set_free: function!(b"isl_set_free\0"),
            set_is_empty: function!(b"isl_set_is_empty\0"),
            set_union: function!(b"isl_set_union\0"),
            set_intersect: function!(b"isl_set_intersect\0"),
            set_subtract: function!(b"isl_set_subtract\0"),
            set_coalesce: function!(b"isl_set_coalesce\0"),
            set_complement: function!(b"isl_set_complement\0"),
            set_project_out: function!(b"isl_set_project_out\0"),
            set_dim_min: function!(b"isl_set_dim_min_val\0"),
            set_dim_max: function!(b"isl_set_dim_max_val\0"),
            set_dim_min_aff: function!(b"isl_set_dim_min\0"),
            set_dim_max_aff: function!(b"isl_set_dim_max\0"),
            set_dim_is_bounded: function!(b"isl_set_dim_is_bounded\0"),
            set_to_str: function!(b"isl_set_to_str\0"),
            set_params: function!(b"isl_set_params\0"),
            val_to_str: function!(b"isl_val_to_str\0"),
            val_free: function!(b"isl_val_free\0"),
            build_from_context: function!(b"isl_ast_build_from_context\0"),
            build_free: function!(b"isl_ast_build_free\0"),
            build_expr_from_pw_aff: function!(b"isl_ast_build_expr_from_pw_aff\0"),
            build_expr_from_set: function!(b"isl_ast_build_expr_from_set\0"),
            expr_to_c: function!(b"isl_ast_expr_to_C_str\0"),
            expr_free: function!(b"isl_ast_expr_free\0"),
            map_read: function!(b"isl_union_map_read_from_str\0"),
            map_copy: function!(b"isl_union_map_copy\0"),
            map_free: function!(b"isl_union_map_free\0"),
            map_is_empty: function!(b"isl_union_map_is_empty\0"),
            map_is_equal: function!(b"isl_union_map_is_equal\0"),
            map_union: function!(b"isl_union_map_union\0"),
            map_subtract: function!(b"isl_union_map_subtract\0"),
            map_intersect: function!(b"isl_union_map_intersect\0"),
            map_coalesce: function!(b"isl_union_map_coalesce\0"),
            map_to_str: function!(b"isl_union_map_to_str\0"),
            set_apply: function!(b"isl_set_apply\0"),
            set_affine_hull: function!(b"isl_set_affine_hull\0"),
            set_make_disjoint: function!(b"isl_set_make_disjoint\0"),
            set_count: function!(b"isl_set_count_val\0"),
            set_intersect_params: function!(b"isl_set_intersect_params\0"),
            set_basic_sets: function!(b"isl_set_get_basic_set_list\0"),
            basic_sets_size: function!(b"isl_basic_set_list_n_basic_set\0"),
            basic_sets_at: function!(b"isl_basic_set_list_get_basic_set\0"),
            basic_sets_free: function!(b"isl_basic_set_list_free\0"),
            basic_set_free: function!(b"isl_basic_set_free\0"),
            basic_set_equalities: function!(b"isl_basic_set_equalities_matrix\0"),
            basic_set_inequalities: function!(b"isl_basic_set_inequalities_matrix\0"),
            set_from_basic_set: function!(b"isl_set_from_basic_set\0"),
            matrix_rows: function!(b"isl_mat_rows\0"),
            matrix_columns: function!(b"isl_mat_cols\0"),
            matrix_at: function!(b"isl_mat_get_element_val\0"),
            matrix_free: function!(b"isl_mat_free\0"),
            single_map_read: function!(b"isl_map_read_from_str\0"),
            map_restrict: function!(b"isl_union_map_intersect_domain\0"),
            union_from_set: function!(b"isl_union_set_from_set\0"),
            union_of_sets: function!(b"isl_union_set_union\0"),
            build_options: function!(b"isl_ast_build_set_options\0"),
            build_node: function!(b"isl_ast_build_node_from_schedule_map\0"),
            node_free: function!(b"isl_ast_node_free\0"),
            node_type: function!(b"isl_ast_node_get_type\0"),
            for_iterator: function!(b"isl_ast_node_for_get_iterator\0"),
            for_init: function!(b"isl_ast_node_for_get_init\0"),
            for_condition: function!(b"isl_ast_node_for_get_cond\0"),
            for_increment: function!(b"isl_ast_node_for_get_inc\0"),
            for_body: function!(b"isl_ast_node_for_get_body\0"),
            if_condition: function!(b"isl_ast_node_if_get_cond\0"),
            if_then: function!(b"isl_ast_node_if_get_then\0"),
            if_has_else: function!(b"isl_ast_node_if_has_else\0"),
            if_else: function!(b"isl_ast_node_if_get_else\0"),
            block_children: function!(b"isl_ast_node_block_get_children\0"),
            nodes_size: function!(b"isl_ast_node_list_n_ast_node\0"),
            nodes_at: function!(b"isl_ast_node_list_get_ast_node\0"),
            nodes_free: function!(b"isl_ast_node_list_free\0"),
            user_expression: function!(b"isl_ast_node_user_get_expr\0"),
            call_arguments: function!(b"isl_ast_expr_get_op_n_arg\0"),
            call_argument: function!(b"isl_ast_expr_get_op_arg\0"),
            _library: library,
        };
        // SAFETY: as declared by isl; the context is freed when this one is dropped, after all of its objects.
        let object = unsafe {
            let object = alloc();
            on_error(object, ON_ERROR_CONTINUE);
            (functions.ctx_set_max_operations)(object, operations as c_ulong);
            (functions.ctx_reset_operations)(object);
            object
        };
        let begin = Instant::now();
        // SAFETY: the watch is dropped before the context, see `drop`; the function is isl's.
        let watch = unsafe { Watch::new(object, functions.ctx_abort, begin + limit) };
        Ok(Rc::new(Context { functions, object, operations, limit, begin, watch: Some(watch) }))
    }

    pub(super) fn too_complex(&self) -> IslError {
        IslError::TooComplex { operations: self.operations, seconds: self.limit.as_secs_f64().round() as u64 }
    }

    pub(super) fn check_time(&self) -> Result<(), IslError> {
        if self.begin.elapsed() > self.limit { Err(self.too_complex()) } else { Ok(()) }
    }

    pub(super) fn parse(&self, parse: Parse, text: &str) -> Result<Object, IslError> {
        self.check_time()?;
        let c_text = CString::new(text).map_err(|_| IslError::Rejected(text.into()))?;
        // SAFETY: the context lives, the text ends with a zero byte; isl copies it.
        let object = unsafe { parse(self.object, c_text.as_ptr()) };
        // Without an object the limit was met: the texts are made by this crate and tested.
        if object.is_null() { Err(self.too_complex()) } else { Ok(object) }
    }

    /// The text of an expression of C, which is freed.
    ///
    /// # Safety
    /// The object is an expression that belongs to nobody else, or null.
    pub(super) unsafe fn c_text(&self, expression: Object) -> Result<String, IslError> {
        let functions = &self.functions;
        if expression.is_null() {
            return Err(self.too_complex());
        }
        // SAFETY: as the caller says; isl keeps the expression for the text.
        unsafe {
            let text = (functions.expr_to_c)(expression);
            (functions.expr_free)(expression);
            self.text(text)
        }
    }

    pub(super) fn test(&self, result: c_int) -> Result<bool, IslError> {
        if result < 0 { Err(self.too_complex()) } else { Ok(result != 0) }
    }

    /// A value of isl's, which is freed, if it is a number of this type.
    ///
    /// # Safety
    ///
    /// The value belongs to the caller alone, or is null.
    pub(super) unsafe fn number<T: FromStr>(&self, value: Object) -> Result<Option<T>, IslError> {
        if value.is_null() {
            return Err(self.too_complex());
        }
        // SAFETY: isl keeps the value for the text.
        let text = unsafe { (self.functions.val_to_str)(value) };
        // SAFETY: nobody else uses it.
        unsafe { (self.functions.val_free)(value) };
        Ok(self.text(text)?.parse().ok())
    }

    pub(super) fn text(&self, text: *mut c_char) -> Result<String, IslError> {
        if text.is_null() {
            return Err(self.too_complex());
        }
        // SAFETY: isl returns a string of its own, allocated by `malloc`, that the caller frees.
        unsafe {
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            free(text.cast());
            Ok(owned)
        }
    }
}

unsafe extern "C" {
    /// The C library's, which isl uses.
    fn free(pointer: *mut c_void);
}

impl Drop for Context {
    fn drop(&mut self) {
        self.watch = None;
        // SAFETY: objects hold the context, so none is left, and nobody watches it.
        unsafe { (self.functions.ctx_free)(self.object) };
    }
}
