//! A region as a function of C: of the notation's functions, which no C is around.

use std::fmt::Write as _;

use crate::{
    c,
    ir::{Aliasing, Node, Region, Storage, Variable, VariableId, walk},
};

/// A function with this body, which takes the variables of the region that it does not declare: scalars by value, those that it
/// changes by a pointer, arrays as parameters.
///
/// # Errors
///
/// A variable that no parameter can be.
pub fn function(region: &Region, body: &str) -> Result<String, String> {
    let changed: Vec<VariableId> = walk(&region.body).flat_map(Node::changed).collect();
    let outer = region.variables.iter().enumerate().map(|(place, variable)| (VariableId(place), variable));
    let outer: Vec<_> =
        outer.filter(|(id, variable)| variable.storage != Storage::Region && is_used(region, *id)).collect();
    if let Some((_, structure)) = outer.iter().find(|(_, variable)| !variable.declared_type.is_empty()) {
        return Err(format!("`{}` has a type of its own, which no file declares", structure.name));
    }
    let is_array = |variable: &Variable| !variable.extents.is_empty();
    let (mut parameters, mut begin, mut end) = (Vec::new(), String::new(), String::new());
    // Extents of arrays name scalars.
    for (id, variable) in outer.iter().filter(|(_, variable)| !is_array(variable)) {
        let Variable { name, scalar, .. } = variable;
        if changed.contains(id) {
            parameters.push(format!("{} *restrict {name}_of_caller", scalar.c_name()));
            let _ = writeln!(begin, "  {} {name} = *{name}_of_caller;", scalar.c_name());
            let _ = writeln!(end, "  *{name}_of_caller = {name};");
        } else {
            parameters.push(format!("{} {name}", scalar.c_name()));
        }
    }
    for (_, variable) in outer.iter().filter(|(_, variable)| is_array(variable)) {
        let restrict = if variable.aliasing == Aliasing::Distinct { "restrict" } else { "" };
        let inner: Option<String> = variable
            .extents
            .iter()
            .skip(1)
            .map(|extent| Some(format!("[{}]", c::value(region, extent.as_ref()?))))
            .collect();
        let inner = inner.ok_or_else(|| format!("an inner extent of `{}` is not known", variable.name))?;
        parameters.push(match inner.is_empty() {
            true => format!("{} *{restrict} {}", variable.scalar.c_name(), variable.name),
            false => format!("{} (*{restrict} {}){inner}", variable.scalar.c_name(), variable.name),
        });
    }
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    Ok(format!("void {}({parameters}) {{\n{begin}{body}{end}}}\n", region.function))
}

fn is_used(region: &Region, id: VariableId) -> bool {
    let in_body = walk(&region.body).any(|node| {
        node.changed().any(|changed| changed == id)
            || node.references().any(|reference| reference.mentions(id))
            || node.expressions().into_iter().any(|value| value.mentions(id))
    });
    let mut extents = region.variables.iter().flat_map(|variable| variable.extents.iter().flatten());
    in_body || extents.any(|extent| extent.mentions(id))
}
