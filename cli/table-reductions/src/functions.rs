//! The functions that are linked into the kernels, as LLVM IR, which needs no clang.

use codegen_shim::{Combiner, Mapper, Scalar, Source, Type, UserModule};
use toolchain::Tools;

use crate::Error;

/// The first line of a module.
const TRIPLE: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";

/// The count of some values, their mean as a sum of two numbers, the second of which is small, and the sum of the
/// squared deviations from it; all in f64.
///
/// With a mean of one f64, the variance of large numbers that differ little would have the mean's rounding error.
pub const MOMENTS: Type = Type::Struct(&[Type::F64, Type::F64, Type::F64, Type::F64]);

/// Combines two [`MOMENTS`] by the formulas of Chan, Golub and LeVeque. The new mean is a sum without error (Knuth's
/// TwoSum). Where one side has no values, the other is the result.
const COMBINE_MOMENTS: &str = r#"target triple = "nvptx64-nvidia-cuda"
define void @combine_moments(ptr %into, ptr %from) {
  %into.mean.at = getelementptr i8, ptr %into, i64 8
  %into.low.at = getelementptr i8, ptr %into, i64 16
  %into.squares.at = getelementptr i8, ptr %into, i64 24
  %from.mean.at = getelementptr i8, ptr %from, i64 8
  %from.low.at = getelementptr i8, ptr %from, i64 16
  %from.squares.at = getelementptr i8, ptr %from, i64 24
  %a = load double, ptr %into, align 8
  %a.mean = load double, ptr %into.mean.at, align 8
  %a.low = load double, ptr %into.low.at, align 8
  %a.squares = load double, ptr %into.squares.at, align 8
  %b = load double, ptr %from, align 8
  %b.mean = load double, ptr %from.mean.at, align 8
  %b.low = load double, ptr %from.low.at, align 8
  %b.squares = load double, ptr %from.squares.at, align 8
  %count = fadd double %a, %b
  %share = fdiv double %b, %count
  %difference.high = fsub double %b.mean, %a.mean
  %difference.low = fsub double %b.low, %a.low
  %difference = fadd double %difference.high, %difference.low
  %step = fmul double %difference, %share
  %mean = fadd double %a.mean, %step
  %step.added = fsub double %mean, %a.mean
  %a.added = fsub double %mean, %step.added
  %a.lost = fsub double %a.mean, %a.added
  %step.lost = fsub double %step, %step.added
  %lost = fadd double %a.lost, %step.lost
  %low = fadd double %a.low, %lost
  %square = fmul double %difference, %step
  %between = fmul double %square, %a
  %within = fadd double %a.squares, %b.squares
  %squares = fadd double %within, %between
  %no.a = fcmp oeq double %a, 0.0
  %no.b = fcmp oeq double %b, 0.0
  %mean.1 = select i1 %no.a, double %b.mean, double %mean
  %low.1 = select i1 %no.a, double %b.low, double %low
  %squares.1 = select i1 %no.a, double %b.squares, double %squares
  %mean.2 = select i1 %no.b, double %a.mean, double %mean.1
  %low.2 = select i1 %no.b, double %a.low, double %low.1
  %squares.2 = select i1 %no.b, double %a.squares, double %squares.1
  store double %count, ptr %into, align 8
  store double %mean.2, ptr %into.mean.at, align 8
  store double %low.2, ptr %into.low.at, align 8
  store double %squares.2, ptr %into.squares.at, align 8
  ret void
}
"#;

/// The combiner of [`MOMENTS`].
pub fn combine_moments(tools: &Tools) -> Result<&'static Combiner, Error> {
    let identity = Some(&["0", "0", "0", "0"][..]);
    let module = UserModule::Ir(COMBINE_MOMENTS);
    Ok(Combiner::load(tools, "moments", module, "combine_moments", MOMENTS, identity)?)
}

/// The [`MOMENTS`] of one number of this type.
pub fn moments_of(tools: &Tools, scalar: Scalar) -> Result<Source, Error> {
    let wide = match scalar {
        Scalar::F64 => "%wide = fadd double %value, -0.0".to_owned(),
        Scalar::F16 | Scalar::BF16 | Scalar::F32 => {
            format!("%wide = fpext {} %value to double", llvm(scalar))
        }
        // LLVM has no conversion of 128 bits for GPUs.
        Scalar::I128 | Scalar::U128 => {
            let signed = if scalar == Scalar::I128 { "sitofp" } else { "uitofp" };
            format!(
                "%upper = lshr i128 %value, 64\n  %high = trunc i128 %upper to i64\n  \
                 %low = trunc i128 %value to i64\n  %high.wide = {signed} i64 %high to double\n  \
                 %low.wide = uitofp i64 %low to double\n  \
                 %high.value = fmul double %high.wide, 0x43F0000000000000\n  \
                 %wide = fadd double %high.value, %low.wide"
            )
        }
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
            format!("%wide = sitofp {} %value to double", llvm(scalar))
        }
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => {
            format!("%wide = uitofp {} %value to double", llvm(scalar))
        }
    };
    let text = format!(
        "{TRIPLE}define void @moments_of(ptr %out, ptr %element) {{\n  \
         %value = load {}, ptr %element, align {}\n  {wide}\n  \
         %mean.at = getelementptr i8, ptr %out, i64 8\n  %low.at = getelementptr i8, ptr %out, i64 16\n  %squares.at = getelementptr i8, ptr %out, i64 24\n  \
         store double 1.0, ptr %out, align 8\n  store double %wide, ptr %mean.at, align 8\n  \
         store double 0.0, ptr %low.at, align 8\n  \
         store double 0.0, ptr %squares.at, align 8\n  ret void\n}}\n",
        llvm(scalar),
        scalar.size()
    );
    let mapper = Mapper::load(tools, "moments", UserModule::Ir(&text), "moments_of")?;
    Ok(Source::map(mapper, &[0]))
}

/// An exact product of integers: its absolute value, whether it is negative, and whether the absolute value has more
/// than 128 bits, in which case the others mean nothing.
pub const PRODUCT: Type = Type::Struct(&[Type::U128, Type::U32, Type::U32]);

/// Multiplies two [`PRODUCT`]s. With a = 2^64 a.high + a.low, and b likewise, the product has more than 128 bits if both
/// high parts are not zero, or if the sum of the other parts, without the lowest 64 bits, has more than 64. Zero times
/// anything is zero.
const COMBINE_PRODUCTS: &str = r#"target triple = "nvptx64-nvidia-cuda"
define void @combine_products(ptr %into, ptr %from) {
  %into.negative.at = getelementptr i8, ptr %into, i64 16
  %into.large.at = getelementptr i8, ptr %into, i64 20
  %from.negative.at = getelementptr i8, ptr %from, i64 16
  %from.large.at = getelementptr i8, ptr %from, i64 20
  %a = load i128, ptr %into, align 16
  %a.negative = load i32, ptr %into.negative.at, align 4
  %a.large = load i32, ptr %into.large.at, align 4
  %b = load i128, ptr %from, align 16
  %b.negative = load i32, ptr %from.negative.at, align 4
  %b.large = load i32, ptr %from.large.at, align 4
  %a.high = lshr i128 %a, 64
  %b.high = lshr i128 %b, 64
  %a.low = and i128 %a, 18446744073709551615
  %b.low = and i128 %b, 18446744073709551615
  %low = mul i128 %a.low, %b.low
  %middle.1 = mul i128 %a.high, %b.low
  %middle.2 = mul i128 %b.high, %a.low
  %middle = or i128 %middle.1, %middle.2
  %carried = lshr i128 %low, 64
  %upper = add i128 %middle, %carried
  %excess = or i128 %middle, %upper
  %excess.high = lshr i128 %excess, 64
  %a.is.wide = icmp ne i128 %a.high, 0
  %b.is.wide = icmp ne i128 %b.high, 0
  %both.are.wide = and i1 %a.is.wide, %b.is.wide
  %exceeds = icmp ne i128 %excess.high, 0
  %is.large = or i1 %both.are.wide, %exceeds
  %product = mul i128 %a, %b
  %large.now = zext i1 %is.large to i32
  %large.before = or i32 %a.large, %b.large
  %large = or i32 %large.before, %large.now
  %negative = xor i32 %a.negative, %b.negative
  %a.is.zero = icmp eq i128 %a, 0
  %b.is.zero = icmp eq i128 %b, 0
  %a.is.known = icmp eq i32 %a.large, 0
  %b.is.known = icmp eq i32 %b.large, 0
  %a.is.nothing = and i1 %a.is.zero, %a.is.known
  %b.is.nothing = and i1 %b.is.zero, %b.is.known
  %is.zero = or i1 %a.is.nothing, %b.is.nothing
  %new = select i1 %is.zero, i128 0, i128 %product
  %new.negative = select i1 %is.zero, i32 0, i32 %negative
  %new.large = select i1 %is.zero, i32 0, i32 %large
  store i128 %new, ptr %into, align 16
  store i32 %new.negative, ptr %into.negative.at, align 4
  store i32 %new.large, ptr %into.large.at, align 4
  ret void
}
"#;

/// The combiner of [`PRODUCT`].
pub fn combine_products(tools: &Tools) -> Result<&'static Combiner, Error> {
    let identity = Some(&["1", "0", "0"][..]);
    let module = UserModule::Ir(COMBINE_PRODUCTS);
    Ok(Combiner::load(tools, "product", module, "combine_products", PRODUCT, identity)?)
}

/// The [`PRODUCT`] of one integer of this type.
pub fn product_of(tools: &Tools, scalar: Scalar, is_signed: bool) -> Result<Source, Error> {
    let (ty, extension) = (llvm(scalar), if is_signed { "sext" } else { "zext" });
    let wide = match scalar.size() {
        16 => "%wide = add i128 %value, 0".to_owned(),
        _ => format!("%wide = {extension} {ty} %value to i128"),
    };
    let sign =
        if is_signed { "%is.negative = icmp slt i128 %wide, 0" } else { "%is.negative = icmp ne i1 0, 0" };
    let text = format!(
        "{TRIPLE}define void @product_of(ptr %out, ptr %element) {{\n  \
         %value = load {ty}, ptr %element, align {}\n  {wide}\n  {sign}\n  \
         %negated = sub i128 0, %wide\n  %absolute = select i1 %is.negative, i128 %negated, i128 %wide\n  \
         %negative = zext i1 %is.negative to i32\n  \
         %negative.at = getelementptr i8, ptr %out, i64 16\n  %large.at = getelementptr i8, ptr %out, i64 20\n  \
         store i128 %absolute, ptr %out, align 16\n  store i32 %negative, ptr %negative.at, align 4\n  \
         store i32 0, ptr %large.at, align 4\n  ret void\n}}\n",
        scalar.size()
    );
    let mapper = Mapper::load(tools, "product", UserModule::Ir(&text), "product_of")?;
    Ok(Source::map(mapper, &[0]))
}

/// The lower 64 bits of a 128-bit integer, as u128.
pub fn lower_half(tools: &Tools) -> Result<Source, Error> {
    half(tools, "lower_half", "%half = and i128 %value, 18446744073709551615")
}

/// The upper 64 bits of a 128-bit integer, as i128: with the sign if the integer has one.
pub fn upper_half(tools: &Tools, is_signed: bool) -> Result<Source, Error> {
    let shift = if is_signed { "ashr" } else { "lshr" };
    half(tools, "upper_half", &format!("%half = {shift} i128 %value, 64"))
}

fn half(tools: &Tools, name: &str, instruction: &str) -> Result<Source, Error> {
    let text = format!(
        "{TRIPLE}define void @{name}(ptr %out, ptr %element) {{\n  %value = load i128, ptr %element, align 16\n  \
         {instruction}\n  store i128 %half, ptr %out, align 16\n  ret void\n}}\n"
    );
    let mapper = Mapper::load(tools, "sum of 128 bits", UserModule::Ir(&text), name)?;
    Ok(Source::map(mapper, &[0]))
}

/// A type's name in LLVM IR.
fn llvm(scalar: Scalar) -> String {
    match scalar {
        Scalar::F16 => "half".into(),
        Scalar::BF16 => "bfloat".into(),
        Scalar::F32 => "float".into(),
        Scalar::F64 => "double".into(),
        integer => format!("i{}", 8 * integer.size()),
    }
}
