//! What several processes know of the columns becomes the result, on process 0.

use host_rt::{Record, Stream};
use mpi_rt::{Communicator, Row};
use tables::{Share, ValueKind};

use crate::{Error, column::ColumnPlan, pieces::Pieces, plan::initial};

/// The processes of a job, each of which has a share of the values.
pub struct Others<'a> {
    job: &'a Communicator,
    /// Of each column, how many values each process has.
    rows: Vec<Row>,
}

impl<'a> Others<'a> {
    /// Tells each process how many values of these kinds the others have.
    ///
    /// # Errors
    ///
    /// What the input has wrong, here or on another process.
    pub fn new(job: &'a Communicator, share: &Share, kinds: &[ValueKind]) -> Result<Others<'a>, Error> {
        let all = job.all_gather(&share.counts(kinds)?)?;
        let row = |column: usize| Row::new(all.iter().map(|counts| counts[column]).collect(), job.rank());
        Ok(Others { job, rows: (0..kinds.len()).map(row).collect() })
    }

    /// The index of this process's first value of a column.
    pub(crate) fn first(&self, column: usize) -> u64 {
        self.rows[column].first()
    }

    /// The records of the columns on process 0; nothing elsewhere. `totals` become those of all processes. Every process has
    /// given its values to its pieces.
    pub(crate) fn records(
        &self,
        columns: &[ColumnPlan],
        all: Vec<Option<Pieces>>,
        stream: &Stream,
        totals: &mut [(u64, u64)],
    ) -> Result<Option<Vec<Option<Record>>>, Error> {
        let mut records = Vec::new();
        for ((pieces, row), column) in all.into_iter().zip(&self.rows).zip(columns) {
            let (Some(mut pieces), Some(reduction)) = (pieces, column.reductions.first()) else {
                records.push(None);
                continue;
            };
            let others = row.exchange(self.job, column.kind.ty.size().into(), pieces.head())?;
            pieces.add(&others)?;
            let initial = initial(reduction.spec().list())?;
            records.push(self.job.reduce_partial(0, reduction, stream, pieces.partial()?, &initial)?);
        }
        let own: Vec<u64> = totals.iter().flat_map(|(count, missing)| [*count, *missing]).collect();
        let all = self.job.all_gather(&own)?;
        for (index, total) in totals.iter_mut().enumerate() {
            let sum = |at: usize| all.iter().map(|process| process[at]).sum();
            *total = (sum(2 * index), sum(2 * index + 1));
        }
        Ok((self.job.rank() == 0).then_some(records))
    }
}
