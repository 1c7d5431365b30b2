//! Streams whose work becomes nodes of a graph instead of being done.

use std::sync::Arc;

use super::{
    abi::{DriverResult, Handle},
    current::thread_number,
    flags::StreamFlags,
    graphs::{Capture, CapturedEvent, CapturingStream, Graph, Node, NodeKind, NodeWork, RELAXED},
    scheduler::QueueId,
    state::{State, with},
};
use crate::Status;

impl State {
    /// Adds a node to a graph.
    pub fn add_node(
        &mut self,
        graph: Handle,
        work: Arc<dyn NodeWork>,
        mut dependencies: Vec<Handle>,
    ) -> Result<Handle, Status> {
        let handle = self.new_handle();
        let known = self.graphs.known.get_mut(&graph).ok_or(Status::INVALID_VALUE)?;
        dependencies.sort_unstable();
        let count = dependencies.len();
        dependencies.dedup();
        if dependencies.len() != count || !dependencies.iter().all(|node| known.nodes.contains_key(node)) {
            return Err(Status::INVALID_VALUE);
        }
        known.nodes.insert(handle, Node { work, dependencies });
        self.graphs.owners.insert(handle, graph);
        Ok(handle)
    }

    /// Begins to capture the work of a stream.
    pub(super) fn begin_capture(&mut self, stream: Handle, mode: i32) -> DriverResult {
        let context = self.context_of(stream)?;
        let queue = self.find_queue(stream, context)?;
        if queue.0 == context {
            return Err(Status::STREAM_CAPTURE_UNSUPPORTED);
        }
        if !(0..=RELAXED).contains(&mode) {
            return Err(Status::INVALID_VALUE);
        }
        if self.graphs.streams.contains_key(&queue) {
            return Err(Status::ILLEGAL_STATE);
        }
        let graph = self.new_handle();
        let graphs = &mut self.graphs;
        graphs.known.insert(graph, Graph::default());
        graphs.captures_begun += 1;
        let id = graphs.captures_begun;
        graphs
            .captures
            .insert(id, Capture { graph, origin: queue, mode, thread: thread_number(), is_valid: true });
        graphs.streams.insert(queue, CapturingStream { capture: id, last: Vec::new() });
        Ok(())
    }

    /// Ends a capture; the result is its graph.
    pub(super) fn end_capture(&mut self, stream: Handle) -> Result<Handle, Status> {
        let context = self.context_of(stream)?;
        let queue = self.find_queue(stream, context)?;
        let graphs = &mut self.graphs;
        let id = graphs.streams.get(&queue).map(|stream| stream.capture).ok_or(Status::ILLEGAL_STATE)?;
        let capture = graphs.captures.get(&id).ok_or(Status::ILLEGAL_STATE)?;
        if capture.origin != queue {
            return Err(Status::STREAM_CAPTURE_UNMATCHED);
        }
        if capture.mode != RELAXED && capture.thread != thread_number() {
            return Err(Status::STREAM_CAPTURE_WRONG_THREAD);
        }
        let (graph, is_valid) = (capture.graph, capture.is_valid);
        let known = graphs.known.get(&graph).ok_or(Status::ILLEGAL_STATE)?;
        let joined = known.before(&graphs.streams[&queue].last);
        let of_capture = graphs.streams.values().filter(|stream| stream.capture == id);
        let is_joined = of_capture.flat_map(|stream| &stream.last).all(|node| joined.contains(node));
        graphs.streams.retain(|_, stream| stream.capture != id);
        graphs.events.retain(|_, event| event.capture != id);
        graphs.captures.remove(&id);
        if is_valid && is_joined {
            return Ok(graph);
        }
        self.remove_graph(graph)?;
        Err(if is_valid { Status::STREAM_CAPTURE_UNJOINED } else { Status::STREAM_CAPTURE_INVALIDATED })
    }

    /// Removes a graph and its nodes.
    pub(super) fn remove_graph(&mut self, graph: Handle) -> DriverResult {
        let known = self.graphs.known.remove(&graph).ok_or(Status::INVALID_VALUE)?;
        for node in known.nodes.keys() {
            self.graphs.owners.remove(node);
        }
        Ok(())
    }

    /// Changes what the next node of a captured stream depends on.
    pub(super) fn set_capture_dependencies(
        &mut self,
        stream: Handle,
        nodes: &[Handle],
        keep: bool,
    ) -> DriverResult {
        let context = self.context_of(stream)?;
        let queue = self.find_queue(stream, context)?;
        let graph = self.graphs.capture_of(queue).map(|info| info.graph).ok_or(Status::ILLEGAL_STATE)?;
        if !nodes.iter().all(|node| self.graphs.owners.get(node) == Some(&graph)) {
            return Err(Status::INVALID_VALUE);
        }
        let stream = self.graphs.streams.get_mut(&queue).ok_or(Status::ILLEGAL_STATE)?;
        if !keep {
            stream.last.clear();
        }
        add_all(&mut stream.last, nodes);
        Ok(())
    }

    /// Captures work that a stream is to do; false if the stream is to do it.
    fn capture(&mut self, stream: Handle, work: impl FnOnce() -> Arc<dyn NodeWork>) -> Result<bool, Status> {
        if self.graphs.is_idle() {
            return Ok(false);
        }
        let context = self.context_of(stream)?;
        let queue = self.find_queue(stream, context)?;
        self.check_default_stream(queue, context)?;
        let Some(info) = self.graphs.capture_of(queue) else { return Ok(false) };
        if info.status != 1 {
            return Err(Status::STREAM_CAPTURE_INVALIDATED);
        }
        let (graph, last) = (info.graph, info.last.to_vec());
        let node = self.add_node(graph, work(), last)?;
        if let Some(stream) = self.graphs.streams.get_mut(&queue) {
            stream.last = vec![node];
        }
        Ok(true)
    }

    /// Rejects work on a context's default stream while a stream is captured that would have to wait for it.
    fn check_default_stream(&mut self, queue: QueueId, context: Handle) -> DriverResult {
        if queue.0 != context {
            return Ok(());
        }
        let kinds = &self.streams;
        let capturing = self.graphs.streams.keys();
        let implicit: Vec<QueueId> = capturing
            .copied()
            .filter(|queue| {
                kinds.get(queue.0).is_some_and(|stream| {
                    stream.context == context && !stream.flags.contains(StreamFlags::NON_BLOCKING)
                })
            })
            .collect();
        for &queue in &implicit {
            self.graphs.invalidate(queue);
        }
        if implicit.is_empty() { Ok(()) } else { Err(Status::STREAM_CAPTURE_IMPLICIT) }
    }

    /// Rejects a wait for a stream whose work is captured, and so never done.
    pub(super) fn check_not_captured(&mut self, stream: Handle) -> DriverResult {
        if self.graphs.is_idle() {
            return Ok(());
        }
        let context = self.context_of(stream)?;
        let queue = self.find_queue(stream, context)?;
        self.check_default_stream(queue, context)?;
        if self.graphs.capture_of(queue).is_none() {
            return Ok(());
        }
        self.graphs.invalidate(queue);
        Err(Status::STREAM_CAPTURE_UNSUPPORTED)
    }

    /// Rejects a wait for an event that stands for captured work.
    pub(super) fn check_event_not_captured(&self, event: Handle) -> DriverResult {
        if self.graphs.events.contains_key(&event) { Err(Status::CAPTURED_EVENT) } else { Ok(()) }
    }

    /// Records an event on a stream whose work is captured; false if the stream's is not.
    pub(super) fn capture_record(&mut self, event: Handle, stream: Handle) -> Result<bool, Status> {
        if self.graphs.is_idle() {
            return Ok(false);
        }
        let context = self.context_of(stream)?;
        let queue = self.find_queue(stream, context)?;
        let Some(info) = self.graphs.capture_of(queue) else {
            self.graphs.events.remove(&event);
            return Ok(false);
        };
        let stands_for = CapturedEvent { capture: info.id, nodes: info.last.to_vec() };
        self.events.get(&event).ok_or(Status::INVALID_HANDLE)?;
        self.graphs.events.insert(event, stands_for);
        Ok(true)
    }

    /// Lets a stream wait for an event that stands for captured work; false if both are as usual.
    pub(super) fn capture_wait(&mut self, event: Handle, stream: Handle) -> Result<bool, Status> {
        if self.graphs.is_idle() {
            return Ok(false);
        }
        let context = self.context_of(stream)?;
        let queue = self.find_queue(stream, context)?;
        let capturing = self.graphs.streams.get(&queue).map(|stream| stream.capture);
        match (self.graphs.events.get(&event).cloned(), capturing) {
            (None, None) => Ok(false),
            (None, Some(_)) => {
                self.graphs.invalidate(queue);
                Err(Status::STREAM_CAPTURE_ISOLATION)
            }
            (Some(event), Some(of_stream)) if event.capture != of_stream => {
                self.graphs.invalidate(queue);
                Err(Status::STREAM_CAPTURE_MERGE)
            }
            (Some(_), None) if queue.0 == context => Err(Status::STREAM_CAPTURE_IMPLICIT),
            (Some(CapturedEvent { capture, nodes }), _) => {
                let stream = self.graphs.streams.entry(queue);
                let stream = stream.or_insert(CapturingStream { capture, last: Vec::new() });
                add_all(&mut stream.last, &nodes);
                Ok(true)
            }
        }
    }
}

/// Adds what is not there yet.
fn add_all(to: &mut Vec<Handle>, nodes: &[Handle]) {
    for &node in nodes {
        if !to.contains(&node) {
            to.push(node);
        }
    }
}

/// Captures work that a stream is to do; false if the stream is to do it.
pub(super) fn captured(stream: Handle, work: impl FnOnce() -> Arc<dyn NodeWork>) -> Result<bool, Status> {
    with(|state| state.capture(stream, work))
}

/// Rejects work that is done before its call returns where a stream is captured that would have to wait for it.
pub(super) fn check_at_once() -> DriverResult {
    with(|state| state.capture(Handle::NULL, || Arc::new(Nothing)).map(drop))
}

/// A node that only orders others.
pub(super) struct Nothing;

impl NodeWork for Nothing {
    fn kind(&self) -> NodeKind {
        NodeKind::Empty
    }

    fn submit(&self, _stream: Handle) -> DriverResult {
        Ok(())
    }
}
