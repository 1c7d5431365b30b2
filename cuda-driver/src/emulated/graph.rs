//! Entry points of graphs.

use std::{any::Any, collections::HashMap, ffi::c_void, sync::Arc};

use ptx_emulator::LaunchConfig;

use super::{
    abi::{DriverResult, Handle, In, Out, entry_points},
    capture::{Nothing, captured},
    copy::{Copy, Copy3D, Fill, FillArea},
    event,
    graphs::{Executable, Graph, Node, NodeKind, NodeWork, Step},
    launch::{Cooperation, KernelLaunch, Pointers},
    state::{State, with},
    stream::{self, HostFunction},
};
use crate::Status;

/// `CUDA_KERNEL_NODE_PARAMS`, as far as both of its versions have it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelParameters {
    function: Handle,
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u32,
    parameters: Pointers,
    extra: Pointers,
}

/// `CUDA_MEMSET_NODE_PARAMS`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct FillParameters {
    target: u64,
    pitch: usize,
    value: u32,
    element_bytes: u32,
    width: usize,
    height: usize,
}

/// `CUDA_HOST_NODE_PARAMS`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct HostParameters {
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    data: *mut c_void,
}

/// `CUDA_GRAPH_INSTANTIATE_PARAMS`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct InstantiateParameters {
    flags: u64,
    stream: Handle,
    error_node: Handle,
    /// `CUgraphInstantiateResult`: 0 for success.
    result: i32,
}

/// `CUgraphExecUpdateResultInfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct UpdateResult {
    result: i32,
    error_node: Handle,
    error_from: Handle,
}

/// `CUgraphExecUpdateResult`: an error, and another set or order of nodes.
const UPDATE_ERROR: i32 = 1;
const UPDATE_TOPOLOGY: i32 = 2;

/// Flags of `cuGraphInstantiate`: memory of the graph, and a launch by the device, of which this driver has none.
const ON_DEVICE: u64 = 4;
const FREES_AT_LAUNCH: u64 = 1;

/// All flags: also memory that is freed at a launch, an upload, and the priorities of nodes.
const ALL_FLAGS: u64 = 0xf;

/// A launch of a kernel, with pointers to its parameters as callers ask for them.
struct KernelNode {
    launch: KernelLaunch,
    pointers: Vec<*const c_void>,
}

// SAFETY: the pointers are to bytes of the node itself, which nobody changes.
unsafe impl Send for KernelNode {}
// SAFETY: as above.
unsafe impl Sync for KernelNode {}

impl NodeWork for KernelNode {
    fn kind(&self) -> NodeKind {
        NodeKind::Kernel
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        self.launch.submit(stream)
    }
}

/// A copy, with the structure that describes it.
struct CopyNode {
    copy: Copy,
    parameters: Copy3D,
}

impl NodeWork for CopyNode {
    fn kind(&self) -> NodeKind {
        NodeKind::Copy
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        self.copy.submit(stream)
    }
}

/// A graph inside of another one.
struct ChildGraph {
    graph: Handle,
    steps: Vec<Arc<dyn NodeWork>>,
}

impl NodeWork for ChildGraph {
    fn kind(&self) -> NodeKind {
        NodeKind::Graph
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        self.steps.iter().try_for_each(|step| step.submit(stream))
    }
}

/// Records an event.
struct RecordEvent(Handle);

impl NodeWork for RecordEvent {
    fn kind(&self) -> NodeKind {
        NodeKind::Record
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        event::record_now(self.0, stream)
    }
}

/// Waits for an event.
struct WaitEvent(Handle);

impl NodeWork for WaitEvent {
    fn kind(&self) -> NodeKind {
        NodeKind::Wait
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        stream::wait_for_event(stream, self.0)
    }
}

impl KernelParameters {
    fn work(&self) -> Result<Arc<dyn NodeWork>, Status> {
        let KernelParameters { function, grid, block, dynamic_shared, parameters, extra } = *self;
        let config = LaunchConfig { grid, block, dynamic_shared };
        Ok(Arc::new(KernelLaunch::new(function, config, parameters, extra, Cooperation::None)?))
    }
}

impl FillParameters {
    fn work(&self) -> Result<Arc<dyn NodeWork>, Status> {
        let FillParameters { target, pitch, value, element_bytes, width, height } = *self;
        let size = match element_bytes {
            1 | 2 | 4 => element_bytes as usize,
            _ => return Err(Status::INVALID_VALUE),
        };
        let pattern = value.to_ne_bytes()[..size].to_vec();
        Ok(Arc::new(Fill { address: target, pattern, area: FillArea { pitch, width, height } }))
    }

    fn of(fill: &Fill) -> FillParameters {
        let Fill { address, ref pattern, area: FillArea { pitch, width, height } } = *fill;
        let mut value = [0; 4];
        value[..pattern.len()].copy_from_slice(pattern);
        let value = u32::from_ne_bytes(value);
        FillParameters { target: address, pitch, value, element_bytes: pattern.len() as u32, width, height }
    }
}

impl HostParameters {
    fn work(&self) -> Result<Arc<dyn NodeWork>, Status> {
        let function = self.function.ok_or(Status::INVALID_VALUE)?;
        Ok(Arc::new(HostFunction { function, data: self.data }))
    }
}

fn copy_work(parameters: In<Copy3D>) -> Result<Arc<dyn NodeWork>, Status> {
    let parameters = parameters.get()?;
    Ok(Arc::new(CopyNode { copy: parameters.copy()?, parameters }))
}

entry_points! {
    fn cuGraphCreate(graph: Out<Handle>, flags: u32) {
        graph.check()?;
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        with(|state| {
            let handle = state.new_handle();
            state.graphs.known.insert(handle, Graph::default());
            graph.set(handle)
        })
    }

    fn cuGraphDestroy(graph: Handle) {
        with(|state| state.remove_graph(graph))
    }

    fn cuGraphClone(clone: Out<Handle>, graph: Handle) {
        clone.check()?;
        with(|state| clone.set(clone_graph(state, graph)?))
    }

    fn cuGraphNodeFindInClone(found: Out<Handle>, node: Handle, clone: Handle) {
        with(|state| {
            // Nodes of a clone have the order of the original's.
            let of = state.graphs.owners.get(&node).and_then(|graph| state.graphs.known.get(graph));
            let at = of.and_then(|graph| graph.nodes.keys().position(|&known| known == node));
            let clone = state.graphs.known.get(&clone).ok_or(Status::INVALID_VALUE)?;
            let at = at.and_then(|at| clone.nodes.keys().nth(at));
            found.set(*at.ok_or(Status::INVALID_VALUE)?)
        })
    }

    fn cuGraphAddKernelNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<KernelParameters>,
    ) {
        add(node, graph, dependencies, count, parameters.get()?.work()?)
    }

    fn cuGraphAddKernelNode_v2(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<KernelParameters>,
    ) {
        add(node, graph, dependencies, count, parameters.get()?.work()?)
    }

    fn cuGraphAddMemcpyNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<Copy3D>,
        _context: Handle,
    ) {
        add(node, graph, dependencies, count, copy_work(parameters)?)
    }

    fn cuGraphAddMemsetNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<FillParameters>,
        _context: Handle,
    ) {
        add(node, graph, dependencies, count, parameters.get()?.work()?)
    }

    fn cuGraphAddHostNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        parameters: In<HostParameters>,
    ) {
        add(node, graph, dependencies, count, parameters.get()?.work()?)
    }

    fn cuGraphAddEmptyNode(node: Out<Handle>, graph: Handle, dependencies: In<Handle>, count: usize) {
        add(node, graph, dependencies, count, Arc::new(Nothing))
    }

    fn cuGraphAddEventRecordNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        event: Handle,
    ) {
        check_event(event)?;
        add(node, graph, dependencies, count, Arc::new(RecordEvent(event)))
    }

    fn cuGraphAddEventWaitNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        event: Handle,
    ) {
        check_event(event)?;
        add(node, graph, dependencies, count, Arc::new(WaitEvent(event)))
    }

    fn cuGraphAddChildGraphNode(
        node: Out<Handle>,
        graph: Handle,
        dependencies: In<Handle>,
        count: usize,
        child: Handle,
    ) {
        let work = child_graph(child)?;
        add(node, graph, dependencies, count, work)
    }

    fn cuGraphChildGraphNodeGetGraph(node: Handle, graph: Out<Handle>) {
        with_work(node, |child: &ChildGraph| graph.set(child.graph))
    }

    fn cuGraphAddDependencies(graph: Handle, from: In<Handle>, to: In<Handle>, count: usize) {
        change_dependencies(graph, from, to, count, true)
    }

    fn cuGraphAddDependencies_v2(
        graph: Handle,
        from: In<Handle>,
        to: In<Handle>,
        _edges: usize,
        count: usize,
    ) {
        change_dependencies(graph, from, to, count, true)
    }

    fn cuGraphRemoveDependencies(graph: Handle, from: In<Handle>, to: In<Handle>, count: usize) {
        change_dependencies(graph, from, to, count, false)
    }

    fn cuGraphRemoveDependencies_v2(
        graph: Handle,
        from: In<Handle>,
        to: In<Handle>,
        _edges: usize,
        count: usize,
    ) {
        change_dependencies(graph, from, to, count, false)
    }

    fn cuGraphDestroyNode(node: Handle) {
        with(|state| {
            let graph = state.graphs.owners.remove(&node).ok_or(Status::INVALID_VALUE)?;
            let graph = state.graphs.known.get_mut(&graph).ok_or(Status::INVALID_VALUE)?;
            graph.nodes.remove(&node);
            graph.nodes.values_mut().for_each(|other| other.dependencies.retain(|&known| known != node));
            Ok(())
        })
    }

    fn cuGraphNodeGetType(node: Handle, kind: Out<i32>) {
        with(|state| kind.set(state.graphs.node(node)?.work.kind() as i32))
    }

    fn cuGraphGetNodes(graph: Handle, nodes: Out<Handle>, count: Out<usize>) {
        with(|state| list(&known(state, graph)?.nodes.keys().copied().collect::<Vec<_>>(), nodes, count))
    }

    fn cuGraphGetRootNodes(graph: Handle, nodes: Out<Handle>, count: Out<usize>) {
        with(|state| {
            let all = known(state, graph)?.nodes.iter();
            let roots = all.filter(|(_, node)| node.dependencies.is_empty());
            list(&roots.map(|(&handle, _)| handle).collect::<Vec<_>>(), nodes, count)
        })
    }

    fn cuGraphGetEdges(graph: Handle, from: Out<Handle>, to: Out<Handle>, count: Out<usize>) {
        with(|state| edges(known(state, graph)?, from, to, count))
    }

    fn cuGraphGetEdges_v2(
        graph: Handle,
        from: Out<Handle>,
        to: Out<Handle>,
        _edges: Out<u64>,
        count: Out<usize>,
    ) {
        with(|state| edges(known(state, graph)?, from, to, count))
    }

    fn cuGraphNodeGetDependencies(node: Handle, dependencies: Out<Handle>, count: Out<usize>) {
        with(|state| list(&state.graphs.node(node)?.dependencies, dependencies, count))
    }

    fn cuGraphNodeGetDependencies_v2(
        node: Handle,
        dependencies: Out<Handle>,
        _edges: Out<u64>,
        count: Out<usize>,
    ) {
        with(|state| list(&state.graphs.node(node)?.dependencies, dependencies, count))
    }

    fn cuGraphNodeGetDependentNodes(node: Handle, dependents: Out<Handle>, count: Out<usize>) {
        with(|state| list(&dependents_of(state, node)?, dependents, count))
    }

    fn cuGraphNodeGetDependentNodes_v2(
        node: Handle,
        dependents: Out<Handle>,
        _edges: Out<u64>,
        count: Out<usize>,
    ) {
        with(|state| list(&dependents_of(state, node)?, dependents, count))
    }

    fn cuGraphKernelNodeGetParams(node: Handle, parameters: Out<KernelParameters>) {
        parameters.set(kernel_parameters(node)?)
    }

    fn cuGraphKernelNodeGetParams_v2(node: Handle, parameters: Out<KernelParameters>) {
        parameters.set(kernel_parameters(node)?)
    }

    fn cuGraphKernelNodeSetParams(node: Handle, parameters: In<KernelParameters>) {
        replace(node, parameters.get()?.work()?)
    }

    fn cuGraphKernelNodeSetParams_v2(node: Handle, parameters: In<KernelParameters>) {
        replace(node, parameters.get()?.work()?)
    }

    fn cuGraphMemcpyNodeGetParams(node: Handle, parameters: Out<Copy3D>) {
        with_work(node, |node: &CopyNode| parameters.set(node.parameters))
    }

    fn cuGraphMemcpyNodeSetParams(node: Handle, parameters: In<Copy3D>) {
        replace(node, copy_work(parameters)?)
    }

    fn cuGraphMemsetNodeGetParams(node: Handle, parameters: Out<FillParameters>) {
        with_work(node, |fill: &Fill| parameters.set(FillParameters::of(fill)))
    }

    fn cuGraphMemsetNodeSetParams(node: Handle, parameters: In<FillParameters>) {
        replace(node, parameters.get()?.work()?)
    }

    fn cuGraphHostNodeGetParams(node: Handle, parameters: Out<HostParameters>) {
        with_work(node, |host: &HostFunction| {
            parameters.set(HostParameters { function: Some(host.function), data: host.data })
        })
    }

    fn cuGraphHostNodeSetParams(node: Handle, parameters: In<HostParameters>) {
        replace(node, parameters.get()?.work()?)
    }

    fn cuGraphEventRecordNodeGetEvent(node: Handle, event: Out<Handle>) {
        with_work(node, |record: &RecordEvent| event.set(record.0))
    }

    fn cuGraphEventRecordNodeSetEvent(node: Handle, event: Handle) {
        check_event(event)?;
        replace(node, Arc::new(RecordEvent(event)))
    }

    fn cuGraphEventWaitNodeGetEvent(node: Handle, event: Out<Handle>) {
        with_work(node, |wait: &WaitEvent| event.set(wait.0))
    }

    fn cuGraphEventWaitNodeSetEvent(node: Handle, event: Handle) {
        check_event(event)?;
        replace(node, Arc::new(WaitEvent(event)))
    }

    fn cuGraphInstantiateWithFlags(executable: Out<Handle>, graph: Handle, flags: u64) {
        instantiate(executable, graph, flags)
    }

    fn cuGraphInstantiate_v2(
        executable: Out<Handle>,
        graph: Handle,
        _error_node: Out<Handle>,
        _log: usize,
        _log_bytes: usize,
    ) {
        instantiate(executable, graph, 0)
    }

    fn cuGraphInstantiateWithParams(
        executable: Out<Handle>,
        graph: Handle,
        parameters: Out<InstantiateParameters>,
    ) {
        let wanted = parameters.get()?;
        let outcome = instantiate(executable, graph, wanted.flags);
        let result = i32::from(outcome.is_err());
        parameters.set(InstantiateParameters { error_node: Handle::NULL, result, ..wanted })?;
        outcome
    }

    fn cuGraphExecGetFlags(executable: Handle, flags: Out<u64>) {
        with(|state| {
            flags.set(state.graphs.executables.get(&executable).ok_or(Status::INVALID_VALUE)?.flags)
        })
    }

    fn cuGraphExecDestroy(executable: Handle) {
        with(|state| state.graphs.executables.remove(&executable).map(drop).ok_or(Status::INVALID_VALUE))
    }

    fn cuGraphUpload(executable: Handle, stream: Handle) {
        with(|state| {
            state.graphs.executables.get(&executable).ok_or(Status::INVALID_VALUE)?;
            state.context_of(stream).map(drop)
        })
    }

    fn cuGraphLaunch(executable: Handle, stream: Handle) {
        let steps: Vec<Arc<dyn NodeWork>> = with(|state| {
            let known = state.graphs.executables.get(&executable).ok_or(Status::INVALID_VALUE)?;
            Ok(known.steps.iter().filter(|step| step.is_enabled).map(|step| step.work.clone()).collect())
        })?;
        for work in steps {
            if !captured(stream, || work.clone())? {
                work.submit(stream)?;
            }
        }
        Ok(())
    }

    fn cuGraphNodeSetEnabled(executable: Handle, node: Handle, enabled: u32) {
        with_step(executable, node, |step| {
            step.is_enabled = enabled != 0;
            Ok(())
        })
    }

    fn cuGraphNodeGetEnabled(executable: Handle, node: Handle, enabled: Out<u32>) {
        with_step(executable, node, |step| enabled.set(u32::from(step.is_enabled)))
    }

    fn cuGraphExecKernelNodeSetParams(executable: Handle, node: Handle, parameters: In<KernelParameters>) {
        replace_step(executable, node, parameters.get()?.work()?)
    }

    fn cuGraphExecKernelNodeSetParams_v2(executable: Handle, node: Handle, parameters: In<KernelParameters>) {
        replace_step(executable, node, parameters.get()?.work()?)
    }

    fn cuGraphExecMemcpyNodeSetParams(
        executable: Handle,
        node: Handle,
        parameters: In<Copy3D>,
        _context: Handle,
    ) {
        replace_step(executable, node, copy_work(parameters)?)
    }

    fn cuGraphExecMemsetNodeSetParams(
        executable: Handle,
        node: Handle,
        parameters: In<FillParameters>,
        _context: Handle,
    ) {
        replace_step(executable, node, parameters.get()?.work()?)
    }

    fn cuGraphExecHostNodeSetParams(executable: Handle, node: Handle, parameters: In<HostParameters>) {
        replace_step(executable, node, parameters.get()?.work()?)
    }

    fn cuGraphExecEventRecordNodeSetEvent(executable: Handle, node: Handle, event: Handle) {
        check_event(event)?;
        replace_step(executable, node, Arc::new(RecordEvent(event)))
    }

    fn cuGraphExecEventWaitNodeSetEvent(executable: Handle, node: Handle, event: Handle) {
        check_event(event)?;
        replace_step(executable, node, Arc::new(WaitEvent(event)))
    }

    fn cuGraphExecChildGraphNodeSetParams(executable: Handle, node: Handle, child: Handle) {
        let work = child_graph(child)?;
        replace_step(executable, node, work)
    }

    fn cuGraphExecUpdate(executable: Handle, graph: Handle, error_node: Out<Handle>, result: Out<i32>) {
        let outcome = update(executable, graph);
        error_node.set_if_wanted(Handle::NULL);
        result.set_if_wanted(update_result(outcome));
        outcome
    }

    fn cuGraphExecUpdate_v2(executable: Handle, graph: Handle, result: Out<UpdateResult>) {
        let outcome = update(executable, graph);
        let result_of = update_result(outcome);
        result.set_if_wanted(UpdateResult {
            result: result_of,
            error_node: Handle::NULL,
            error_from: Handle::NULL,
        });
        outcome
    }
}

/// Rejects handles that are no events.
fn check_event(event: Handle) -> DriverResult {
    with(|state| state.events.get(&event).map(drop).ok_or(Status::INVALID_HANDLE))
}

fn known(state: &State, graph: Handle) -> Result<&Graph, Status> {
    state.graphs.known.get(&graph).ok_or(Status::INVALID_VALUE)
}

/// Adds a node to a graph.
fn add(
    node: Out<Handle>,
    graph: Handle,
    dependencies: In<Handle>,
    count: usize,
    work: Arc<dyn NodeWork>,
) -> DriverResult {
    node.check()?;
    let dependencies = dependencies.list(count)?;
    with(|state| node.set(state.add_node(graph, work, dependencies)?))
}

/// A node for a copy of a graph, as that is now.
fn child_graph(child: Handle) -> Result<Arc<dyn NodeWork>, Status> {
    with(|state| {
        let graph = clone_graph(state, child)?;
        let steps = known(state, graph)?.ordered()?.into_iter().map(|(_, work)| work).collect();
        Ok(Arc::new(ChildGraph { graph, steps }) as Arc<dyn NodeWork>)
    })
}

fn clone_graph(state: &mut State, graph: Handle) -> Result<Handle, Status> {
    let nodes = known(state, graph)?.nodes.clone();
    let clone = state.new_handle();
    let handles: HashMap<Handle, Handle> = nodes.keys().map(|&node| (node, state.new_handle())).collect();
    let mut copies = Graph::default();
    for (handle, node) in nodes {
        let dependencies = node.dependencies.iter().map(|known| handles[known]).collect();
        copies.nodes.insert(handles[&handle], Node { work: node.work, dependencies });
        state.graphs.owners.insert(handles[&handle], clone);
    }
    state.graphs.known.insert(clone, copies);
    Ok(clone)
}

fn change_dependencies(
    graph: Handle,
    from: In<Handle>,
    to: In<Handle>,
    count: usize,
    adds: bool,
) -> DriverResult {
    let pairs: Vec<(Handle, Handle)> = from.list(count)?.into_iter().zip(to.list(count)?).collect();
    with(|state| {
        let graph = state.graphs.known.get_mut(&graph).ok_or(Status::INVALID_VALUE)?;
        let mut nodes = graph.nodes.clone();
        for (from, to) in pairs {
            if !nodes.contains_key(&from) || from == to {
                return Err(Status::INVALID_VALUE);
            }
            let dependencies = &mut nodes.get_mut(&to).ok_or(Status::INVALID_VALUE)?.dependencies;
            let at = dependencies.iter().position(|&known| known == from);
            match (at, adds) {
                (None, true) => dependencies.push(from),
                (Some(at), false) => drop(dependencies.swap_remove(at)),
                // It is there already, or was never there.
                _ => return Err(Status::INVALID_VALUE),
            }
        }
        graph.nodes = nodes;
        Ok(())
    })
}

/// Writes a list: as many as there is room for and null behind them, or how many there are.
fn list(handles: &[Handle], to: Out<Handle>, count: Out<usize>) -> DriverResult {
    if to.check().is_err() {
        return count.set(handles.len());
    }
    let room = count.get()?;
    for at in 0..room {
        to.at_index(at).set(handles.get(at).copied().unwrap_or(Handle::NULL))?;
    }
    count.set(room.min(handles.len()))
}

fn edges(graph: &Graph, from: Out<Handle>, to: Out<Handle>, count: Out<usize>) -> DriverResult {
    let all =
        graph.nodes.iter().flat_map(|(&to, node)| node.dependencies.iter().map(move |&from| (from, to)));
    let (sources, targets): (Vec<Handle>, Vec<Handle>) = all.unzip();
    if from.check().is_ok() != to.check().is_ok() {
        return Err(Status::INVALID_VALUE);
    }
    let room = count.get()?;
    list(&sources, from, count)?;
    if to.check().is_err() {
        return Ok(());
    }
    count.set(room)?;
    list(&targets, to, count)
}

fn dependents_of(state: &State, node: Handle) -> Result<Vec<Handle>, Status> {
    state.graphs.node(node)?;
    let graph = known(state, state.graphs.owners[&node])?;
    let dependents = graph.nodes.iter().filter(|(_, other)| other.dependencies.contains(&node));
    Ok(dependents.map(|(&handle, _)| handle).collect())
}

/// Uses the work of a node that has to be of a kind.
fn with_work<T: Any>(node: Handle, use_it: impl FnOnce(&T) -> DriverResult) -> DriverResult {
    with(|state| {
        let work: &dyn Any = &*state.graphs.node(node)?.work;
        use_it(work.downcast_ref().ok_or(Status::INVALID_VALUE)?)
    })
}

/// What a kernel node launches. Its parameters are valid until the node's are set again.
fn kernel_parameters(node: Handle) -> Result<KernelParameters, Status> {
    with(|state| {
        let work: &dyn Any = &*state.graphs.node(node)?.work;
        let captured = work.downcast_ref::<KernelLaunch>();
        let launch = captured.or_else(|| work.downcast_ref::<KernelNode>().map(|node| &node.launch));
        let launch = launch.ok_or(Status::INVALID_VALUE)?.clone();
        let (function, module) = state.find_function(launch.function)?;
        let kernel = module.loaded.program().kernel(&function.kernel).ok_or(Status::INVALID_HANDLE)?;
        let offsets: Vec<usize> = kernel.params.iter().map(|parameter| parameter.offset as usize).collect();
        let mut described = KernelNode { launch, pointers: Vec::new() };
        described.pointers =
            offsets.iter().map(|&at| (&raw const described.launch.block[at]).cast()).collect();
        let described = Arc::new(described);
        let KernelLaunch { function, config: LaunchConfig { grid, block, dynamic_shared }, .. } =
            described.launch;
        let parameters = Pointers::to(&described.pointers);
        let extra = Pointers::to(&[]);
        // The node keeps what the pointers are to.
        state.graphs.node_mut(node)?.work = described;
        Ok(KernelParameters { function, grid, block, dynamic_shared, parameters, extra })
    })
}

/// Replaces the work of a node by other work of its kind.
fn replace(node: Handle, work: Arc<dyn NodeWork>) -> DriverResult {
    with(|state| {
        let node = state.graphs.node_mut(node)?;
        if node.work.kind() != work.kind() {
            return Err(Status::INVALID_VALUE);
        }
        node.work = work;
        Ok(())
    })
}

fn instantiate(executable: Out<Handle>, graph: Handle, flags: u64) -> DriverResult {
    executable.check()?;
    // The device cannot free memory at a launch.
    if flags & !ALL_FLAGS != 0 || flags & ON_DEVICE != 0 && flags & FREES_AT_LAUNCH != 0 {
        return Err(Status::INVALID_VALUE);
    }
    if flags & ON_DEVICE != 0 {
        return Err(Status::NOT_SUPPORTED);
    }
    with(|state| {
        let order = known(state, graph)?.ordered()?;
        let steps = order.into_iter().map(|(node, work)| Step { node, work, is_enabled: true }).collect();
        let handle = state.new_handle();
        state.graphs.executables.insert(handle, Executable { steps, flags });
        executable.set(handle)
    })
}

/// Uses the step of an executable graph that was made of a node.
fn with_step(
    executable: Handle,
    node: Handle,
    use_it: impl FnOnce(&mut Step) -> DriverResult,
) -> DriverResult {
    with(|state| {
        let known = state.graphs.executables.get_mut(&executable).ok_or(Status::INVALID_VALUE)?;
        use_it(known.steps.iter_mut().find(|step| step.node == node).ok_or(Status::INVALID_VALUE)?)
    })
}

fn replace_step(executable: Handle, node: Handle, work: Arc<dyn NodeWork>) -> DriverResult {
    with_step(executable, node, |step| {
        if step.work.kind() != work.kind() {
            return Err(Status::INVALID_VALUE);
        }
        step.work = work;
        Ok(())
    })
}

/// Gives the nodes of an executable graph the work of another graph of the same form.
fn update(executable: Handle, graph: Handle) -> DriverResult {
    with(|state| {
        let order = known(state, graph)?.ordered()?;
        let known = state.graphs.executables.get_mut(&executable).ok_or(Status::INVALID_VALUE)?;
        let kinds = |step: &Step, work: &Arc<dyn NodeWork>| step.work.kind() == work.kind();
        if order.len() != known.steps.len()
            || !known.steps.iter().zip(&order).all(|(step, (_, work))| kinds(step, work))
        {
            return Err(Status::GRAPH_EXEC_UPDATE_FAILURE);
        }
        for (step, (_, work)) in known.steps.iter_mut().zip(order) {
            step.work = work;
        }
        Ok(())
    })
}

fn update_result(outcome: DriverResult) -> i32 {
    match outcome {
        Ok(()) => 0,
        Err(Status::GRAPH_EXEC_UPDATE_FAILURE) => UPDATE_TOPOLOGY,
        Err(_) => UPDATE_ERROR,
    }
}
