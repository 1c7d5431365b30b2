//! The symbols of a program that links the trampolines.

use std::{
    collections::HashMap,
    env,
    process::{Command, Output},
};

use cuda_driver::EntryPoint;

fn nm(arguments: &[&str]) -> String {
    let program = env::current_exe().expect("the test knows itself");
    let Output { status, stdout, stderr } =
        Command::new("nm").args(arguments).arg(program).output().expect("nm (Debian: binutils) runs");
    assert!(status.success(), "nm: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("symbols are text")
}

/// Name to type letter of the symbols that nm lists.
fn symbols(text: &str) -> HashMap<&str, &str> {
    let fields = text.lines().filter_map(|line| {
        let mut fields = line.split_whitespace().rev();
        Some((fields.next()?, fields.next()?))
    });
    fields.collect()
}

#[test]
fn every_entry_point_is_defined_and_none_is_dynamic() {
    cuda_driver_link::ensure_linked();
    // A reference by the binding, which only the trampolines can have satisfied.
    assert!(cust::CudaApiVersion::get().is_err());

    let (all, dynamic) = (nm(&[]), nm(&["-D"]));
    let (all, dynamic) = (symbols(&all), symbols(&dynamic));
    assert!(dynamic.contains_key("malloc") || !dynamic.is_empty(), "nm -D lists something");
    for entry in EntryPoint::ALL {
        // lld makes hidden symbols local, GNU ld leaves them global and hidden.
        assert!(matches!(all.get(entry.name()), Some(&"t" | &"T")), "{entry} should be a function");
        assert_eq!(dynamic.get(entry.name()), None, "{entry} should not be dynamic");
    }
}
