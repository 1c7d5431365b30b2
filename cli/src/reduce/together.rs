//! What several processes know of the columns becomes the result, on process 0.

use host_rt::{PartialRecord, Record, Stream};
use mpi_rt::{Communicator, Row};

use super::{column::ColumnPlan, pieces::Pieces, plan::initial};
use crate::error::Error;

/// The records of the columns on process 0, whose `totals` are then those of all processes; nothing elsewhere. Every process
/// has given its values to its pieces.
pub fn records(
    job: &Communicator,
    rows: &[Row],
    columns: &[ColumnPlan],
    all: Vec<Option<Pieces>>,
    stream: &Stream,
    totals: &mut [(u64, u64)],
) -> Result<Option<Vec<Option<Record>>>, Error> {
    // Each message is of a length that both sides know.
    let mut own = Vec::new();
    for (((pieces, row), column), (count, missing)) in
        all.into_iter().zip(rows).zip(columns).zip(totals.iter())
    {
        let bytes = match pieces {
            None => Vec::new(),
            Some(mut pieces) => {
                let size = u64::from(column.kind.ty.size());
                let others = row.exchange(job, size, pieces.head())?;
                pieces.add(&others)?;
                pieces.partial()?.to_bytes()
            }
        };
        for number in [*count, *missing, bytes.len() as u64] {
            own.extend(number.to_le_bytes());
        }
        own.extend(bytes);
    }
    let Some(all) = job.gather(&own)? else { return Ok(None) };
    totals.fill((0, 0));
    let mut partials: Vec<_> = columns.iter().map(|_| PartialRecord::new()).collect();
    for part in all {
        let mut rest = part.as_slice();
        for ((column, partial), total) in columns.iter().zip(&mut partials).zip(totals.iter_mut()) {
            let (count, missing, length) = (number(&mut rest)?, number(&mut rest)?, number(&mut rest)?);
            let (bytes, after) = rest.split_at_checked(length as usize).ok_or_else(short)?;
            rest = after;
            (total.0, total.1) = (total.0 + count, total.1 + missing);
            if let Some(reduction) = column.reductions.first() {
                partial.merge(PartialRecord::from_bytes(reduction.spec().list(), bytes)?)?;
            }
        }
    }
    let finish = |(column, partial): (&ColumnPlan, &PartialRecord)| {
        let Some(reduction) = column.reductions.first() else { return Ok(None) };
        let mut record = initial(reduction.spec().list())?;
        reduction.finish(stream, partial, &mut record)?;
        Ok(Some(record))
    };
    columns.iter().zip(&partials).map(finish).collect::<Result<_, Error>>().map(Some)
}

fn number(rest: &mut &[u8]) -> Result<u64, Error> {
    let (bytes, after) = rest.split_first_chunk().ok_or_else(short)?;
    *rest = after;
    Ok(u64::from_le_bytes(*bytes))
}

fn short() -> Error {
    Error::Usage("a process has sent less than it said: do all run the same version of warpfold?".into())
}
