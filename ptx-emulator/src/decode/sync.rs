//! Synchronisation in a warp or block: shuffles, votes, matches, reductions (`redux`), barriers.

use super::decoder::{Operands, RegisterClass, Result};
use super::function::FunctionDecoder;
use super::modifiers::{Modifiers, among};
use crate::instruction::{
    Barrier, BarrierKind, FALSE, Op, ReduxOp, SINK, ShuffleMode, SyncKind, VoteMode, WarpSync,
};
use crate::text::ast::Operand;
use crate::text::types::Type;

impl<'a> FunctionDecoder<'_, 'a> {
    /// Decodes `name` if it synchronises.
    pub(super) fn synchronisation(
        &mut self,
        name: &str,
        mods: &mut Modifiers<'a>,
        operands: Operands<'a>,
    ) -> Result<Option<()>> {
        match name {
            "bar" if mods.has("warp") => {
                mods.has("sync");
                let [mask] = self.arity(operands)?;
                let mask = self.value32(mask, Type::B32)?;
                self.warp_sync(mask, SyncKind::Barrier)?;
            }
            "bar" | "barrier" => self.barrier(name, mods, operands)?,
            "activemask" => {
                mods.ty()?;
                let [d] = self.arity(operands)?;
                let dest = self.dest(d, Type::B32)?;
                self.emit(Op::Activemask(dest))?;
            }
            "shfl" | "vote" | "match" | "redux" | "elect" => {
                let sync = mods.has("sync");
                if !sync && !matches!(name, "shfl" | "vote") {
                    return self.reject("`.sync` is missing");
                }
                match name {
                    "shfl" => self.shuffle(sync, mods, operands)?,
                    "vote" => self.vote(sync, mods, operands)?,
                    "match" => self.matching(mods, operands)?,
                    "redux" => self.redux(mods, operands)?,
                    _ => {
                        let [d, mask] = self.arity(operands)?;
                        let (dest, elected) = match d {
                            Operand::Pair(d, p) => (self.named_dest(d)?, self.pred_register(p)?),
                            _ => return self.reject("expected `d|p`"),
                        };
                        let mask = self.value32(mask, Type::B32)?;
                        self.warp_sync(mask, SyncKind::Elect { dest, elected })?;
                    }
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    fn warp_sync(&mut self, mask: u32, kind: SyncKind) -> Result {
        self.emit(Op::WarpSync(Box::new(WarpSync { mask, kind })))
    }

    fn named_dest(&mut self, name: &'a str) -> Result<u32> {
        if name == "_" { Ok(SINK) } else { self.b32_register(name) }
    }

    /// The member mask: the last operand or, in the forms without `.sync` from before sm_70, the active
    /// lanes.
    fn members(&mut self, mask: Option<&'a Operand<'a>>) -> Result<u32> {
        if let Some(mask) = mask {
            return self.value32(mask, Type::B32);
        }
        let active = self.temporary(RegisterClass::B32)?;
        self.helper(Op::Activemask(active))?;
        Ok(active)
    }

    /// The operands, with the member mask separate.
    fn with_mask<const N: usize>(
        &mut self,
        sync: bool,
        operands: Operands<'a>,
    ) -> Result<(&'a [Operand<'a>; N], Option<&'a Operand<'a>>)> {
        match operands {
            [rest @ .., mask] if sync => Ok((self.arity(rest)?, Some(mask))),
            all => Ok((self.arity(all)?, None)),
        }
    }

    fn shuffle(&mut self, sync: bool, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let mode = mods.next(among(&[
            ("up", ShuffleMode::Up),
            ("down", ShuffleMode::Down),
            ("bfly", ShuffleMode::Butterfly),
            ("idx", ShuffleMode::Index),
        ]));
        let Some(mode) = mode else { return self.reject("this mode is not supported") };
        if mods.ty()? != Type::B32 {
            return self.reject("this type is not supported");
        }
        let ([d, value, lane, clamp], mask) = self.with_mask(sync, operands)?;
        let (dest, valid) = match d {
            Operand::Pair(d, p) => (self.named_dest(d)?, self.pred_register(p)?),
            d => (self.dest(d, Type::B32)?, SINK),
        };
        let value = self.value32(value, Type::B32)?;
        let (lane, clamp) = (self.value32(lane, Type::B32)?, self.value32(clamp, Type::B32)?);
        let mask = self.members(mask)?;
        self.warp_sync(mask, SyncKind::Shuffle { mode, dest, valid, value, lane, clamp })
    }

    fn vote(&mut self, sync: bool, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let mode = mods.next(among(&[
            ("all", VoteMode::All),
            ("any", VoteMode::Any),
            ("uni", VoteMode::Uniform),
            ("ballot", VoteMode::Ballot),
        ]));
        let Some(mode) = mode else { return self.reject("this mode is not supported") };
        let ty = mods.ty()?;
        let ([d, p], mask) = self.with_mask(sync, operands)?;
        let dest = match (mode, ty) {
            (VoteMode::Ballot, Type::B32) => self.dest(d, ty)?,
            (VoteMode::All | VoteMode::Any | VoteMode::Uniform, Type::Pred) => self.pred(d)?,
            _ => return self.reject("this type is not supported"),
        };
        let (value, negated) = self.pred_or_not(p)?;
        let mask = self.members(mask)?;
        self.warp_sync(mask, SyncKind::Vote { mode, dest, value, negated })
    }

    fn matching(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let all = mods.has("all");
        if !all && !mods.has("any") {
            return self.reject("this mode is not supported");
        }
        let ty = mods.ty()?;
        let [d, value, mask] = self.arity(operands)?;
        let (dest, valid) = match d {
            Operand::Pair(d, p) if all => (self.named_dest(d)?, self.pred_register(p)?),
            d => (self.dest(d, Type::B32)?, SINK),
        };
        let wide = ty == Type::B64;
        let value = match ty {
            Type::B64 => self.value64(value)?,
            Type::B32 => self.value32(value, ty)?,
            _ => return self.reject("this type is not supported"),
        };
        let mask = self.value32(mask, Type::B32)?;
        self.warp_sync(mask, SyncKind::Match { all, wide, dest, valid, value })
    }

    fn redux(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        let Some(operation) = mods.next(|p| Some(p.to_owned())) else {
            return self.reject("the operation is missing");
        };
        let ty = mods.ty()?;
        let (abs, nan) = if ty == Type::F32 { (mods.has("abs"), mods.has("NaN")) } else { (false, false) };
        let op = match (operation.as_str(), ty) {
            ("min", Type::F32) => ReduxOp::Extreme { greatest: false, abs, nan },
            ("max", Type::F32) => ReduxOp::Extreme { greatest: true, abs, nan },
            ("add", Type::U32 | Type::S32) => ReduxOp::Add,
            ("min", Type::U32) => ReduxOp::MinU,
            ("max", Type::U32) => ReduxOp::MaxU,
            ("min", Type::S32) => ReduxOp::MinS,
            ("max", Type::S32) => ReduxOp::MaxS,
            ("and", Type::B32) => ReduxOp::And,
            ("or", Type::B32) => ReduxOp::Or,
            ("xor", Type::B32) => ReduxOp::Xor,
            _ => return self.reject("this operation is not supported"),
        };
        let [d, value, mask] = self.arity(operands)?;
        let (dest, value) = (self.dest(d, ty)?, self.value32(value, ty)?);
        let mask = self.value32(mask, Type::B32)?;
        self.warp_sync(mask, SyncKind::Redux { op, dest, value })
    }

    /// The barrier of a cluster, which is a single block.
    fn cluster_barrier(&mut self, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        self.arity::<0>(operands)?;
        let kind = if mods.has("arrive") {
            let _ = mods.has("release") || mods.has("relaxed");
            BarrierKind::ClusterArrive
        } else if mods.has("wait") {
            mods.has("acquire");
            BarrierKind::ClusterWait
        } else {
            return self.reject("this form is not supported");
        };
        let aligned = mods.has("aligned");
        let (id, dest) = (self.constant32(0)?, SINK);
        let barrier = Barrier { kind, aligned, id, count: None, dest, predicate: FALSE, negated: false };
        self.emit(Op::Barrier(Box::new(barrier)))
    }

    fn barrier(&mut self, name: &str, mods: &mut Modifiers<'a>, operands: Operands<'a>) -> Result {
        if name == "barrier" && mods.has("cluster") {
            return self.cluster_barrier(mods, operands);
        }
        mods.has("cta");
        // `bar` is `barrier` with `.aligned`.
        let aligned = mods.has("aligned") || name == "bar";
        if mods.has("red") {
            let operation = mods.next(among(&[
                ("popc", BarrierKind::Popc),
                ("and", BarrierKind::And),
                ("or", BarrierKind::Or),
            ]));
            let Some(kind) = operation else { return self.reject("this operation is not supported") };
            let ty = mods.ty()?;
            let (d, id, count, p) = match operands {
                [d, id, p] => (d, id, None, p),
                [d, id, count, p] => (d, id, Some(count), p),
                _ => return self.reject("the operands do not fit"),
            };
            let dest = match (kind, ty) {
                (BarrierKind::Popc, Type::U32) => self.dest(d, ty)?,
                (BarrierKind::And | BarrierKind::Or, Type::Pred) => self.pred(d)?,
                _ => return self.reject("this type is not supported"),
            };
            let id = self.value32(id, Type::U32)?;
            let count = count.map(|c| self.value32(c, Type::U32)).transpose()?;
            let (predicate, negated) = self.pred_or_not(p)?;
            let barrier = Barrier { kind, aligned, id, count, dest, predicate, negated };
            return self.emit(Op::Barrier(Box::new(barrier)));
        }
        let kind = if mods.has("arrive") { BarrierKind::Arrive } else { BarrierKind::Sync };
        if kind == BarrierKind::Sync && !mods.has("sync") {
            return self.reject("this form is not supported");
        }
        let (id, count) = match operands {
            [id] => (id, None),
            [id, count] => (id, Some(count)),
            _ => return self.reject("the operands do not fit"),
        };
        if kind == BarrierKind::Arrive && count.is_none() {
            return self.reject("`arrive` needs a number of threads");
        }
        let id = self.value32(id, Type::U32)?;
        let count = count.map(|c| self.value32(c, Type::U32)).transpose()?;
        let barrier = Barrier { kind, aligned, id, count, dest: SINK, predicate: FALSE, negated: false };
        self.emit(Op::Barrier(Box::new(barrier)))
    }
}
