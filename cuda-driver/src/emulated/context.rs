//! Contexts: each device's primary context and created ones, and the stack of each thread.

use super::{
    abi::{DriverResult, Handle, Out, entry_points},
    background,
    current::{current, pop_current, push_current, set_current},
    flags::known,
    objects::{Context, Ordinal, Primary},
    state::{HEAP_BYTES, State, with, with_context},
    stream::PRIORITIES,
    wait::{recorded_call, synchronise, wait_for_context},
};
use crate::{
    Status, log,
    settings::values::{DEVICE_MEMORY, PRINT_BUFFER, set_by},
};

/// The API version of contexts.
const API_VERSION: u32 = 3020;

/// Default limits by `CUlimit`: stack of a thread, buffer of printf, heap of malloc, depth and count of
/// device-side launches, granularity of fetches from L2, persisting part of L2.
const LIMITS: [usize; 7] = [1024, 1 << 20, HEAP_BYTES as usize, 2, 2048, 64, 0];

const PRINTF_FIFO_SIZE: u32 = 1;
const MALLOC_HEAP_SIZE: u32 = 2;

entry_points! {
    fn cuDevicePrimaryCtxRetain(context: Out<Handle>, device: i32) {
        recorded_call(|_| "cuDevicePrimaryCtxRetain".to_owned(), |state| {
            let device = state.devices.find(device)?;
            context.check()?;
            let Primary { context: known, flags, .. } = state.devices.get(device).primary;
            let handle = known.unwrap_or_else(|| state.new_context(device, flags, true));
            let primary = &mut state.devices.get_mut(device).primary;
            primary.context = Some(handle);
            primary.retained += 1;
            context.set(handle)
        })
    }

    fn cuDevicePrimaryCtxRelease_v2(device: i32) {
        let last = with(|state| {
            let primary = &state.devices.get(state.devices.find(device)?).primary;
            Ok(primary.context.filter(|_| primary.retained == 1))
        })?;
        if let Some(context) = last {
            wait_for_context(context);
        }
        let ended = recorded_call(|_| "cuDevicePrimaryCtxRelease".to_owned(), |state| {
            let device = state.devices.find(device)?;
            let primary = &mut state.devices.get_mut(device).primary;
            primary.retained = primary.retained.checked_sub(1).ok_or(Status::INVALID_CONTEXT)?;
            Ok(if primary.retained == 0 { end_primary(state, device) } else { None })
        })?;
        wait_for_end(ended);
        Ok(())
    }

    fn cuDevicePrimaryCtxReset_v2(device: i32) {
        let present = with(|state| Ok(state.devices.get(state.devices.find(device)?).primary.context))?;
        if let Some(context) = present {
            wait_for_context(context);
        }
        let ended = recorded_call(|_| "cuDevicePrimaryCtxReset".to_owned(), |state| {
            let device = state.devices.find(device)?;
            Ok(end_primary(state, device))
        })?;
        wait_for_end(ended);
        Ok(())
    }

    fn cuDevicePrimaryCtxSetFlags_v2(device: i32, flags: u32) {
        with(|state| {
            let device = state.devices.find(device)?;
            let flags = known(flags)?;
            let primary = &mut state.devices.get_mut(device).primary;
            primary.flags = flags;
            if let Some(context) = primary.context.and_then(|handle| state.contexts.get_mut(&handle)) {
                context.flags = flags;
            }
            Ok(())
        })
    }

    fn cuDevicePrimaryCtxGetState(device: i32, flags: Out<u32>, active: Out<i32>) {
        with(|state| {
            let primary = &state.devices.get(state.devices.find(device)?).primary;
            flags.set(primary.flags.bits())?;
            active.set(i32::from(primary.context.is_some()))
        })
    }

    fn cuCtxCreate_v2(context: Out<Handle>, flags: u32, device: i32) {
        create(context, flags, device)
    }

    fn cuCtxCreate_v3(context: Out<Handle>, _affinities: usize, count: i32, flags: u32, device: i32) {
        // Affinities: parts of the device's multiprocessors.
        if count != 0 { Err(Status::NOT_SUPPORTED) } else { create(context, flags, device) }
    }

    fn cuCtxCreate_v4(context: Out<Handle>, parameters: usize, flags: u32, device: i32) {
        if parameters != 0 { Err(Status::NOT_SUPPORTED) } else { create(context, flags, device) }
    }

    fn cuCtxDestroy_v2(context: Handle) {
        wait_for_context(context);
        recorded_call(|_| "cuCtxDestroy".to_owned(), |state| {
            if context == Handle::NULL {
                return Err(Status::INVALID_VALUE);
            }
            match state.contexts.get(&context) {
                None => Err(Status::INVALID_CONTEXT),
                // The last release destroys the primary context.
                Some(known) if known.primary => Err(Status::INVALID_CONTEXT),
                Some(_) => {
                    destroy(state, context);
                    if current() == context {
                        pop_current()?;
                    }
                    Ok(())
                }
            }
        })?;
        wait_for_context(context);
        Ok(())
    }

    fn cuCtxPushCurrent_v2(context: Handle) {
        with(|state| {
            check_alive(state, context)?;
            push_current(context)
        })
    }

    fn cuCtxPopCurrent_v2(context: Out<Handle>) {
        with(|_| {
            context.set_if_wanted(pop_current()?);
            Ok(())
        })
    }

    fn cuCtxSetCurrent(context: Handle) {
        with(|state| {
            if context != Handle::NULL {
                check_alive(state, context)?;
            }
            set_current(context);
            Ok(())
        })
    }

    fn cuCtxGetCurrent(context: Out<Handle>) {
        with(|_| context.set(current()))
    }

    fn cuCtxGetDevice(device: Out<i32>) {
        with(|state| {
            check_alive(state, current())?;
            device.set(state.device_of(current()).number())
        })
    }

    fn cuCtxGetFlags(flags: Out<u32>) {
        with_current(|context| flags.set(context.flags.bits()))
    }

    fn cuCtxGetApiVersion(context: Handle, version: Out<u32>) {
        with(|state| {
            check_alive(state, if context == Handle::NULL { current() } else { context })?;
            version.set(API_VERSION)
        })
    }

    fn cuCtxSynchronize() {
        let context = with_context(|_, context| Ok(context))?;
        synchronise(context);
        with(|state| state.fault_of(context))
    }

    fn cuCtxGetLimit(value: Out<usize>, limit: u32) {
        let default = *LIMITS.get(limit as usize).ok_or(Status::UNSUPPORTED_LIMIT)?;
        with_current(|context| value.set(context.limits.get(&limit).copied().unwrap_or(default)))
    }

    fn cuCtxSetLimit(limit: u32, value: usize) {
        LIMITS.get(limit as usize).ok_or(Status::UNSUPPORTED_LIMIT)?;
        with(|state| {
            let most = match limit {
                PRINTF_FIFO_SIZE => state.configuration.print_buffer,
                MALLOC_HEAP_SIZE => state.machine_of(current()).description().memory_bytes,
                _ => u64::MAX,
            };
            let clamped = (value as u64).min(most);
            if clamped < value as u64 {
                let variable = if limit == PRINTF_FIFO_SIZE { PRINT_BUFFER } else { DEVICE_MEMORY };
                let set_by = set_by(variable, "BYTES");
                log::call_later(format_args!("the limit {value} becomes {clamped}; {set_by} raises it"));
            }
            let context = state.contexts.get_mut(&current()).ok_or(Status::INVALID_CONTEXT)?;
            context.limits.insert(limit, clamped as usize);
            // Every thread has the same stack, whatever the limit says, and a smaller buffer for output would
            // only lose some.
            if limit == MALLOC_HEAP_SIZE {
                state.machine_of(current()).set_heap_limit(clamped);
            }
            Ok(())
        })
    }

    fn cuCtxGetCacheConfig(config: Out<u32>) {
        with_current(|context| config.set(context.cache_config))
    }

    fn cuCtxSetCacheConfig(config: u32) {
        check_config(config, 3)?;
        with_current(|context| {
            context.cache_config = config;
            Ok(())
        })
    }

    fn cuCtxGetSharedMemConfig(config: Out<u32>) {
        with_current(|context| config.set(context.shared_config))
    }

    fn cuCtxSetSharedMemConfig(config: u32) {
        check_config(config, 2)?;
        with_current(|context| {
            context.shared_config = config;
            Ok(())
        })
    }

    fn cuCtxGetId(context: Handle, id: Out<u64>) {
        with(|state| {
            let context = if context == Handle::NULL { current() } else { context };
            check_alive(state, context)?;
            id.set(context.0 as u64)
        })
    }

    fn cuCtxResetPersistingL2Cache() {
        with_context(|_, _| Ok(()))
    }

    fn cuCtxGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) {
        with_current(|_| {
            least.set_if_wanted(PRIORITIES[0]);
            greatest.set_if_wanted(PRIORITIES[1]);
            Ok(())
        })
    }

    fn cuCtxEnablePeerAccess(context: Handle, _flags: u32) {
        with_context(|state, own| {
            check_alive(state, context)?;
            Err(if context == own { Status::INVALID_DEVICE } else { Status::PEER_ACCESS_UNSUPPORTED })
        })
    }

    fn cuCtxDisablePeerAccess(context: Handle) {
        with_context(|state, _| {
            check_alive(state, context)?;
            Err(Status::PEER_ACCESS_NOT_ENABLED)
        })
    }
}

fn create(context: Out<Handle>, flags: u32, device: i32) -> DriverResult {
    recorded_call(
        |_| "cuCtxCreate".to_owned(),
        |state| {
            let device = state.devices.find(device)?;
            let flags = known(flags)?;
            context.check()?;
            let handle = state.new_context(device, flags, false);
            push_current(handle).inspect_err(|_| destroy(state, handle))?;
            context.set(handle)
        },
    )
}

/// Destroys a context; operations of other contexts may have waited for its own.
fn destroy(state: &mut State, context: Handle) {
    state.destroy_context(context);
    background::wake(state);
}

/// Destroys a device's primary context, if there is one, and returns it; threads that hold it as current hold a stale
/// handle from now on.
fn end_primary(state: &mut State, device: Ordinal) -> Option<Handle> {
    let primary = &mut state.devices.get_mut(device).primary;
    primary.retained = 0;
    let context = primary.context.take();
    if let Some(context) = context {
        destroy(state, context);
    }
    context
}

/// Waits for what a destroyed context had started and not finished: other threads may have added operations after the
/// wait that precedes the destruction, and these go on until they notice.
fn wait_for_end(context: Option<Handle>) {
    if let Some(context) = context {
        wait_for_context(context);
    }
}

fn check_alive(state: &State, context: Handle) -> DriverResult {
    match state.contexts.contains_key(&context) {
        true => Ok(()),
        false => Err(Status::INVALID_CONTEXT),
    }
}

fn check_config(config: u32, last: u32) -> DriverResult {
    if config <= last { Ok(()) } else { Err(Status::INVALID_VALUE) }
}

/// Uses the current context, even after a fault.
fn with_current(use_it: impl FnOnce(&mut Context) -> DriverResult) -> DriverResult {
    with(|state| use_it(state.contexts.get_mut(&current()).ok_or(Status::INVALID_CONTEXT)?))
}
