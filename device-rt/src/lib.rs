#![no_std]
//! To be written.
