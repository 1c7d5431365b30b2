//! Programs from seeds.
//!
//! A program is a function with loop nests on memory that it reaches by several names (`names`), statements that loop
//! compilers look for (`statements`), and what stands around the region. All memory of one type is an array of the
//! file, the *arena*, in which the names of a call may lie in one place, one element apart, next to each other or
//! apart, as far as `restrict` allows it. Values are small whole numbers, so that sums of floats are exact in any order.
//! Where that fails, or where integers overflow, the reference says so, and the program is left out.

mod names;
mod scalars;
mod scene;
mod statements;
mod surroundings;
mod types;

use crate::tree::{Call, Program, SourceLine};
pub use names::PROVENANCES;
pub use scalars::PLACES;
pub use scene::Language;
use scene::Scene;
pub use statements::STATEMENTS;
pub use surroundings::SURROUNDINGS;

impl Program {
    /// The program of a seed.
    pub fn new(seed: u64, language: Language) -> Program {
        let mut scene = Scene::new(seed, language);
        scene.add_names();
        scene.add_scalars();
        let around = scene.surrounded();
        scene.finish_arenas();
        for (number, size) in ["int n", "int m"].into_iter().enumerate() {
            scene.parameters.insert(number, SourceLine::new("", size));
            let arguments = scene.arguments.iter_mut().zip(&scene.sizes);
            arguments.for_each(|(all, sizes)| all.insert(number, sizes[number].to_string()));
        }
        let mut body = std::mem::take(&mut scene.locals);
        body.extend(around);
        body.append(&mut scene.after);
        let calls = scene.setup.into_iter().zip(scene.arguments);
        Program {
            seed,
            globals: scene.globals,
            parameters: scene.parameters,
            body,
            result: scene.result,
            calls: calls.map(|(setup, arguments)| Call { setup, arguments }).collect(),
            shown: scene.shown,
        }
    }
}
