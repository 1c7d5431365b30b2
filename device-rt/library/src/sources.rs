//! The source of the device runtime. The build script makes the lists from the folder.

include!(concat!(env!("OUT_DIR"), "/sources.rs"));
