use std::ffi::OsString;
fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let file = arguments.next().unwrap();
    let rest: Vec<OsString> = arguments.collect();
    let input = loop_compiler::c::Input {
        clang: "clang-22".as_ref(),
        file: file.as_ref(),
        arguments: &rest,
        auto: std::env::var("AUTO").is_ok(),
        assume_distinct: false,
    };
    match loop_compiler::c::read(&input) {
        Ok(file) => {
            for region in file.regions {
                println!("-- {} line {}", region.function, region.at.line);
                match region.tree {
                    Ok(tree) => {
                        print!("{}", loop_compiler::c::print(&tree, 2));
                        println!("{:?}", tree.overlaps);
                        let begin = std::time::Instant::now();
                        match loop_compiler::analyze(&tree, &Default::default()) {
                            Ok(analysis) => {
                                for l in analysis.loops {
                                    println!(
                                        "loop {} {}: {} reduced {:?} private {:?} {:?} {:?}",
                                        l.at.line,
                                        l.iterator,
                                        l.class.name(),
                                        l.reduced,
                                        l.privatized,
                                        l.obstacle,
                                        l.reason
                                    );
                                }
                                for s in analysis.statements {
                                    println!(
                                        "stmt {} {}: {:?} {:?} {:?}",
                                        s.at.line,
                                        s.target,
                                        s.reduction.map(|r| r.name()),
                                        s.carried_by,
                                        s.reason
                                    );
                                }
                            }
                            Err(error) => println!("{error}"),
                        }
                        println!("{:?}", begin.elapsed());
                        if std::env::var("DEPS").is_ok() {
                            for granularity in loop_compiler::Granularity::ALL {
                                match loop_compiler::dependences(&tree, &Default::default(), granularity) {
                                    Ok(d) => print!("{}", d.text()),
                                    Err(e) => println!("{e}"),
                                }
                            }
                        }
                    }
                    Err(rejection) => println!("REJECTED {rejection} ({:?})", rejection.at),
                }
            }
        }
        Err(error) => println!("{error}"),
    }
}
