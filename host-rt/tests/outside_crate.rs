//! A crate outside the workspace, built and run as documented, on a machine without a driver.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The main file of such a crate.
const MAIN: &str = r#"
use host_rt::{Device, Select, Sum, device_code};

device_code! {
    /// An operator of the crate, over two arrays: the sum of the counts, and the largest count of one letter.
    mod letters exports Letters {
        #[derive(Clone, Copy)]
        pub struct Letters;

        impl Reduce<[u32; 2]> for Letters {
            fn combine(self, [sum, most]: [u32; 2], [more, other]: [u32; 2]) -> [u32; 2] {
                [sum + more, Max.combine(most, other)]
            }
        }

        impl Lift<(u8, u16)> for Letters {
            type Value = [u32; 2];

            fn lift(self, (letter, count): (u8, u16), _index: u64) -> [u32; 2] {
                [count as u32, if letter == b'x' { count as u32 } else { 0 }]
            }
        }
    }
}

fn main() {
    // cust is available, too, unmodified, and starts without a driver.
    assert!(cust::CudaApiVersion::get().is_err());
    let device = Device::open(Select::Emulator).expect("the emulator is always there");
    let buffer = device.buffer(&[1.5f64, 2.5]).expect("there is memory");
    assert_eq!(buffer.to_vec().expect("it can be read"), [1.5, 2.5]);
    println!("device: {}", device.name());

    println!("sum: {}", device.reduce(&buffer, Sum).expect("the tools are there"));
    let (letters, counts) = (b"axbx".repeat(1000), vec![3u16, 5, 4, 70].repeat(1000));
    let [all, most] = device.fold([0, 0], (&letters, &counts), letters::Letters).expect("the operator compiles");
    println!("all: {all}, most: {most}");
}
"#;

fn run(command: &mut Command) -> String {
    let output = command.output();
    let Output { status, stdout, stderr } = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}\n{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("output is text")
}

/// A folder that is removed at the end of the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn it_builds_and_runs_as_documented() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Outside this workspace, whose configuration cargo would read.
    let folder = Folder(std::env::temp_dir().join(format!("warpfold-outside-{}", std::process::id())));
    let source = folder.0.join("src");
    fs::create_dir_all(&source).expect("a temporary folder can be made");
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nhost-rt = {{ path = {here:?} }}\ncust = \"=0.3.2\"\n\n[workspace]\n"
    );
    fs::write(folder.0.join("Cargo.toml"), manifest).expect("it can be written");
    fs::write(source.join("main.rs"), MAIN).expect("it can be written");
    // The versions that this workspace is tested with, which are available without a network.
    fs::copy(here.join("../Cargo.lock"), folder.0.join("Cargo.lock")).expect("the workspace has a lock file");

    let link = host_rt::cuda_link_dir().expect("the cache can be written");
    assert_eq!(host_rt::cuda_link_dir().expect("a second time too"), link);
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).arg("--offline").current_dir(&folder.0);
        command.env("CUDA_LIBRARY_PATH", &link).env("CARGO_TARGET_DIR", folder.0.join("target"));
        command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        run(&mut command)
    };
    cargo(&["build"]);
    let program = folder.0.join("target/debug/outside");
    let expected = "device: H200 (emulated)\nsum: 4\nall: 82000, most: 70\n";
    assert_eq!(run(&mut Command::new(&program)), expected);

    // cust comes unmodified from the registry: a patched or copied one would be listed with its path.
    let tree = cargo(&["tree", "--prefix=none", "--target=x86_64-unknown-linux-gnu"]);
    assert!(
        tree.lines().any(|line| line == "host-rt v0.1.0 (".to_owned() + &here.display().to_string() + ")")
    );
    for package in ["cust v0.3.2", "cust_raw v0.11.3"] {
        let found: Vec<_> = tree.lines().filter(|line| line.starts_with(package)).collect();
        assert!(!found.is_empty(), "{package} is not in {tree}");
        assert!(found.iter().all(|line| [package, &format!("{package} (*)")].contains(line)), "{found:?}");
    }

    // The driver's symbols are not exported, and the program needs no library for them.
    let dynamic = run(Command::new("nm").arg("-D").arg(&program));
    let driver = |line: &&str| line.split_whitespace().last().is_some_and(|name| name.starts_with("cu"));
    assert_eq!(dynamic.lines().find(driver), None);
    let needed = run(Command::new("readelf").arg("-d").arg(&program));
    assert!(needed.contains("libc.so.6") && !needed.contains("libcuda"), "{needed}");
}
