//! Random kernels under the checks, with the histories of pages and location by location: histories find the same races, and
//! few others, whose read a location has forgotten.

use std::collections::BTreeSet;
use std::sync::Arc;

use ptx_emulator::{
    Checks, LaunchConfig, LaunchOptions, Machine, MachineDescription, OperationOrder, Program,
};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Accesses of rows, columns, single locations and others, of some or all lanes, between barriers and fences.
fn body(random: &mut Random) -> String {
    let mut text = String::new();
    let count = 2 + random.below(6);
    let is_loop = random.below(3) == 0;
    if is_loop {
        text += "mov.u32 %r9, 0;\nagain:\n";
    }
    for _ in 0..count {
        match random.below(8) {
            0 => {
                text += random.one_of(&["bar.sync 0;\n", "bar.warp.sync -1;\n", "fence.acq_rel.gpu;\n"]);
                continue;
            }
            1 => text += "bar.sync 0;\n",
            _ => {}
        }
        let (ty, size) =
            random.one_of(&[("u32", 4), ("u32", 4), ("u32", 4), ("u64", 8), ("u8", 1), ("v2.u32", 8)]);
        let of_thread = random.one_of(&[0, 1, 1, 1, 1, 2, 16, 17, 100, 211, 347, 1023]);
        let of_block = random.one_of(&[0, 32, 64, 96, 128, 128, 128]);
        let of_round = if is_loop { random.one_of(&[0, 1, 1, 64]) } else { 0 };
        let (first, mask) = (random.one_of(&[0, 0, 0, 1, 2, 32, 64]), random.one_of(&[127, 255, 255, 511]));
        text += &format!(
            "mul.lo.u32 %r1, %t, {of_thread}; mad.lo.u32 %r1, %b, {of_block}, %r1; mad.lo.u32 %r1, %r9, {of_round}, %r1;
             add.u32 %r1, %r1, {first}; and.b32 %r1, %r1, {mask}; mul.lo.u32 %r1, %r1, {size};\n"
        );
        text += match random.below(5) {
            0 => "mov.u32 %r2, words; add.u32 %r1, %r1, %r2; cvt.u64.u32 %rd1, %r1;\n",
            _ => "cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd1, %buf;\n",
        };
        let space = if text.ends_with("%r1;\n") { "shared" } else { "global" };
        let (lanes, value) = (random.one_of(&[0, 1, 3, 7]), random.one_of(&[0, 0, 1]));
        text += &format!("and.b32 %r3, %t, {lanes}; setp.eq.u32 %p1, %r3, {value};\n");
        let guard = random.one_of(&["", "", "@%p1 "]);
        let register = match ty {
            "u64" => "%rd4",
            "v2.u32" => "{%r4, %r5}",
            _ => "%r4",
        };
        text += &match random.below(7) {
            0 if ty == "u32" => format!("{guard}atom.add.relaxed.gpu.{space}.u32 %r4, [%rd1], 1;\n"),
            1 if ty == "u32" => format!("{guard}st.release.gpu.{space}.u32 [%rd1], %r4;\n"),
            2 if ty == "u32" => format!("{guard}ld.acquire.gpu.{space}.u32 %r4, [%rd1];\n"),
            0..3 => format!("{guard}st.{space}.{ty} [%rd1], {register};\n"),
            3 => format!("{guard}ld.{space}.{ty} {register}, [%rd1]; @!%p1 st.global.u32 [%next], %r4;\n"),
            _ => format!("{guard}ld.{space}.{ty} {register}, [%rd1]; st.global.u32 [%mine], %r4;\n"),
        };
    }
    if is_loop {
        text += "add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 4; @%p2 bra again;\n";
    }
    text
}

fn kernel(body: &str) -> String {
    format!(
        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{
         .reg .b32 %r<10>; .reg .b32 %t, %b; .reg .b64 %rd<6>; .reg .b64 %buf, %mine, %next; .reg .pred %p<4>;
         .shared .align 8 .b8 words[8192];
         ld.param.u64 %buf, [p]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %r9, 0;
         mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u64 %rd4, 0;
         mad.lo.u32 %r6, %b, 128, %t; mul.wide.u32 %mine, %r6, 4; add.u64 %mine, %mine, %buf;
         add.u64 %next, %mine, 16384; add.u64 %mine, %mine, 8192;
         {body}\nret;\n}}\n"
    )
}

type Races = BTreeSet<(String, String)>;

/// The pairs of accesses that race, by their instructions.
fn races(kernels: &[(String, u32, u32, OperationOrder)], seed: Option<u64>, shortcuts: bool) -> Races {
    let machine = Machine::new(MachineDescription::default());
    machine.set_checks(Checks::RACES);
    let buffer = machine.alloc(1 << 15).expect("memory");
    machine.set_host_order(Some(OperationOrder { stream: 0, number: 1, after: Vec::new() }));
    machine.fill(buffer, &[0], 1 << 15).expect("inside");
    for (text, grid, block, order) in kernels {
        let program =
            Arc::new(Program::load("m", text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}")));
        let module = machine.load(&program).expect("loaded");
        let options = LaunchOptions { seed, shortcuts, ..LaunchOptions::default() };
        let config = LaunchConfig::linear(*grid, *block);
        let mut execution = machine
            .begin(&module, "k", &config, &buffer.to_le_bytes(), &options)
            .unwrap_or_else(|fault| panic!("{fault}"));
        execution.set_order(order.clone());
        while !execution.run(&machine, 1000).unwrap_or_else(|fault| panic!("{fault}\n{text}")) {}
    }
    machine.set_host_order(Some(OperationOrder { stream: 0, number: 9, after: vec![(1, 9)] }));
    machine.read(buffer + 4, &mut [0; 2000]).expect("inside");
    let side = |side: &ptx_emulator::Side| {
        format!("{} {} {:?}", side.operation_number, side.access, side.place.as_ref().map(|place| place.line))
    };
    let pairs = machine.take_findings().into_iter().map(|finding| {
        let mut sides: Vec<String> = finding.sides.iter().map(side).collect();
        sides.sort();
        (sides.remove(0), sides.remove(0))
    });
    pairs.collect()
}

#[test]
fn histories_have_all_races_of_locations() {
    let (mut with_races, mut without, mut further) = (0, 0, 0);
    for case in 0..2000 {
        let mut random = Random(case);
        let kernels: Vec<_> = (1..2 + random.below(3))
            .map(|number| {
                let (grid, block) = (1 + random.below(4) as u32, random.one_of(&[20, 32, 64, 96, 128]));
                let stream = 1 + random.below(2);
                let after = if random.below(3) > 0 { vec![(0, 1), (1, 9), (2, 9)] } else { vec![(0, 1)] };
                (kernel(&body(&mut random)), grid, block, OperationOrder { stream, number, after })
            })
            .collect();
        let seed = random.one_of(&[None, Some(case)]);
        let [histories, locations] = [true, false].map(|shortcuts| races(&kernels, seed, shortcuts));
        let lost: Vec<_> = locations.difference(&histories).collect();
        let text = || kernels.iter().map(|one| one.0.as_str()).collect::<String>();
        assert!(lost.is_empty(), "case {case}: {lost:#?}\n{}", text());
        further += u32::from(histories.len() > locations.len());
        *(if histories.is_empty() { &mut without } else { &mut with_races }) += 1;
    }
    assert!(with_races > 200 && without > 200, "{with_races} {without}");
    assert!(further < 40, "{further}");
}
