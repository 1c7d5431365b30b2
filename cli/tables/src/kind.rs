//! What the values of a column are, beside numbers: truth values, decimals, points in time; and how they are written.

use std::fmt;

use codegen_shim::{Class, Scalar, Type};

/// The values of a column: the type that the device computes with, and what its numbers stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueKind {
    /// The type of the values in memory.
    pub ty: Type,
    /// What a value stands for.
    pub meaning: Meaning,
}

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Itself.
    Number,
    /// A truth value: 0 or 1.
    Boolean,
    /// A count of `10^-scale`.
    Decimal {
        /// Digits after the point.
        scale: u32,
    },
    /// A date, or a date and a time: a count since the start of 1970.
    Instant {
        /// What is counted.
        unit: Unit,
        /// Whether it is stated to be the time of UTC.
        is_utc: bool,
    },
    /// A time of day: a count since midnight.
    TimeOfDay(Unit),
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Of 86 400 seconds.
    Day,
    /// A second.
    Second,
    /// 10^-3 s.
    Millisecond,
    /// 10^-6 s.
    Microsecond,
    /// 10^-9 s.
    Nanosecond,
}

impl ValueKind {
    /// Truth values, a byte each.
    pub const BOOLEAN: ValueKind = ValueKind { ty: Type::U8, meaning: Meaning::Boolean };

    /// Plain numbers of this type.
    pub const fn number(ty: Type) -> ValueKind {
        ValueKind { ty, meaning: Meaning::Number }
    }

    /// The type, if it is one of integers.
    pub fn integer(self) -> Option<Scalar> {
        self.ty.scalar().filter(|scalar| matches!(scalar.class(), Class::Signed | Class::Unsigned))
    }

    /// How an integer of this column is written, if not as the integer: decimals with a point, times as in ISO 8601.
    pub fn text(self, value: i128) -> Option<String> {
        match self.meaning {
            Meaning::Number | Meaning::Boolean => None,
            Meaning::Decimal { scale } => Some(decimal(value, scale)),
            Meaning::Instant { unit: Unit::Day, .. } => Some(date(value)),
            Meaning::Instant { unit, is_utc } => {
                let second = value.div_euclid(unit.per_second());
                let zone = if is_utc { "Z" } else { "" };
                Some(format!("{}T{}{zone}", date(second.div_euclid(86_400)), time_of_day(value, unit)))
            }
            Meaning::TimeOfDay(unit) => Some(time_of_day(value, unit)),
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning {
            Meaning::Number => self.ty.fmt(f),
            Meaning::Boolean => f.write_str("bool"),
            Meaning::Decimal { scale } => write!(f, "decimal with scale {scale}"),
            Meaning::Instant { unit: Unit::Day, .. } => f.write_str("date"),
            Meaning::Instant { unit, is_utc } => {
                write!(f, "timestamp in {}s{}", unit.name(), if is_utc { " of UTC" } else { "" })
            }
            Meaning::TimeOfDay(unit) => write!(f, "time of day in {}s", unit.name()),
        }
    }
}

impl Unit {
    /// The name of one.
    fn name(self) -> &'static str {
        match self {
            Unit::Day => "day",
            Unit::Second => "second",
            Unit::Millisecond => "millisecond",
            Unit::Microsecond => "microsecond",
            Unit::Nanosecond => "nanosecond",
        }
    }

    /// Digits of a second that it counts.
    fn digits(self) -> u32 {
        match self {
            Unit::Day | Unit::Second => 0,
            Unit::Millisecond => 3,
            Unit::Microsecond => 6,
            Unit::Nanosecond => 9,
        }
    }

    fn per_second(self) -> i128 {
        10_i128.pow(self.digits())
    }
}

/// An integer with a point before its last `scale` digits.
fn decimal(value: i128, scale: u32) -> String {
    let (sign, digits) = (if value < 0 { "-" } else { "" }, value.unsigned_abs().to_string());
    let scale = scale as usize;
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    let digits = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

/// The time of the day that this count of units is in.
fn time_of_day(value: i128, unit: Unit) -> String {
    let (second, fraction) = (value.div_euclid(unit.per_second()), value.rem_euclid(unit.per_second()));
    let second = second.rem_euclid(86_400);
    let fraction = match unit.digits() {
        0 => String::new(),
        digits => format!(".{fraction:0width$}", width = digits as usize),
    };
    format!("{:02}:{:02}:{:02}{fraction}", second / 3600, second / 60 % 60, second % 60)
}

/// The date of this day since 1970-01-01, in the Gregorian calendar, also before its time.
fn date(day: i128) -> String {
    /// The days of 400 years, after which the calendar repeats.
    const CYCLE: i128 = 146_097;
    /// The days from the start of the year 0 to that of 1970.
    const BEFORE_1970: i128 = 719_528;
    let day = day + BEFORE_1970;
    let (cycle, mut day) = (day.div_euclid(CYCLE), day.rem_euclid(CYCLE));
    let is_leap = |year: i128| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut year = 0;
    while day >= 365 + i128::from(is_leap(year)) {
        day -= 365 + i128::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + i128::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let year = year + 400 * cycle;
    let year = if (0..10_000).contains(&year) { format!("{year:04}") } else { format!("{year:+}") };
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(meaning: Meaning, value: i128) -> String {
        ValueKind { ty: Type::I64, meaning }.text(value).unwrap()
    }

    #[test]
    fn decimals_are_written_exactly() {
        let decimal = |value, scale| text(Meaning::Decimal { scale }, value);
        assert_eq!([decimal(1234, 2), decimal(-5, 2), decimal(0, 3)], ["12.34", "-0.05", "0.000"]);
        assert_eq!(decimal(i128::MIN, 0), i128::MIN.to_string());
        assert_eq!(decimal(1, 38), format!("0.{}1", "0".repeat(37)));
    }

    #[test]
    fn times_are_written_as_in_iso_8601() {
        let instant = |unit, value| text(Meaning::Instant { unit, is_utc: false }, value);
        // As `date --utc` and numpy.datetime64 write them.
        for (day, expected) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (-719_528, "0000-01-01"),
            (-719_529, "-1-12-31"),
            (2_932_896, "9999-12-31"),
            (2_932_897, "+10000-01-01"),
        ] {
            assert_eq!(instant(Unit::Day, day), expected);
        }
        assert_eq!(instant(Unit::Second, 1_700_000_000), "2023-11-14T22:13:20");
        assert_eq!(instant(Unit::Millisecond, -1), "1969-12-31T23:59:59.999");
        assert_eq!(
            text(Meaning::Instant { unit: Unit::Nanosecond, is_utc: true }, i64::MAX.into()),
            "2262-04-11T23:47:16.854775807Z"
        );
        assert!(instant(Unit::Second, i64::MIN.into()).starts_with("-292277022657-01-27T"));
        assert_eq!(text(Meaning::TimeOfDay(Unit::Microsecond), 86_399_000_001), "23:59:59.000001");
    }
}
