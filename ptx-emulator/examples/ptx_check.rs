fn main() {
    for f in std::env::args().skip(1) {
        let b = std::fs::read(&f).unwrap();
        match ptx_emulator::Program::load(&f, &b) {
            Ok(p) => println!("{f}: ok {} kernels", p.kernels().count()),
            Err(e) => println!("{e}"),
        }
    }
}
