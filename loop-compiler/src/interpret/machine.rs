//! Executes instructions: one task, and one more for each parallel iteration that is under way.

use super::cells::{Cells, subscripts};
use super::code::{self, Code, Op};
use super::options::{Access, Counts, IterationOrder, Observer, Options};
use super::races::{ENTRY_BYTES, Entry, Log, Touch};
use super::random::Random;
use super::value::{self, Fault, Value};
use crate::ir::located::Located;
use crate::ir::types::Scalar;
use crate::ir::{
    BinaryOperator, Expression, Loop, Pairing, Position, ReduceDimension, ReductionOperator, Region,
    VariableId,
};

/// Iterations of one parallel loop that are under way at a time.
const TASKS_PER_LOOP: usize = 64;

/// Tasks beyond which each loop has one at a time only.
const TASKS: usize = 2048;

/// The memory of a slot, in one of its lives.
struct Buffer {
    cells: Cells,
    /// Which cells have a value; none if all have.
    set: Option<Vec<bool>>,
    /// Which cells this execution has stored to, where a reduction's initial value depends on it.
    stored: Option<Vec<bool>>,
    private: bool,
    /// The parallel loops around its allocation: their other iterations do not see it.
    own_loops: usize,
    /// Differs from all other buffers of the execution.
    number: u64,
}

struct Task<'t> {
    next: usize,
    stack: Vec<Value>,
    /// The loops around and the values of their iterators.
    frames: Vec<(&'t Loop, i128)>,
    /// For each slot its buffer.
    buffers: Vec<Option<usize>>,
    /// The buffers that this task has allocated.
    owned: Vec<usize>,
    /// The parallel loops around and this task's iterations of them.
    iterations: Vec<(usize, i128)>,
    /// Values of the iterator of the parallel loop whose header is being evaluated.
    gathered: Vec<i128>,
}

/// An execution of a parallel loop.
struct Parallel<'t> {
    nest: &'t Loop,
    log: Log,
    log_bytes: u64,
    /// Iterations that have not begun, in random order.
    waiting: Vec<i128>,
    running: usize,
    parent: usize,
    body: usize,
}

/// Why a task stops for now.
enum Pause {
    /// It has accessed memory.
    Access,
    /// It has started tasks, and waits.
    Fork,
    End,
}

struct Machine<'t, 'c, 'o> {
    region: &'t Region,
    code: &'c Code<'t>,
    observer: &'c mut Observer<'t, 'o>,
    buffers: Vec<Option<Buffer>>,
    free: Vec<usize>,
    tasks: Vec<Option<Task<'t>>>,
    free_tasks: Vec<usize>,
    ready: Vec<usize>,
    parallel: Vec<Option<Parallel<'t>>>,
    random: Option<Random>,
    counts: Counts,
    steps: u64,
    unknown_calls: bool,
    memory_left: u64,
    private_bytes: u64,
    next_number: u64,
}

/// Executes a region's code. The cells are those of the slots, where there is memory; a value that the code leaves on
/// the stack is returned.
pub fn execute<'t>(
    region: &'t Region,
    code: &Code<'t>,
    cells: &mut [Option<Cells>],
    options: &Options,
    observer: &mut Observer<'t, '_>,
) -> Result<(Counts, Option<Value>), Located> {
    let mut machine = Machine::new(region, code, options, observer);
    let task = machine.main_task(cells);
    machine.tasks.push(Some(task));
    machine.ready.push(0);
    let result = machine.run();
    // The first buffers are those of the given cells, in the order of the slots.
    for (cells, buffer) in cells.iter_mut().zip(machine.buffers) {
        if let Some(buffer) = buffer {
            *cells = Some(buffer.cells);
        }
    }
    result.map(|value| (machine.counts, value))
}

/// The value of an integer expression over cells.
pub fn evaluate(
    region: &Region,
    expression: &Expression,
    cells: &mut [Option<Cells>],
    options: &Options,
) -> Result<i128, Located> {
    let code = code::expression(region, expression)?;
    let ignore: &mut Observer = &mut |_| {};
    match execute(region, &code, cells, options, ignore)? {
        (_, Some(Value::Integer(value))) => Ok(value),
        _ => Err(Located::new(Position::default(), "an extent is not an integer", "convert it")),
    }
}

impl<'t, 'c, 'o> Machine<'t, 'c, 'o> {
    fn new(
        region: &'t Region,
        code: &'c Code<'t>,
        options: &Options,
        observer: &'c mut Observer<'t, 'o>,
    ) -> Machine<'t, 'c, 'o> {
        Machine {
            region,
            code,
            observer,
            buffers: Vec::new(),
            free: Vec::new(),
            tasks: Vec::new(),
            free_tasks: Vec::new(),
            ready: Vec::new(),
            parallel: Vec::new(),
            random: match options.order {
                IterationOrder::Sequential => None,
                IterationOrder::Interleaved(seed) => Some(Random(seed)),
            },
            counts: Counts::default(),
            steps: options.steps,
            unknown_calls: options.unknown_calls,
            memory_left: options.memory,
            private_bytes: 0,
            next_number: 0,
        }
    }

    /// The task of the whole region; the given cells become its buffers.
    fn main_task(&mut self, given: &mut [Option<Cells>]) -> Task<'t> {
        let slots = &self.code.slots.list;
        let mut buffers = vec![None; slots.len()];
        for (index, slot) in slots.iter().enumerate() {
            let fits = |cells: &mut Cells| (cells.scalar, cells.extents.len()) == (slot.scalar, slot.rank);
            let cells = given.get_mut(index).and_then(|cells| cells.take_if(fits));
            if let Some(cells) = &cells {
                self.memory_left = self.memory_left.saturating_sub(cells.bytes.len() as u64);
                buffers[index] = Some(index);
            }
            let stored = self.code.starts[index];
            let number = self.number();
            self.buffers.push(cells.map(|cells| {
                let stored = stored.then(|| vec![false; cells.len()]);
                Buffer { cells, set: None, stored, private: false, own_loops: 0, number }
            }));
        }
        Task {
            next: 0,
            stack: Vec::new(),
            frames: Vec::new(),
            buffers,
            owned: Vec::new(),
            iterations: Vec::new(),
            gathered: Vec::new(),
        }
    }

    fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// Runs all tasks; the value on the first one's stack.
    fn run(&mut self) -> Result<Option<Value>, Located> {
        loop {
            let chosen = match &mut self.random {
                Some(random) => random.below(self.ready.len().max(1) as u64) as usize,
                None => 0,
            };
            let Some(&id) = self.ready.get(chosen) else { return Ok(None) };
            let Some(mut task) = self.tasks[id].take() else { return Ok(None) };
            let pause = self.go(&mut task, id)?;
            match pause {
                Pause::Access => self.tasks[id] = Some(task),
                Pause::Fork => {
                    self.ready.swap_remove(chosen);
                    self.tasks[id] = Some(task);
                    self.start(self.parallel.len() - 1, None)?;
                }
                Pause::End => {
                    self.ready.swap_remove(chosen);
                    let Some((parallel, _)) = task.iterations.last().copied() else {
                        return Ok(task.stack.pop());
                    };
                    for buffer in std::mem::take(&mut task.owned) {
                        self.release(buffer);
                    }
                    self.free_tasks.push(id);
                    self.ended(parallel)?;
                }
            }
        }
    }

    /// What a task takes, about.
    fn task_bytes(&self) -> u64 {
        1024 + 16 * self.code.slots.list.len() as u64
    }

    /// An iteration of a parallel loop has ended: the next one begins, or the loop is over.
    fn ended(&mut self, number: usize) -> Result<(), Located> {
        self.memory_left += self.task_bytes();
        if let Some(parallel) = &mut self.parallel[number] {
            parallel.running -= 1;
        }
        self.start(number, Some(1))
    }

    /// Starts iterations of a parallel loop, or goes on after it if all are over.
    fn start(&mut self, number: usize, most: Option<usize>) -> Result<(), Located> {
        let task_bytes = self.task_bytes();
        let Some(parallel) = &mut self.parallel[number] else { return Ok(()) };
        let live = self.tasks.len() - self.free_tasks.len();
        let most = most.unwrap_or(if live > TASKS { 1 } else { TASKS_PER_LOOP });
        for _ in 0..most {
            let Some(left) = self.memory_left.checked_sub(task_bytes) else {
                if parallel.running > 0 {
                    break;
                }
                let what = "the execution exceeds the memory's limit";
                return Err(Located::new(parallel.nest.at, what, "give a greater `Options::memory`"));
            };
            let Some(iteration) = parallel.waiting.pop() else { break };
            parallel.running += 1;
            self.memory_left = left;
            let Some(parent) = &self.tasks[parallel.parent] else { break };
            let mut frames = parent.frames.clone();
            if let Some(frame) = frames.last_mut() {
                frame.1 = iteration;
            }
            let mut iterations = parent.iterations.clone();
            iterations.push((number, iteration));
            let task = Task {
                next: parallel.body,
                stack: Vec::new(),
                frames,
                buffers: parent.buffers.clone(),
                owned: Vec::new(),
                iterations,
                gathered: Vec::new(),
            };
            let id = match self.free_tasks.pop() {
                Some(id) => id,
                None => {
                    self.tasks.push(None);
                    self.tasks.len() - 1
                }
            };
            self.tasks[id] = Some(task);
            self.ready.push(id);
        }
        if parallel.running == 0 {
            self.ready.push(parallel.parent);
            self.memory_left += parallel.log_bytes;
            self.parallel[number] = None;
            // Numbers in use stay; the newest loop is always the last.
            while self.parallel.last().is_some_and(Option::is_none) {
                self.parallel.pop();
            }
        }
        Ok(())
    }

    fn fault(&self, at: Position, (what, hint): Fault) -> Located {
        Located::new(at, what, hint)
    }

    /// Runs a task up to its next pause.
    fn go(&mut self, task: &mut Task<'t>, id: usize) -> Result<Pause, Located> {
        let code = self.code;
        loop {
            let instruction = &code.instructions[task.next];
            let at = instruction.at;
            if self.counts.steps >= self.steps {
                let what = format!("more than {} steps", self.steps);
                return Err(Located::new(at, what, "give smaller sizes or a greater `Options::steps`"));
            }
            self.counts.steps += 1;
            task.next += 1;
            let mut accessed = false;
            let result: Result<(), Fault> = match &instruction.op {
                Op::Push(value) => push(task, *value),
                Op::Iterator(depth) => {
                    let value = task.frames.get(*depth).map_or(0, |frame| frame.1);
                    push(task, Value::Integer(value))
                }
                Op::Address(site) => self.address(task, *site),
                Op::Load(site) => {
                    accessed = true;
                    let cell = integer(pop(task)) as usize;
                    let value = self.load(task, *site, cell, at)?;
                    push(task, value)
                }
                Op::LoadTarget(site) => {
                    accessed = true;
                    let cell = task.stack.iter().rev().nth(1).copied().map_or(0, integer) as usize;
                    let value = self.load(task, *site, cell, at)?;
                    push(task, value)
                }
                Op::Store(site) => {
                    accessed = true;
                    let value = pop(task);
                    let cell = integer(pop(task)) as usize;
                    self.store(task, *site, cell, value, at)?;
                    Ok(())
                }
                Op::Reduce { site, operator, starts } => {
                    accessed = true;
                    let value = pop(task);
                    let init = starts.then(|| pop(task));
                    let cell = integer(pop(task)) as usize;
                    self.reduce(task, *site, cell, *operator, init, value, at)?;
                    Ok(())
                }
                Op::Unary(operator, scalar) => {
                    self.count(instruction.address);
                    let operand = pop(task);
                    value::unary(*operator, operand, *scalar).and_then(|value| push(task, value))
                }
                Op::Binary(operator, scalar) => {
                    self.count(instruction.address);
                    self.counts.comparisons += u64::from(operator.is_comparison() && !instruction.address);
                    let right = pop(task);
                    let left = pop(task);
                    value::binary(*operator, left, right, *scalar).and_then(|value| push(task, value))
                }
                Op::Update { operator, target, left, scalar, computed_in } => {
                    self.count(false);
                    let old = pop(task);
                    let value = pop(task);
                    value::convert(old, *target, *left)
                        .and_then(|old| value::binary(*operator, old, value, *scalar))
                        .and_then(|new| value::convert(new, *computed_in, *target))
                        .and_then(|new| push(task, new))
                }
                Op::Convert { from, to } => {
                    let operand = pop(task);
                    value::convert(operand, *from, *to).and_then(|value| push(task, value))
                }
                Op::Truth => {
                    let operand = pop(task);
                    push(task, Value::Integer(value::truth(operand).into()))
                }
                Op::Call { name, types, scalar } => {
                    self.count(instruction.address);
                    let first = task.stack.len().saturating_sub(types.len());
                    let known = value::call(name, &task.stack[first..], types, *scalar);
                    let result = known.or_else(|fault| match self.unknown_calls {
                        true => {
                            self.counts.unknown_calls += 1;
                            value::convert(Value::Integer(0), Scalar::INT, *scalar)
                        }
                        false => Err(fault),
                    });
                    task.stack.truncate(first);
                    result.and_then(|value| push(task, value))
                }
                Op::Jump(target) => {
                    task.next = *target;
                    Ok(())
                }
                Op::JumpUnless(target) => {
                    if !value::truth(pop(task)) {
                        task.next = *target;
                    }
                    Ok(())
                }
                Op::Enter { nest, slot, vector, transposed } => {
                    self.counts.vector_operations += vector;
                    self.counts.transposed_tiles += transposed;
                    let first = integer(pop(task));
                    task.frames.push((nest, first));
                    self.keep_iterator(task, *slot, first, at)?;
                    Ok(())
                }
                Op::Next { scalar } => {
                    let step = integer(pop(task));
                    let frame = task.frames.last_mut();
                    if let Some(frame) = frame {
                        frame.1 = value::wrap(frame.1.wrapping_add(step), *scalar);
                    }
                    if step == 0 {
                        Err(("the step of a loop is 0".to_owned(), "the loop would not end"))
                    } else {
                        Ok(())
                    }
                }
                Op::Leave { slot } => {
                    let last = task.frames.pop().map_or(0, |frame| frame.1);
                    self.keep_iterator(task, *slot, last, at)?;
                    Ok(())
                }
                Op::Gather => {
                    self.take_memory(16, at)?;
                    let value = task.frames.last().map_or(0, |frame| frame.1);
                    task.gathered.push(value);
                    Ok(())
                }
                Op::Fork(after) => {
                    let body = task.next;
                    task.next = *after;
                    if !task.gathered.is_empty() {
                        self.fork(task, id, body);
                        return Ok(Pause::Fork);
                    }
                    Ok(())
                }
                Op::End => return Ok(Pause::End),
                Op::Allocate { variable, private, fill } => {
                    self.allocate(task, *variable, *private, *fill, at)?;
                    Ok(())
                }
                Op::ReduceDimension { reduce, source, target } => {
                    accessed = true;
                    self.reduce_dimension(task, reduce, *source, *target, at)?;
                    Ok(())
                }
            };
            result.map_err(|fault| self.fault(at, fault))?;
            if accessed && self.ready.len() > 1 {
                return Ok(Pause::Access);
            }
        }
    }

    fn count(&mut self, address: bool) {
        if address {
            self.counts.address_operations += 1;
        } else {
            self.counts.operations += 1;
        }
    }

    fn fork(&mut self, task: &mut Task<'t>, id: usize, body: usize) {
        let mut waiting = std::mem::take(&mut task.gathered);
        if let Some(random) = &mut self.random {
            for last in (1..waiting.len()).rev() {
                waiting.swap(last, random.below(last as u64 + 1) as usize);
            }
        }
        let Some((nest, _)) = task.frames.last().copied() else { return };
        let log_bytes = 16 * waiting.len() as u64;
        let parallel =
            Parallel { nest, log: Log::default(), log_bytes, waiting, running: 0, parent: id, body };
        self.parallel.push(Some(parallel));
    }

    // Memory.

    fn take_memory(&mut self, bytes: u64, at: Position) -> Result<(), Located> {
        match self.memory_left.checked_sub(bytes) {
            Some(left) => {
                self.memory_left = left;
                Ok(())
            }
            None => {
                let what = "the execution exceeds the memory's limit";
                Err(Located::new(at, what, "give smaller sizes or a greater `Options::memory`"))
            }
        }
    }

    fn name(&self, slot: usize) -> String {
        let slot = &self.code.slots.list[slot];
        let name = &self.region.variable(slot.variable).name;
        slot.members.iter().fold(name.clone(), |name, member| name + "." + member)
    }

    fn buffer(&self, task: &Task<'t>, slot: usize, at: Position) -> Result<usize, Located> {
        let index = task.buffers.get(slot).copied().flatten();
        index.filter(|index| self.buffers[*index].is_some()).ok_or_else(|| {
            let what = format!("`{}` has no memory here", self.name(slot));
            Located::new(at, what, "it is declared later, or missing in the given memory")
        })
    }

    /// The buffer that [`Machine::buffer`] has found.
    fn at_index(&mut self, index: usize) -> &mut Buffer {
        self.buffers[index].as_mut().expect("the buffer of a task exists as long as the task")
    }

    fn allocate(
        &mut self,
        task: &mut Task<'t>,
        variable: VariableId,
        private: bool,
        fill: Option<Value>,
        at: Position,
    ) -> Result<(), Located> {
        let rank = self.region.variable(variable).extents.len();
        let first = task.stack.len().saturating_sub(rank);
        let mut extents = Vec::with_capacity(rank);
        for value in task.stack.drain(first..) {
            let value = integer(value);
            let Ok(extent) = u64::try_from(value) else {
                let name = &self.region.variable(variable).name;
                let what = format!("an extent of `{name}` is {value}");
                return Err(Located::new(at, what, "extents are not negative"));
            };
            extents.push(extent);
        }
        for slot in self.code.slots.of_variable(variable) {
            if let Some(old) = task.buffers[slot].filter(|old| task.owned.contains(old)) {
                task.owned.retain(|owned| *owned != old);
                self.release(old);
            }
            let declared = &self.code.slots.list[slot];
            if declared.rank != rank {
                let what = format!("`{}` has dimensions of no known extent", self.name(slot));
                return Err(Located::new(at, what, "members that are arrays need memory from outside"));
            }
            let scalar = declared.scalar;
            let mut left = self.memory_left;
            let mut cells =
                Cells::zeros(scalar, extents.clone(), &mut left).map_err(|error| Located { at, ..error })?;
            // Whether a cell is set takes a byte.
            self.take_memory(cells.bytes.len() as u64 + 2 * cells.len() as u64, at)?;
            let count = cells.len();
            if let Some(identity) = fill {
                (0..count).for_each(|cell| cells.store(cell, identity));
            }
            if private {
                self.private_bytes += cells.bytes.len() as u64;
                self.counts.private_bytes = self.counts.private_bytes.max(self.private_bytes);
            }
            let buffer = Buffer {
                cells,
                set: fill.is_none().then(|| vec![false; count]),
                // Private cells hold the identity: a reduction's initial value is not theirs.
                stored: (self.code.starts[slot] && fill.is_none()).then(|| vec![false; count]),
                private,
                own_loops: task.iterations.len(),
                number: self.number(),
            };
            let index = match self.free.pop() {
                Some(index) => index,
                None => {
                    self.buffers.push(None);
                    self.buffers.len() - 1
                }
            };
            self.buffers[index] = Some(buffer);
            task.owned.push(index);
            task.buffers[slot] = Some(index);
        }
        Ok(())
    }

    fn release(&mut self, index: usize) {
        if let Some(buffer) = self.buffers[index].take() {
            let bytes = buffer.cells.bytes.len() as u64;
            self.memory_left += bytes + 2 * buffer.cells.len() as u64;
            if buffer.private {
                self.private_bytes -= bytes;
            }
            self.free.push(index);
        }
    }

    /// The value of an iterator that the loop does not declare.
    fn keep_iterator(
        &mut self,
        task: &Task<'t>,
        slot: Option<usize>,
        value: i128,
        at: Position,
    ) -> Result<(), Located> {
        let Some(slot) = slot else { return Ok(()) };
        let index = self.buffer(task, slot, at)?;
        self.note(task, slot, index, 0, Touch::Write, at)?;
        let buffer = self.at_index(index);
        buffer.cells.store(0, Value::Integer(value));
        mark(&mut buffer.set, 0);
        mark(&mut buffer.stored, 0);
        Ok(())
    }

    fn address(&mut self, task: &mut Task<'t>, site: usize) -> Result<(), Fault> {
        let slot = self.code.sites[site].slot;
        let index = self
            .buffer(task, slot, Position::default())
            .map_err(|error| (error.what, "it is declared later, or missing in the given memory"))?;
        let extents = &self.at_index(index).cells.extents;
        let first = task.stack.len().saturating_sub(extents.len());
        let mut cell = 0;
        for (dimension, (subscript, extent)) in task.stack[first..].iter().zip(extents).enumerate() {
            let subscript = integer(*subscript);
            let Some(within) = u64::try_from(subscript).ok().filter(|subscript| subscript < extent) else {
                let extent = *extent;
                let name = self.name(slot);
                let what = format!(
                    "subscript {subscript} of dimension {dimension} of `{name}`, whose extent is {extent}"
                );
                return Err((what, "C does not define accesses outside of an array"));
            };
            cell = cell * extent + within;
        }
        task.stack.truncate(first);
        push(task, Value::Integer(cell.into()))
    }

    /// Tells the observer and the logs of an access.
    fn access(
        &mut self,
        task: &Task<'t>,
        site: usize,
        index: usize,
        cell: usize,
        touch: Touch,
        at: Position,
    ) -> Result<(), Located> {
        let site = &self.code.sites[site];
        self.note(task, site.slot, index, cell, touch, at)?;
        let Some(node) = site.node else { return Ok(()) };
        let slot = &self.code.slots.list[site.slot];
        let extents = &self.at_index(index).cells.extents;
        let subscripts = subscripts(cell as u64, extents);
        let at = |write| Access {
            node,
            reference: site.reference,
            variable: slot.variable,
            members: &slot.members,
            subscripts: &subscripts,
            write,
            iterators: task.frames.get(..site.depth).unwrap_or(&task.frames),
        };
        if touch != Touch::Write {
            self.counts.loads += 1;
            (self.observer)(&at(false));
        }
        if touch != Touch::Read {
            self.counts.stores += 1;
            (self.observer)(&at(true));
        }
        Ok(())
    }

    /// Tells the logs of an access.
    fn note(
        &mut self,
        task: &Task<'t>,
        slot: usize,
        index: usize,
        cell: usize,
        touch: Touch,
        at: Position,
    ) -> Result<(), Located> {
        if task.iterations.is_empty() {
            return Ok(());
        }
        let Buffer { number, own_loops, .. } = *self.at_index(index);
        for (number_of_loop, iteration) in task.iterations.iter().skip(own_loops) {
            let Some(parallel) = &mut self.parallel[*number_of_loop] else { continue };
            let entry = Entry { touch, iteration: *iteration, at };
            match parallel.log.note((number, cell as u64), entry) {
                Ok(false) => {}
                Ok(true) => {
                    parallel.log_bytes += ENTRY_BYTES;
                    self.take_memory(ENTRY_BYTES, at)?;
                }
                Err(other) => {
                    let nest = parallel.nest;
                    return Err(self.race(nest, slot, index, cell, entry, other));
                }
            }
        }
        Ok(())
    }

    fn race(
        &mut self,
        nest: &Loop,
        slot: usize,
        index: usize,
        cell: usize,
        now: Entry,
        before: Entry,
    ) -> Located {
        let subscripts = subscripts(cell as u64, &self.at_index(index).cells.extents);
        let iterator = &self.region.variable(nest.iterator).name;
        let cell = if subscripts.is_empty() { String::new() } else { format!("{subscripts:?}") };
        let side = |entry: Entry| {
            let (verb, iteration, line) = (entry.touch.verb(), entry.iteration, entry.at.line);
            format!("{verb} by the iteration {iterator} = {iteration} (line {line})")
        };
        let what = format!(
            "a race in the loop over `{iterator}` of line {}: `{}`{cell} is {} and {}",
            nest.at.line,
            self.name(slot),
            side(before),
            side(now)
        );
        Located::new(now.at, what, "privatize the array, use `reduce`, or make the loop a `for`")
    }

    fn load(&mut self, task: &Task<'t>, site: usize, cell: usize, at: Position) -> Result<Value, Located> {
        let slot = self.code.sites[site].slot;
        let index = self.buffer(task, slot, at)?;
        self.access(task, site, index, cell, Touch::Read, at)?;
        let buffer = self.at_index(index);
        if buffer.set.as_ref().is_some_and(|set| !set[cell]) {
            let what = format!("`{}` is read before it has a value", self.name(slot));
            return Err(Located::new(at, what, "C does not define reads of such memory: store to it first"));
        }
        Ok(buffer.cells.value(cell))
    }

    fn store(
        &mut self,
        task: &Task<'t>,
        site: usize,
        cell: usize,
        value: Value,
        at: Position,
    ) -> Result<(), Located> {
        let index = self.buffer(task, self.code.sites[site].slot, at)?;
        self.access(task, site, index, cell, Touch::Write, at)?;
        let buffer = self.at_index(index);
        buffer.cells.store(cell, value);
        mark(&mut buffer.set, cell);
        mark(&mut buffer.stored, cell);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the operands of an instruction")]
    fn reduce(
        &mut self,
        task: &Task<'t>,
        site: usize,
        cell: usize,
        operator: ReductionOperator,
        init: Option<Value>,
        value: Value,
        at: Position,
    ) -> Result<(), Located> {
        let slot = self.code.sites[site].slot;
        let index = self.buffer(task, slot, at)?;
        self.access(task, site, index, cell, Touch::Reduce(operator), at)?;
        self.count(false);
        let name = self.name(slot);
        let buffer = self.at_index(index);
        let first = buffer.stored.as_ref().is_some_and(|stored| !stored[cell]);
        let old = match init.filter(|_| first) {
            Some(init) => init,
            None if buffer.set.as_ref().is_some_and(|set| !set[cell]) => {
                let what = format!("`{name}` is reduced into before it has a value");
                return Err(Located::new(at, what, "give the reduction an initial value"));
            }
            None => buffer.cells.value(cell),
        };
        let scalar = buffer.cells.scalar;
        let combined = value::combine(operator, old, value, scalar);
        let combined = combined.map_err(|fault| self.fault(at, fault))?;
        let buffer = self.at_index(index);
        buffer.cells.store(cell, combined);
        mark(&mut buffer.set, cell);
        mark(&mut buffer.stored, cell);
        Ok(())
    }

    /// All of it is one step for other tasks; a race is found all the same.
    fn reduce_dimension(
        &mut self,
        task: &mut Task<'t>,
        reduce: &'t ReduceDimension,
        source: usize,
        target: Option<usize>,
        at: Position,
    ) -> Result<(), Located> {
        let source_index = self.buffer(task, self.code.sites[source].slot, at)?;
        let extents = self.at_index(source_index).cells.extents.clone();
        let scalar = self.at_index(source_index).cells.scalar;
        let dimension = reduce.dimension;
        let wrong = |what: String| Located::new(at, what, "it is within the source");
        let name = self.name(self.code.sites[source].slot);

        // For each dimension of the source the indices that are gone through.
        let mut ranges = vec![(0, 1); extents.len()];
        for (behind, range) in reduce.ranges.iter().enumerate().rev() {
            let place = dimension + 1 + behind;
            let extent = extents[place];
            let mut bounds = (0, extent);
            if range.is_some() {
                let end = integer(pop(task));
                let begin = integer(pop(task));
                let fits = |bound: i128| u64::try_from(bound).ok().filter(|bound| *bound <= extent);
                let (Some(begin), Some(end)) = (fits(begin), fits(end)) else {
                    let what = format!(
                        "the range {begin} to {end} of dimension {place} of `{name}`, whose extent is {extent}"
                    );
                    return Err(wrong(what));
                };
                bounds = (begin, end);
            }
            if target.is_some() && !reduce.mapped.contains(&place) {
                bounds = (0, extent.min(1));
            }
            ranges[place] = bounds;
        }
        for place in (0..dimension).rev() {
            let index = integer(pop(task));
            let extent = extents[place];
            let Some(index) = u64::try_from(index).ok().filter(|index| *index < extent) else {
                return Err(wrong(format!(
                    "the index {index} of dimension {place} of `{name}`, whose extent is {extent}"
                )));
            };
            ranges[place] = (index, index + 1);
        }
        let init = reduce.init.as_ref().map(|_| pop(task));
        if ranges.iter().any(|(begin, end)| begin >= end) {
            return Ok(());
        }

        let mut place: Vec<u64> = ranges.iter().map(|(begin, _)| *begin).collect();
        loop {
            self.reduce_cells(task, reduce, source, target, &extents, &mut place, init, scalar, at)?;
            // The next indices, the last dimension fastest.
            let Some(next) =
                (dimension + 1..extents.len()).rev().find(|next| place[*next] + 1 < ranges[*next].1)
            else {
                return Ok(());
            };
            place[next] += 1;
            for later in next + 1..extents.len() {
                place[later] = ranges[later].0;
            }
        }
    }

    /// As [`Machine::reduce_cells`], the second half of what is left to the first each time.
    #[expect(clippy::too_many_arguments, reason = "the state of the loops around it")]
    fn reduce_tree(
        &mut self,
        task: &Task<'t>,
        reduce: &'t ReduceDimension,
        source: usize,
        extents: &[u64],
        place: &mut [u64],
        scalar: Scalar,
        at: Position,
    ) -> Result<(), Located> {
        let dimension = reduce.dimension;
        let mut cell = |element: u64| {
            place[dimension] = element;
            place.iter().zip(extents).fold(0, |cell, (index, extent)| cell * extent + index) as usize
        };
        let count = extents[dimension];
        let (mut left, mut span) = (count, 1);
        while left > 1 {
            let half = left.next_power_of_two() / 2;
            let pairs: Vec<(u64, u64)> = match reduce.pairing {
                Pairing::Neighbours => {
                    (0..left / 2).map(|pair| (2 * pair * span, (2 * pair + 1) * span)).collect()
                }
                _ => (0..left - half).map(|element| (element, element + half)).collect(),
            };
            for (first, second) in pairs {
                self.counts.steps += 1;
                self.count(false);
                let (first, second) = (cell(first), cell(second));
                let old = self.load(task, source, first, at)?;
                let value = self.load(task, source, second, at)?;
                let combined = value::combine(reduce.operator, old, value, scalar);
                let combined = combined.map_err(|fault| self.fault(at, fault))?;
                self.store(task, source, first, combined, at)?;
            }
            left = if reduce.pairing == Pairing::Neighbours { left.div_ceil(2) } else { half };
            span *= 2;
        }
        Ok(())
    }

    /// Reduces the cells of one combination of indices.
    #[expect(clippy::too_many_arguments, reason = "the state of the loops around it")]
    fn reduce_cells(
        &mut self,
        task: &Task<'t>,
        reduce: &'t ReduceDimension,
        source: usize,
        target: Option<usize>,
        extents: &[u64],
        place: &mut [u64],
        init: Option<Value>,
        scalar: Scalar,
        at: Position,
    ) -> Result<(), Located> {
        let number = |place: &[u64], extents: &[u64]| {
            place.iter().zip(extents).fold(0, |cell, (index, extent)| cell * extent + index) as usize
        };
        let dimension = reduce.dimension;
        if target.is_none() && extents[dimension] == 0 {
            return Ok(());
        }
        self.counts.reduced_lists += 1;
        if reduce.pairing != Pairing::InOrder {
            return self.reduce_tree(task, reduce, source, extents, place, scalar, at);
        }
        place[dimension] = 0;
        let (target_site, target_cell) = match target {
            None => (source, number(place, extents)),
            Some(target) => {
                let slot = self.code.sites[target].slot;
                let index = self.buffer(task, slot, at)?;
                let mapped: Vec<u64> = reduce.mapped.iter().map(|dimension| place[*dimension]).collect();
                let extents = self.at_index(index).cells.extents.clone();
                if mapped.iter().zip(&extents).any(|(index, extent)| index >= extent) {
                    let what = format!(
                        "the cell {mapped:?} of `{}`, whose extents are {extents:?}",
                        self.name(slot)
                    );
                    return Err(Located::new(at, what, "give ranges that the target has"));
                }
                (target, number(&mapped, &extents))
            }
        };
        let index = matches!(reduce.operator, ReductionOperator::ArgMin | ReductionOperator::ArgMax);
        if index && extents[dimension] == 0 {
            let what = format!("\"{}\" of no elements", reduce.operator);
            return Err(Located::new(at, what, "the reduced dimension is empty"));
        }
        let mut result = match (init, target) {
            (Some(init), _) => Some(init),
            (None, Some(target)) if !index => Some(self.load(task, target, target_cell, at)?),
            _ => None,
        };
        let mut chosen = 0;
        for element in 0..extents[dimension] {
            if self.counts.steps >= self.steps {
                let what = format!("more than {} steps", self.steps);
                return Err(Located::new(at, what, "give smaller sizes or a greater `Options::steps`"));
            }
            self.counts.steps += 1;
            place[dimension] = element;
            let value = self.load(task, source, number(place, extents), at)?;
            let Some(old) = result else {
                result = Some(value);
                continue;
            };
            self.count(false);
            // The new value replaces the old one only if it is less, or greater.
            let better = |operator| value::binary(operator, value, old, scalar).map(value::truth);
            let combined = match reduce.operator {
                ReductionOperator::ArgMin => {
                    better(BinaryOperator::Less).map(|better| better.then_some(value))
                }
                ReductionOperator::ArgMax => {
                    better(BinaryOperator::Greater).map(|better| better.then_some(value))
                }
                operator => value::combine(operator, old, value, scalar).map(Some),
            };
            if let Some(combined) = combined.map_err(|fault| self.fault(at, fault))? {
                (result, chosen) = (Some(combined), element);
            }
        }
        let Some(mut result) = result else { return Ok(()) };
        if index {
            let to = self.code.slots.list[self.code.sites[target_site].slot].scalar;
            result = Value::Integer(value::wrap(chosen.into(), to));
        }
        self.store(task, target_site, target_cell, result, at)
    }
}

fn mark(cells: &mut Option<Vec<bool>>, cell: usize) {
    if let Some(cells) = cells {
        cells[cell] = true;
    }
}

fn push(task: &mut Task, value: Value) -> Result<(), Fault> {
    task.stack.push(value);
    Ok(())
}

/// The code pushes what it pops.
fn pop(task: &mut Task) -> Value {
    task.stack.pop().unwrap_or(Value::Integer(0))
}

fn integer(value: Value) -> i128 {
    match value {
        Value::Integer(value) => value,
        Value::Float(_) | Value::Complex(..) => 0,
    }
}
