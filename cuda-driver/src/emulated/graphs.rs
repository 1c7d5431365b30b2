//! Graphs of work, and the captures that make them.
//!
//! A launched graph is done on one stream, node by node in an order that its dependencies allow: so what two nodes
//! do that do not depend on each other never overlaps, though CUDA allows it.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use super::{
    abi::{DriverResult, Handle},
    scheduler::QueueId,
};
use crate::Status;

/// `CUgraphNodeType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum NodeKind {
    Kernel = 0,
    Copy = 1,
    Fill = 2,
    Host = 3,
    Graph = 4,
    Empty = 5,
    Wait = 6,
    Record = 7,
}

/// What a node does, any number of times.
pub(crate) trait NodeWork: Any + Send + Sync {
    /// Its kind.
    fn kind(&self) -> NodeKind;

    /// Puts the work on a stream.
    fn submit(&self, stream: Handle) -> DriverResult;
}

/// A node of a graph.
#[derive(Clone)]
pub(crate) struct Node {
    pub work: Arc<dyn NodeWork>,
    /// Nodes of the same graph that come before it.
    pub dependencies: Vec<Handle>,
}

/// A node and what it does.
pub(crate) type OrderedNode = (Handle, Arc<dyn NodeWork>);

/// The nodes of a graph, in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    pub nodes: BTreeMap<Handle, Node>,
}

/// A node of a graph that can be launched.
pub(crate) struct Step {
    /// The node that it was made of.
    pub node: Handle,
    pub work: Arc<dyn NodeWork>,
    pub is_enabled: bool,
}

/// A graph that can be launched: its nodes in the order in which they are done.
pub(crate) struct Executable {
    pub steps: Vec<Step>,
    pub flags: u64,
}

/// A capture of streams' work.
pub(super) struct Capture {
    pub graph: Handle,
    /// The queue on which it began and has to end.
    pub origin: QueueId,
    pub mode: i32,
    pub thread: u64,
    pub is_valid: bool,
}

/// The mode in which every thread may end a capture.
pub(super) const RELAXED: i32 = 2;

/// A stream whose work is captured.
pub(super) struct CapturingStream {
    pub capture: u64,
    /// What the stream's next node depends on.
    pub last: Vec<Handle>,
}

/// An event that stands for captured work.
#[derive(Clone)]
pub(super) struct CapturedEvent {
    pub capture: u64,
    /// What it waits for.
    pub nodes: Vec<Handle>,
}

/// All graphs, and all captures.
#[derive(Default)]
pub(crate) struct Graphs {
    pub known: HashMap<Handle, Graph>,
    /// The graph of each node.
    pub owners: HashMap<Handle, Handle>,
    pub executables: HashMap<Handle, Executable>,
    pub(super) captures: BTreeMap<u64, Capture>,
    pub(super) captures_begun: u64,
    pub(super) streams: HashMap<QueueId, CapturingStream>,
    /// Events that were recorded on a stream whose work is captured.
    pub(super) events: HashMap<Handle, CapturedEvent>,
}

/// What is known of the capture that a stream takes part in.
pub(crate) struct CaptureInfo<'a> {
    /// `CUstreamCaptureStatus`.
    pub status: i32,
    pub id: u64,
    pub graph: Handle,
    pub last: &'a [Handle],
}

impl Graph {
    /// The nodes in an order in which each comes behind those that it depends on, and otherwise in that of their
    /// addition. Circles are rejected.
    pub fn ordered(&self) -> Result<Vec<OrderedNode>, Status> {
        let mut missing: BTreeMap<Handle, usize> =
            self.nodes.iter().map(|(&handle, node)| (handle, node.dependencies.len())).collect();
        let mut dependents: HashMap<Handle, Vec<Handle>> = HashMap::new();
        for (&handle, node) in &self.nodes {
            for &dependency in &node.dependencies {
                dependents.entry(dependency).or_default().push(handle);
            }
        }
        let mut ready: BTreeSet<Handle> =
            missing.iter().filter(|(_, count)| **count == 0).map(|(&handle, _)| handle).collect();
        let mut order = Vec::new();
        while let Some(handle) = ready.pop_first() {
            order.push((handle, self.nodes[&handle].work.clone()));
            for dependent in dependents.get(&handle).into_iter().flatten() {
                if let Some(count) = missing.get_mut(dependent) {
                    *count -= 1;
                    if *count == 0 {
                        ready.insert(*dependent);
                    }
                }
            }
        }
        if order.len() == self.nodes.len() { Ok(order) } else { Err(Status::INVALID_VALUE) }
    }

    /// The nodes that some nodes depend on, directly or not, and these.
    pub fn before(&self, nodes: &[Handle]) -> BTreeSet<Handle> {
        let (mut found, mut open) = (BTreeSet::new(), nodes.to_vec());
        while let Some(node) = open.pop() {
            if found.insert(node) {
                open.extend(self.nodes.get(&node).into_iter().flat_map(|node| &node.dependencies));
            }
        }
        found
    }
}

impl Graphs {
    /// Whether no stream's work is captured.
    pub fn is_idle(&self) -> bool {
        self.captures.is_empty()
    }

    /// The capture that a queue takes part in.
    pub fn capture_of(&self, queue: QueueId) -> Option<CaptureInfo<'_>> {
        let stream = self.streams.get(&queue)?;
        let capture = self.captures.get(&stream.capture)?;
        let status = if capture.is_valid { 1 } else { 2 };
        Some(CaptureInfo { status, id: stream.capture, graph: capture.graph, last: &stream.last })
    }

    /// A node of a graph.
    pub fn node(&self, node: Handle) -> Result<&Node, Status> {
        let graph = self.owners.get(&node).and_then(|graph| self.known.get(graph));
        graph.and_then(|graph| graph.nodes.get(&node)).ok_or(Status::INVALID_VALUE)
    }

    /// As [`Graphs::node`], to be changed.
    pub fn node_mut(&mut self, node: Handle) -> Result<&mut Node, Status> {
        let graph = self.owners.get(&node).and_then(|graph| self.known.get_mut(graph));
        graph.and_then(|graph| graph.nodes.get_mut(&node)).ok_or(Status::INVALID_VALUE)
    }

    /// Ends the usefulness of the capture that a queue takes part in.
    pub fn invalidate(&mut self, queue: QueueId) {
        let id = self.streams.get(&queue).map(|stream| stream.capture);
        if let Some(capture) = id.and_then(|id| self.captures.get_mut(&id)) {
            capture.is_valid = false;
        }
    }
}
