//! Graphs of work, and captures of streams' work.

use std::ffi::{c_int, c_void};

use crate::{
    calls::{functions, read, write},
    context,
    copy::{self, Line},
    driver,
    error::{Error, Outcome},
    layouts::{Copy3D, DriverKernelNode, Handle, HostNode, KernelNode, MemsetNode, Stream},
    registry::{function_address, kernel},
};

/// Bytes of what describes an edge of a graph (`cudaGraphEdgeData`): all zero for one between whole nodes.
const EDGE: usize = 8;

functions! {
    fn cudaStreamBeginCapture | cudaStreamBeginCapture_ptsz(stream: Stream, mode: c_int) {
        context::current()?;
        driver::cuStreamBeginCapture_v2(stream, mode)
    }

    fn cudaStreamEndCapture | cudaStreamEndCapture_ptsz(stream: Stream, graph: *mut Handle) {
        context::current()?;
        driver::cuStreamEndCapture(stream, graph)
    }

    fn cudaStreamUpdateCaptureDependencies_v2 | cudaStreamUpdateCaptureDependencies_v2_ptsz(
        stream: Stream,
        nodes: *mut Handle,
        _edges: *const c_void,
        count: usize,
        flags: u32,
    ) {
        context::current()?;
        driver::cuStreamUpdateCaptureDependencies(stream, nodes, count, flags)
    }

    fn cudaGraphCreate(graph: *mut Handle, flags: u32) {
        context::current()?;
        driver::cuGraphCreate(graph, flags)
    }

    fn cudaGraphDestroy(graph: Handle) {
        driver::cuGraphDestroy(graph)
    }

    fn cudaGraphClone(clone: *mut Handle, graph: Handle) {
        driver::cuGraphClone(clone, graph)
    }

    fn cudaGraphNodeFindInClone(found: *mut Handle, node: Handle, clone: Handle) {
        driver::cuGraphNodeFindInClone(found, node, clone)
    }

    fn cudaGraphAddKernelNode(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        parameters: *const KernelNode,
    ) {
        let parameters = for_driver(read(parameters)?)?;
        driver::cuGraphAddKernelNode_v2(node, graph, dependencies, count, &parameters)
    }

    fn cudaGraphKernelNodeGetParams(node: Handle, parameters: *mut KernelNode) {
        let mut known = DriverKernelNode::EMPTY;
        driver::cuGraphKernelNodeGetParams_v2(node, &mut known)?;
        let DriverKernelNode { function, grid, block, dynamic_shared, parameters: of, extra, .. } = known;
        write(
            parameters,
            KernelNode { function: function_address(function), grid, block, dynamic_shared, parameters: of, extra },
        )
    }

    fn cudaGraphKernelNodeSetParams(node: Handle, parameters: *const KernelNode) {
        driver::cuGraphKernelNodeSetParams_v2(node, &for_driver(read(parameters)?)?)
    }

    fn cudaGraphExecKernelNodeSetParams(executable: Handle, node: Handle, parameters: *const KernelNode) {
        driver::cuGraphExecKernelNodeSetParams_v2(executable, node, &for_driver(read(parameters)?)?)
    }

    fn cudaGraphAddMemcpyNode(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        parameters: *const Copy3D,
    ) {
        let copy = copy::for_driver(&read(parameters)?)?;
        driver::cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, context::current()?)
    }

    fn cudaGraphAddMemcpyNode1D(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        kind: c_int,
    ) {
        let copy = copy::for_driver(&Line { to: to as u64, from: from as u64, bytes, kind }.whole())?;
        driver::cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, context::current()?)
    }

    fn cudaGraphAddMemcpyNodeToSymbol(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        symbol: *const c_void,
        from: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) {
        let copy = copy::for_driver(&Line::to_variable(symbol, from, bytes, offset, kind)?.whole())?;
        driver::cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, context::current()?)
    }

    fn cudaGraphAddMemcpyNodeFromSymbol(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        to: *mut c_void,
        symbol: *const c_void,
        bytes: usize,
        offset: usize,
        kind: c_int,
    ) {
        let copy = copy::for_driver(&Line::from_variable(to, symbol, bytes, offset, kind)?.whole())?;
        driver::cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, context::current()?)
    }

    fn cudaGraphMemcpyNodeSetParams(node: Handle, parameters: *const Copy3D) {
        driver::cuGraphMemcpyNodeSetParams(node, &copy::for_driver(&read(parameters)?)?)
    }

    fn cudaGraphMemcpyNodeSetParams1D(
        node: Handle,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        kind: c_int,
    ) {
        let copy = copy::for_driver(&Line { to: to as u64, from: from as u64, bytes, kind }.whole())?;
        driver::cuGraphMemcpyNodeSetParams(node, &copy)
    }

    fn cudaGraphExecMemcpyNodeSetParams(executable: Handle, node: Handle, parameters: *const Copy3D) {
        let copy = copy::for_driver(&read(parameters)?)?;
        driver::cuGraphExecMemcpyNodeSetParams(executable, node, &copy, context::current()?)
    }

    fn cudaGraphExecMemcpyNodeSetParams1D(
        executable: Handle,
        node: Handle,
        to: *mut c_void,
        from: *const c_void,
        bytes: usize,
        kind: c_int,
    ) {
        let copy = copy::for_driver(&Line { to: to as u64, from: from as u64, bytes, kind }.whole())?;
        driver::cuGraphExecMemcpyNodeSetParams(executable, node, &copy, context::current()?)
    }

    fn cudaGraphAddMemsetNode(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        parameters: *const MemsetNode,
    ) {
        driver::cuGraphAddMemsetNode(node, graph, dependencies, count, parameters, context::current()?)
    }

    fn cudaGraphMemsetNodeGetParams(node: Handle, parameters: *mut MemsetNode) {
        driver::cuGraphMemsetNodeGetParams(node, parameters)
    }

    fn cudaGraphMemsetNodeSetParams(node: Handle, parameters: *const MemsetNode) {
        driver::cuGraphMemsetNodeSetParams(node, parameters)
    }

    fn cudaGraphExecMemsetNodeSetParams(executable: Handle, node: Handle, parameters: *const MemsetNode) {
        driver::cuGraphExecMemsetNodeSetParams(executable, node, parameters, context::current()?)
    }

    fn cudaGraphAddHostNode(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        parameters: *const HostNode,
    ) {
        driver::cuGraphAddHostNode(node, graph, dependencies, count, parameters)
    }

    fn cudaGraphHostNodeGetParams(node: Handle, parameters: *mut HostNode) {
        driver::cuGraphHostNodeGetParams(node, parameters)
    }

    fn cudaGraphHostNodeSetParams(node: Handle, parameters: *const HostNode) {
        driver::cuGraphHostNodeSetParams(node, parameters)
    }

    fn cudaGraphExecHostNodeSetParams(executable: Handle, node: Handle, parameters: *const HostNode) {
        driver::cuGraphExecHostNodeSetParams(executable, node, parameters)
    }

    fn cudaGraphAddEmptyNode(node: *mut Handle, graph: Handle, dependencies: *const Handle, count: usize) {
        driver::cuGraphAddEmptyNode(node, graph, dependencies, count)
    }

    fn cudaGraphAddChildGraphNode(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        child: Handle,
    ) {
        driver::cuGraphAddChildGraphNode(node, graph, dependencies, count, child)
    }

    fn cudaGraphChildGraphNodeGetGraph(node: Handle, graph: *mut Handle) {
        driver::cuGraphChildGraphNodeGetGraph(node, graph)
    }

    fn cudaGraphExecChildGraphNodeSetParams(executable: Handle, node: Handle, child: Handle) {
        driver::cuGraphExecChildGraphNodeSetParams(executable, node, child)
    }

    fn cudaGraphAddEventRecordNode(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        event: Handle,
    ) {
        driver::cuGraphAddEventRecordNode(node, graph, dependencies, count, event)
    }

    fn cudaGraphEventRecordNodeGetEvent(node: Handle, event: *mut Handle) {
        driver::cuGraphEventRecordNodeGetEvent(node, event)
    }

    fn cudaGraphEventRecordNodeSetEvent(node: Handle, event: Handle) {
        driver::cuGraphEventRecordNodeSetEvent(node, event)
    }

    fn cudaGraphExecEventRecordNodeSetEvent(executable: Handle, node: Handle, event: Handle) {
        driver::cuGraphExecEventRecordNodeSetEvent(executable, node, event)
    }

    fn cudaGraphAddEventWaitNode(
        node: *mut Handle,
        graph: Handle,
        dependencies: *const Handle,
        count: usize,
        event: Handle,
    ) {
        driver::cuGraphAddEventWaitNode(node, graph, dependencies, count, event)
    }

    fn cudaGraphEventWaitNodeGetEvent(node: Handle, event: *mut Handle) {
        driver::cuGraphEventWaitNodeGetEvent(node, event)
    }

    fn cudaGraphEventWaitNodeSetEvent(node: Handle, event: Handle) {
        driver::cuGraphEventWaitNodeSetEvent(node, event)
    }

    fn cudaGraphExecEventWaitNodeSetEvent(executable: Handle, node: Handle, event: Handle) {
        driver::cuGraphExecEventWaitNodeSetEvent(executable, node, event)
    }

    fn cudaGraphAddDependencies_v2(
        graph: Handle,
        from: *const Handle,
        to: *const Handle,
        _edges: *const c_void,
        count: usize,
    ) {
        driver::cuGraphAddDependencies(graph, from, to, count)
    }

    fn cudaGraphRemoveDependencies_v2(
        graph: Handle,
        from: *const Handle,
        to: *const Handle,
        _edges: *const c_void,
        count: usize,
    ) {
        driver::cuGraphRemoveDependencies(graph, from, to, count)
    }

    fn cudaGraphDestroyNode(node: Handle) {
        driver::cuGraphDestroyNode(node)
    }

    fn cudaGraphNodeGetType(node: Handle, kind: *mut c_int) {
        driver::cuGraphNodeGetType(node, kind)
    }

    fn cudaGraphGetNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) {
        driver::cuGraphGetNodes(graph, nodes, count)
    }

    fn cudaGraphGetRootNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) {
        driver::cuGraphGetRootNodes(graph, nodes, count)
    }

    fn cudaGraphGetEdges_v2(
        graph: Handle,
        from: *mut Handle,
        to: *mut Handle,
        edges: *mut u8,
        count: *mut usize,
    ) {
        driver::cuGraphGetEdges(graph, from, to, count)?;
        if from.is_null() { Ok(()) } else { clear_edges(edges, count) }
    }

    fn cudaGraphNodeGetDependencies_v2(node: Handle, nodes: *mut Handle, edges: *mut u8, count: *mut usize) {
        driver::cuGraphNodeGetDependencies(node, nodes, count)?;
        if nodes.is_null() { Ok(()) } else { clear_edges(edges, count) }
    }

    fn cudaGraphNodeGetDependentNodes_v2(node: Handle, nodes: *mut Handle, edges: *mut u8, count: *mut usize) {
        driver::cuGraphNodeGetDependentNodes(node, nodes, count)?;
        if nodes.is_null() { Ok(()) } else { clear_edges(edges, count) }
    }

    fn cudaGraphInstantiateWithFlags(executable: *mut Handle, graph: Handle, flags: u64) {
        context::current()?;
        driver::cuGraphInstantiateWithFlags(executable, graph, flags)
    }

    fn cudaGraphInstantiate(executable: *mut Handle, graph: Handle, flags: u64) {
        context::current()?;
        driver::cuGraphInstantiateWithFlags(executable, graph, flags)
    }

    fn cudaGraphInstantiateWithParams | cudaGraphInstantiateWithParams_ptsz(
        executable: *mut Handle,
        graph: Handle,
        parameters: *mut c_void,
    ) {
        context::current()?;
        driver::cuGraphInstantiateWithParams(executable, graph, parameters)
    }

    fn cudaGraphExecGetFlags(executable: Handle, flags: *mut u64) {
        driver::cuGraphExecGetFlags(executable, flags)
    }

    fn cudaGraphExecUpdate(executable: Handle, graph: Handle, result: *mut c_void) {
        driver::cuGraphExecUpdate_v2(executable, graph, result)
    }

    fn cudaGraphExecDestroy(executable: Handle) {
        driver::cuGraphExecDestroy(executable)
    }

    fn cudaGraphNodeSetEnabled(executable: Handle, node: Handle, enabled: u32) {
        driver::cuGraphNodeSetEnabled(executable, node, enabled)
    }

    fn cudaGraphNodeGetEnabled(executable: Handle, node: Handle, enabled: *mut u32) {
        driver::cuGraphNodeGetEnabled(executable, node, enabled)
    }

    fn cudaGraphUpload | cudaGraphUpload_ptsz(executable: Handle, stream: Stream) {
        context::current()?;
        driver::cuGraphUpload(executable, stream)
    }

    fn cudaGraphLaunch | cudaGraphLaunch_ptsz(executable: Handle, stream: Stream) {
        context::current()?;
        driver::cuGraphLaunch(executable, stream)
    }
}

/// Functions that have one more argument since version 13: data of the edges.
macro_rules! with_edges_since_13 {
    ($($name:ident $of_12:ident $of_13:ident($($argument:ident: $ty:ty),*);)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the CUDA runtime API.")]
            ///
            /// # Safety
            ///
            /// As CUDA's documentation of the function says.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $ty,)* edges: *mut u8, count: *mut usize) -> c_int {
                // SAFETY: by the promise of this function's caller. A program of version 12 has one argument less: the
                // one where newer programs pass the edges is its last.
                unsafe {
                    match crate::version::major() {
                        13.. => $of_13($($argument,)* edges.cast(), count.cast()),
                        _ => crate::calls::call(|| driver::$of_12($($argument,)* edges.cast())),
                    }
                }
            }
        )*
    };
}

with_edges_since_13! {
    cudaGraphGetEdges cuGraphGetEdges cudaGraphGetEdges_v2(graph: Handle, from: *mut Handle, to: *mut Handle);
    cudaGraphNodeGetDependencies cuGraphNodeGetDependencies
        cudaGraphNodeGetDependencies_v2(node: Handle, nodes: *mut Handle);
    cudaGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes
        cudaGraphNodeGetDependentNodes_v2(node: Handle, nodes: *mut Handle);
}

/// As above, for the functions whose number of edges is a value.
macro_rules! changes_with_edges_since_13 {
    ($($name:ident $of_12:ident $of_13:ident;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the CUDA runtime API.")]
            ///
            /// # Safety
            ///
            /// As CUDA's documentation of the function says.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(
                graph: Handle,
                from: *const Handle,
                to: *const Handle,
                edges: usize,
                count: usize,
            ) -> c_int {
                // SAFETY: as above.
                unsafe {
                    match crate::version::major() {
                        13.. => $of_13(graph, from, to, edges as *const c_void, count),
                        _ => crate::calls::call(|| driver::$of_12(graph, from, to, edges)),
                    }
                }
            }
        )*
    };
}

changes_with_edges_since_13! {
    cudaGraphAddDependencies cuGraphAddDependencies cudaGraphAddDependencies_v2;
    cudaGraphRemoveDependencies cuGraphRemoveDependencies cudaGraphRemoveDependencies_v2;
}

/// Says of as many edges as there are that they are between whole nodes.
///
/// # Safety
///
/// `edges` is null or has room for them; `count` is null or points to their number.
unsafe fn clear_edges(edges: *mut u8, count: *mut usize) -> Outcome {
    // SAFETY: by the caller's promise.
    unsafe {
        if !edges.is_null() {
            edges.write_bytes(0, EDGE * read(count)?);
        }
    }
    Ok(())
}

/// The driver's description of a kernel node.
fn for_driver(node: KernelNode) -> Result<DriverKernelNode, Error> {
    let KernelNode { function, grid, block, dynamic_shared, parameters, extra } = node;
    let function = kernel(function)?;
    Ok(DriverKernelNode { function, grid, block, dynamic_shared, parameters, extra, kernel: 0, context: 0 })
}
