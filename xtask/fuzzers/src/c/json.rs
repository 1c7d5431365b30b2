//! JSON whose fields keep their order: that of clang's syntax trees has a meaning.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

#[derive(Clone, Debug)]
pub enum Json {
    /// Everything without children, as text; or anything, already printed.
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

fn text<E: Error>(value: impl serde::Serialize) -> Result<Json, E> {
    serde_json::to_string(&value).map(Json::Text).map_err(E::custom)
}

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        text(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        text(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        text(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        text(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        text(value)
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        text(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(field) = fields.next_entry()? {
            object.push(field);
        }
        Ok(Json::Object(object))
    }
}

impl Json {
    pub fn print(&self, out: &mut String) {
        let mut separator = "";
        match self {
            Json::Text(text) => out.push_str(text),
            Json::List(list) => {
                out.push('[');
                for item in list {
                    out.push_str(std::mem::replace(&mut separator, ","));
                    item.print(out);
                }
                out.push(']');
            }
            Json::Object(object) => {
                out.push('{');
                for (name, value) in object {
                    out.push_str(std::mem::replace(&mut separator, ","));
                    out.push_str(&format!("{name:?}:"));
                    value.print(out);
                }
                out.push('}');
            }
        }
    }

    fn children(&self) -> Box<dyn Iterator<Item = &Json> + '_> {
        match self {
            Json::Text(_) => Box::new(std::iter::empty()),
            Json::List(list) => Box::new(list.iter()),
            Json::Object(object) => Box::new(object.iter().map(|(_, value)| value)),
        }
    }

    /// Calls `visit` with all values, from the outermost.
    pub fn each<'j>(&'j self, visit: &mut impl FnMut(&'j Json)) {
        visit(self);
        self.children().for_each(|child| child.each(visit));
    }

    /// The value of a number among those that are wanted, in the order of [`Json::each`].
    pub fn nth(&mut self, wanted: fn(&Json) -> bool, number: &mut usize) -> Option<&mut Json> {
        if wanted(self) {
            if *number == 0 {
                return Some(self);
            }
            *number -= 1;
        }
        match self {
            Json::Text(_) => None,
            Json::List(list) => list.iter_mut().find_map(|item| item.nth(wanted, number)),
            Json::Object(object) => object.iter_mut().find_map(|(_, value)| value.nth(wanted, number)),
        }
    }

    pub fn field(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(object) => object.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Gives the addresses that name clang's nodes numbers in the order of their appearance: they differ from run to
    /// run.
    pub fn number_addresses(&mut self, known: &mut HashMap<String, usize>) {
        match self {
            Json::Text(text) if text.starts_with("\"0x") => {
                let next = known.len() + 1;
                *text = format!("\"0x{:x}\"", known.entry(text.clone()).or_insert(next));
            }
            Json::Text(_) => {}
            Json::List(list) => list.iter_mut().for_each(|item| item.number_addresses(known)),
            Json::Object(object) => object.iter_mut().for_each(|(_, value)| value.number_addresses(known)),
        }
    }
}
