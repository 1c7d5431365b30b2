//! Reduces the values of all columns in one pass; for medians, some of them in further ones.

use host_rt::{Device, Record, Value};
use tables::{InputError, Table, ValueKind};

use crate::{
    column::{ColumnPlan, ResultOptions},
    error::Error,
    median::{KEPT_BYTES, Middle, Take},
    operator::Operators,
    pieces::Pieces,
    results::{ColumnResult, Results},
    together::Others,
};

/// What the caller does while values are reduced.
pub trait Watcher {
    /// So much of the table was read: [`Table::consumed`].
    fn has_read(&self, consumed: u64);

    /// The table has no more values.
    fn has_ended(&self);

    /// Calls `work`, which takes long; `name` says what it does.
    fn during(&self, name: &str, work: &mut dyn FnMut());
}

/// Opens the table again with the column at this position only.
type Again<'a> = dyn Fn(usize) -> Result<Box<dyn Table>, InputError> + 'a;

/// Where the values come from.
pub struct Input<'a> {
    /// The name of the input, for messages.
    pub name: &'a str,
    /// The columns of the operators: [`Operators::columns`].
    pub table: &'a mut dyn Table,
    /// Opens the table again with the column at this position only; nothing if that is not possible.
    pub again: Option<&'a Again<'a>>,
    /// Is told how far the reduction is.
    pub watcher: &'a dyn Watcher,
}

/// The kernels for the operators, on one device or several.
pub struct Reducer<'d> {
    devices: &'d [Device],
    operators: Operators,
    columns: Vec<ColumnPlan>,
}

impl<'d> Reducer<'d> {
    /// Makes the kernels. Each column has values of a kind; the first time, this builds the device runtime. There is at least
    /// one device.
    ///
    /// # Errors
    ///
    /// An operator that is not defined for the kind of its column, and tools that are missing.
    pub fn new(
        devices: &'d [Device],
        operators: Operators,
        options: ResultOptions,
        kinds: &[ValueKind],
    ) -> Result<Reducer<'d>, Error> {
        let plan =
            |(column, kind): (_, &ValueKind)| ColumnPlan::new(devices, options, &operators, column, *kind);
        let columns = operators.by_column().iter().zip(kinds).map(plan).collect::<Result<_, _>>()?;
        Ok(Reducer { devices, operators, columns })
    }

    /// Reduces all values. With others, who have the rest of the values of each column, process 0 has the results, and the
    /// other processes have none.
    ///
    /// # Errors
    ///
    /// What the input has wrong, those of the device, and a median of more values than are kept of what cannot be read
    /// again.
    pub fn reduce(
        &self,
        input: Input<'_>,
        others: Option<&Others<'_>>,
    ) -> Result<Option<Reduced<'_>>, Error> {
        let Input { name, table, again, watcher } = input;
        let Reducer { devices, columns, .. } = self;
        let streams = devices.iter().map(Device::stream).collect::<Result<Vec<_>, _>>()?;
        let mut totals = vec![(0_u64, 0_u64); columns.len()];
        let begin = |column: usize| others.map_or(0, |others| others.first(column));
        let mut all: Vec<_> = columns
            .iter()
            .enumerate()
            .map(|(index, column)| column.start(&streams, begin(index)))
            .collect::<Result<_, _>>()?;
        let share = KEPT_BYTES / columns.iter().filter(|column| column.median.is_some()).count().max(1);
        let middle = |column: &ColumnPlan| column.median.map(|_| Middle::new(column.kind, share));
        let mut middles: Vec<_> = columns.iter().map(middle).collect();
        while let Some(batch) = table.next()? {
            watcher.has_read(table.consumed());
            for (index, values) in batch.iter().enumerate() {
                let (column, total) = (&columns[index], &mut totals[index]);
                total.0 += values.bytes.len() as u64 / u64::from(column.kind.ty.size());
                total.1 += values.missing;
                if let Some(pieces) = &mut all[index] {
                    pieces.add(&values.bytes)?;
                }
                let is_kept = middles[index].as_mut().is_none_or(|middle| middle.add(&values.bytes));
                if !is_kept && again.is_none() {
                    return Err(Error::Unsupported(format!(
                        "{}: its median needs more than {} MiB of values several times, and a pipe is read once: give a file",
                        label(name, column),
                        share >> 20
                    )));
                }
            }
        }
        watcher.has_ended();
        let records = match others {
            None => all
                .into_iter()
                .map(|pieces| pieces.map(Pieces::finish).transpose())
                .collect::<Result<_, _>>()?,
            Some(others) => match others.records(columns, all, &streams[0], &mut totals)? {
                Some(records) => records,
                None => return Ok(None),
            },
        };
        let mut medians = vec![None; columns.len()];
        for (index, middle) in middles.iter().enumerate() {
            let Some(middle) = middle else { continue };
            let mut again = |take: &mut Take| {
                let Some(again) = again else { return Ok(()) };
                let mut table = again(index)?;
                while let Some(batch) = table.next()? {
                    take(&batch[0].bytes)?;
                }
                Ok(())
            };
            let doing = format!("counting digits for the median of {}", label(name, &columns[index]));
            let mut found = Ok(None);
            watcher.during(&doing, &mut || found = middle.median(devices, &streams, &mut again));
            medians[index] = found?;
        }
        Ok(Some(Reduced { reducer: self, name: name.to_owned(), records, totals, medians }))
    }
}

/// What a message calls the values of a column.
fn label(input: &str, column: &ColumnPlan) -> String {
    match &column.column {
        Some(column) => format!("{input}, column '{}'", terminal_text::name(column)),
        None => input.to_owned(),
    }
}

/// What the devices have computed of all values.
pub struct Reduced<'r> {
    reducer: &'r Reducer<'r>,
    name: String,
    records: Vec<Option<Record>>,
    /// Of each column, its values and those that are missing.
    totals: Vec<(u64, u64)>,
    medians: Vec<Option<Value>>,
}

impl Reduced<'_> {
    /// The results of the operators.
    ///
    /// # Errors
    ///
    /// A sum or product that the type of its result does not have.
    pub fn results(self) -> Result<Results, Error> {
        let Reducer { operators, columns, .. } = self.reducer;
        let mut values = vec![None; operators.requested().len()];
        let mut of_columns = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            let (count, missing) = self.totals[index];
            let found = column.plan.results(self.records[index].as_ref(), count);
            let found =
                found.map_err(|overflow| Error::Unsupported(overflow.message(&label(&self.name, column))))?;
            for (&position, value) in column.operators.iter().zip(found) {
                values[position] =
                    if column.median == Some(position) { self.medians[index].clone() } else { value };
            }
            of_columns.push(ColumnResult {
                column: column.column.clone(),
                kind: column.kind,
                count,
                missing,
                operators: column.operators.clone(),
            });
        }
        Ok(Results::new(operators.requested().to_vec(), of_columns, values))
    }
}
