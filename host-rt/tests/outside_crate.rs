//! A crate outside the workspace, built and run as documented, on a machine without a driver.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The crate's files.
const FILES: [(&str, &str); 4] =
    [("build.rs", BUILD), ("src/device.rs", DEVICE), ("src/kernels/twice.rs", KERNEL), ("src/main.rs", MAIN)];

const BUILD: &str = r#"
use device_code::{Build, Error};
use device_code::ops::Sum;

#[allow(dead_code, reason = "a build script uses a part")]
#[path = "src/device.rs"]
mod device;

fn main() -> Result<(), Error> {
    Build::new()
        .kernels(&device::TWICE)?
        .kernels(&device_code::EXACT_SUMS)?
        .reduction::<f64, Sum>()?
        .reduction::<(u8, u16), device::letters::Letters>()?
        .embed()
}
"#;

const DEVICE: &str = r#"
use device_code::{KernelCrate, OptLevel, device_code};

device_code! {
    /// An operator of the crate, over two arrays: the sum of the counts, and the largest count of one letter.
    pub mod letters exports Letters {
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

pub const TWICE: KernelCrate = KernelCrate {
    name: "twice",
    sources: &[("src/lib.rs", include_str!("kernels/twice.rs"))],
    kernels: &["twice"],
    opt: OptLevel::O3,
};
"#;

const KERNEL: &str = r#"
#![no_std]
#![feature(abi_ptx)]

/// Doubles each element.
///
/// # Safety
/// `data` has an element for each thread.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn twice(data: *mut u32) {
    // SAFETY: an element for each thread.
    unsafe { *data.add(device_rt::thread::index_1d() as usize) *= 2 }
}
"#;

/// `other` is an operator that the build script does not compile.
const MAIN: &str = r#"
use host_rt::{Device, Error, Max, Module, Select, Sum};

mod device;

device_code::embed!();

fn main() -> Result<(), Error> {
    // cust is available, too, unmodified, and starts without a driver.
    assert!(cust::CudaApiVersion::get().is_err());
    let device = Device::open(Select::Emulator)?;
    let buffer = device.buffer(&[1.5f64, 2.5])?;
    println!("device: {}", device.name());

    println!("sum: {}", device.reduce(&buffer, Sum)?);
    println!("exact: {}", device.exact_sum(&[1e30, 1.5, -1e30])?);
    let (letters, counts) = (b"axbx".repeat(1000), vec![3u16, 5, 4, 70].repeat(1000));
    let [all, most] = device.fold([0, 0], (&letters, &counts), device::letters::Letters)?;
    println!("all: {all}, most: {most}");

    let kernels = Module::new(&device, &device::TWICE)?;
    let mut data = device.buffer(&[1u32, 2, 3])?;
    // SAFETY: a thread for each element.
    unsafe { kernels.kernel("twice")?.launch(&device.stream()?, (1, 3), (&mut data,))?.wait()? };
    println!("twice: {:?}", data.to_vec()?);

    if std::env::args().len() > 1 {
        println!("max: {}", device.reduce(&buffer, Max)?);
    }
    Ok(())
}
"#;

fn run(command: &mut Command) -> String {
    let output = command.output();
    let Output { status, stdout, stderr } = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}\n{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("output is text")
}

/// Makes a file system of the program and the libraries that it needs.
fn machine_without_tools(machine: &Path, program: &Path) -> PathBuf {
    let libraries = run(Command::new("ldd").arg(program));
    let libraries = libraries.split_whitespace().filter(|word| word.starts_with('/')).map(Path::new);
    for file in libraries {
        let to = machine.join(file.strip_prefix("/").expect("an absolute path"));
        fs::create_dir_all(to.parent().expect("a file has a folder")).expect("a folder can be made");
        fs::copy(file, to).expect("it can be copied");
    }
    fs::create_dir_all(machine.join("home")).expect("a folder can be made");
    fs::copy(program, machine.join("program")).expect("it can be copied");
    machine.to_owned()
}

/// The program, on a machine with nothing else.
fn alone(machine: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.arg("--map-root-user").arg("chroot").arg(machine).arg("/program").args(arguments);
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/home");
    command
}

/// Without the folder to link with, a build ends with the words that the documentation explains.
fn says_what_is_missing_without_the_link_directory(folder: &Path) {
    // The places where the build script of cust's dependency looks.
    let toolkits = fs::read_dir("/usr/local").into_iter().flatten().flatten();
    let has_toolkit =
        toolkits.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("cuda"));
    if has_toolkit || Path::new("/opt/cuda").exists() {
        println!("skipped in part: this machine has CUDA's toolkit");
        return;
    }
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--offline", "--package", "cust_raw"]).current_dir(folder);
    for name in ["CUDA_LIBRARY_PATH", "CUDA_PATH", "CUDA_ROOT", "CUDA_TOOLKIT_ROOT_DIR"] {
        command.env_remove(name);
    }
    let output = command.env("CARGO_TARGET_DIR", folder.join("target")).output().expect("cargo runs");
    let message = String::from_utf8_lossy(&output.stderr);
    let words = "Could not find a cuda installation";
    assert!(!output.status.success() && message.contains(words), "{message}");
    let page = include_str!("../../docs/rust.md");
    let before = page.split("```toml file=Cargo.toml").next().expect("a first part");
    assert!(before.contains(words) && before.contains("CUDA_LIBRARY_PATH"));
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
    if std::env::var_os("WARPFOLD_NIGHTLY").is_none() {
        println!("skipped: the page on Rust builds such crates; this one is for `cargo xtask test nightly`");
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Outside this workspace, whose configuration cargo would read.
    let folder = Folder(std::env::temp_dir().join(format!("warpfold-outside-{}", std::process::id())));
    let device_code = here.join("device-code");
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\ndevice-code = {{ path = {device_code:?} }}\nhost-rt = {{ path = {here:?} }}\ncust = \"=0.3.2\"\n\n\
         [build-dependencies]\ndevice-code = {{ path = {device_code:?} }}\n\n[workspace]\n"
    );
    for (file, content) in FILES {
        let path = folder.0.join(file);
        fs::create_dir_all(path.parent().expect("a file has a folder"))
            .expect("a temporary folder can be made");
        fs::write(path, content).expect("it can be written");
    }
    fs::write(folder.0.join("Cargo.toml"), manifest).expect("it can be written");
    // The versions that this workspace is tested with, which are available without a network.
    fs::copy(here.join("../Cargo.lock"), folder.0.join("Cargo.lock")).expect("the workspace has a lock file");

    says_what_is_missing_without_the_link_directory(&folder.0);
    let link = host_rt::cuda_link_dir().expect("the cache can be written");
    assert_eq!(host_rt::cuda_link_dir().expect("a second time too"), link);
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).arg("--offline").current_dir(&folder.0);
        command.env("CUDA_LIBRARY_PATH", &link).env("CARGO_TARGET_DIR", folder.0.join("target"));
        command.env("CARGO_PROFILE_DEV_DEBUG", "false");
        command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
        run(&mut command)
    };
    cargo(&["build"]);
    let program = folder.0.join("target/debug/outside");
    let expected = "device: H200 (emulated)\nsum: 4\nexact: 1.5\nall: 82000, most: 70\ntwice: [2, 4, 6]\n";
    let machine = machine_without_tools(&folder.0.join("machine"), &program);
    assert_eq!(run(&mut alone(&machine, &[])), expected);
    // What is not embedded needs the tools.
    let output = alone(&machine, &["more"]).output().expect("it runs");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()), (Some(1), expected));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("was not found") && message.contains("device_code::Build"), "{message}");
    assert_eq!(run(Command::new(&program).arg("more")), format!("{expected}max: 2.5\n"));

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
