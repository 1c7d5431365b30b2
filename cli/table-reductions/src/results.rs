//! The results, as lines and as JSON.

use codegen_shim::Op;
use host_rt::Value;
use serde_json::json;
use tables::{Column, ValueKind};

use crate::operator::{Operator, Requested};

/// What was computed of the columns of a table.
pub struct Results {
    requested: Vec<Requested>,
    columns: Vec<ColumnResult>,
    /// In the order of the operators; `None` does not exist, such as the minimum of nothing.
    values: Vec<Option<Value>>,
}

/// A column that was reduced.
pub struct ColumnResult {
    pub column: Option<Column>,
    pub kind: ValueKind,
    /// The number of its values, and of those that are missing.
    pub count: u64,
    pub missing: u64,
    /// The positions of its operators among the requested ones.
    pub operators: Vec<usize>,
}

impl Results {
    pub(crate) fn new(
        requested: Vec<Requested>,
        columns: Vec<ColumnResult>,
        values: Vec<Option<Value>>,
    ) -> Results {
        Results { requested, columns, values }
    }

    /// A line for each operator, in order, without its end: the operator as it was requested, and its result, or `none`.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.requested.iter().zip(&self.values).enumerate().map(|(index, (one, value))| {
            let kind = self.columns.iter().find(|column| column.operators.contains(&index));
            let kind = kind.map(|column| column.kind);
            let text = |value: &Value| {
                kind.and_then(|kind| own_text(kind, one.operator, value)).unwrap_or_else(|| value.to_string())
            };
            match value {
                None => format!("{one} none"),
                // A value and its index, from 0.
                Some(Value::Struct(found)) if found.len() == 2 => {
                    format!("{one} {} at {}", text(&found[0]), found[1])
                }
                Some(value) => format!("{one} {}", text(value)),
            }
        })
    }

    /// The columns as an array of objects: name or position, type, number of values and of missing ones, and the results by
    /// operator.
    pub fn json(&self) -> serde_json::Value {
        let column = |column: &ColumnResult| {
            let result = |&index: &usize| {
                let operator = self.requested[index].operator;
                (operator.to_string(), json_result(column.kind, operator, self.values[index].as_ref()))
            };
            let results: serde_json::Map<_, _> = column.operators.iter().map(result).collect();
            json!({
                "column": column.column.as_ref().map(Column::to_string),
                "type": column.kind.to_string(),
                "count": column.count,
                "missing": column.missing,
                "results": results,
            })
        };
        self.columns.iter().map(column).collect()
    }
}

/// The text of a result that is a value like those of its column, if these are not written as numbers.
fn own_text(kind: ValueKind, operator: Operator, value: &Value) -> Option<String> {
    let is_like_values = matches!(
        operator,
        Operator::Median | Operator::Device(Op::Sum | Op::Min | Op::Max | Op::ArgMin | Op::ArgMax)
    );
    match value {
        // A mean.
        Value::F64(_) => None,
        integer => {
            integer.to_string().parse().ok().filter(|_| is_like_values).and_then(|value| kind.text(value))
        }
    }
}

/// JSON has no NaN and no infinities: they become strings, as do integers of more than 64 bits, complex numbers, decimals
/// and times. The result of argmin and argmax is an object of value and index. A result that does not exist is null.
fn json_result(kind: ValueKind, operator: Operator, value: Option<&Value>) -> serde_json::Value {
    let Some(value) = value else {
        return serde_json::Value::Null;
    };
    if let Some(text) = own_text(kind, operator, value) {
        return json!(text);
    }
    match value {
        Value::F64(v) if v.is_finite() => json!(v),
        // Digits that read back to the same value of the narrow type, not to the same f64.
        Value::F32(v) if v.is_finite() => serde_json::from_str(&format!("{v:?}")).unwrap_or(json!(v)),
        Value::F16(v) if v.is_finite() => json!(v.to_f64()),
        Value::BF16(v) if v.is_finite() => json!(v.to_f64()),
        Value::Struct(found) => match found.as_slice() {
            [value, Value::I64(index)] => {
                json!({ "value": json_result(kind, operator, Some(value)), "index": index })
            }
            _ => json!(value.to_string()),
        },
        Value::F16(_) | Value::BF16(_) | Value::F32(_) | Value::F64(_) => json!(value.to_string()),
        integer => {
            let text = integer.to_string();
            let (signed, unsigned) = (text.parse::<i64>(), text.parse::<u64>());
            signed.map(|v| json!(v)).or(unsigned.map(|v| json!(v))).unwrap_or(json!(text))
        }
    }
}
