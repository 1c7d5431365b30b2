//! What several processes know of the columns becomes the result, on process 0.

use host_rt::{Record, Stream};
use mpi_rt::{Communicator, Row};

use super::{column::ColumnPlan, pieces::Pieces, plan::initial};
use crate::error::Error;

/// The records of the columns on process 0; nothing elsewhere. `totals` become those of all processes. Every process has given its
/// values to its pieces.
pub fn records(
    job: &Communicator,
    rows: &[Row],
    columns: &[ColumnPlan],
    all: Vec<Option<Pieces>>,
    stream: &Stream,
    totals: &mut [(u64, u64)],
) -> Result<Option<Vec<Option<Record>>>, Error> {
    let mut records = Vec::new();
    for ((pieces, row), column) in all.into_iter().zip(rows).zip(columns) {
        let (Some(mut pieces), Some(reduction)) = (pieces, column.reductions.first()) else {
            records.push(None);
            continue;
        };
        let others = row.exchange(job, column.kind.ty.size().into(), pieces.head())?;
        pieces.add(&others)?;
        let initial = initial(reduction.spec().list())?;
        records.push(job.reduce_partial(0, reduction, stream, pieces.partial()?, &initial)?);
    }
    let own: Vec<u64> = totals.iter().flat_map(|(count, missing)| [*count, *missing]).collect();
    let all = job.all_gather(&own)?;
    for (index, total) in totals.iter_mut().enumerate() {
        let sum = |at: usize| all.iter().map(|process| process[at]).sum();
        *total = (sum(2 * index), sum(2 * index + 1));
    }
    Ok((job.rank() == 0).then_some(records))
}
