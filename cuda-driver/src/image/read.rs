//! Reads images, by their form.

use std::{fs::File, io::Read};

use super::{
    budget::Budget,
    contents::{Contents, Error},
    cubin, fatbin,
    form::Form,
};

/// The PTX translation units in an image, for a device of compute capability `sm` (90 for 9.0).
///
/// # Errors
///
/// An image that is damaged, is for another device or holds no PTX.
pub fn ptx(image: &[u8], sm: u32) -> Result<Vec<String>, Error> {
    Ok(read(image, sm)?.units.into_iter().map(|unit| unit.text).collect())
}

/// Finds the PTX in an image, for a device of compute capability `sm` (90 for 9.0).
pub(crate) fn read(image: &[u8], sm: u32) -> Result<Contents, Error> {
    read_within(image, sm, &mut Budget::from_env()?)
}

/// The image in a file; of a device or a pipe, as much as an image may have.
pub(crate) fn read_from_file(file: File) -> Result<Vec<u8>, Error> {
    let (budget, mut image) = (Budget::from_env()?, Vec::new());
    let read = file.take(budget.left().saturating_add(1)).read_to_end(&mut image);
    read.map_err(|error| Error::Damaged(format!("it cannot be read: {error}")))?;
    budget.check("length", image.len())?;
    Ok(image)
}

/// As [`read`], within a budget that is shared with others.
pub(super) fn read_within(image: &[u8], sm: u32, budget: &mut Budget) -> Result<Contents, Error> {
    budget.spend("length", image.len())?;
    match Form::of(image) {
        Form::Elf => cubin::read(image, sm, budget),
        Form::Fatbin => fatbin::read(image, sm, budget),
        Form::Wrapper => Err(Error::Foreign("it points to a fat binary outside of the file".into())),
        Form::Text => {
            let text = image.split(|&byte| byte == 0).next().unwrap_or_default();
            budget.spend("PTX", text.len())?;
            let units = vec![String::from_utf8_lossy(text).into_owned().into()];
            Ok(Contents { units, machine_code: Vec::new() })
        }
    }
}
