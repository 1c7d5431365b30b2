//! Runs a program within limits of time and of kept output.

use std::{
    io::{self, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How often a running program is asked whether it has ended.
const INTERVAL: Duration = Duration::from_millis(2);

/// Bytes of standard error that are kept: tests count the calls of a driver there.
const MESSAGES: u64 = 16 << 20;

/// A program that has ended by itself.
pub(super) struct Finished {
    pub status: ExitStatus,
    pub out: Vec<u8>,
    pub err: String,
}

/// Runs a program with an input; at most so many bytes of its output are kept.
pub(super) fn run(
    command: &mut Command,
    input: Vec<u8>,
    most: usize,
    limit: Duration,
) -> Result<Finished, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |error: io::Error| format!("cannot run {name}: {error}");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A program that ends early does not read all of it, which its output shows.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let out = scope.spawn(move || kept(stdout, most as u64));
        let err = scope.spawn(move || kept(stderr, MESSAGES));
        let status = ended(&mut child, limit).map_err(failed)?;
        let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        match status {
            Some(status) => Ok(Finished { status, out, err: String::from_utf8_lossy(&err).into_owned() }),
            None => Err(format!("{name} takes more than {} seconds", limit.as_secs())),
        }
    })
}

/// Waits for a program's end; it is killed at its limit.
fn ended(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if begin.elapsed() < limit => thread::sleep(INTERVAL),
            None => {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
        }
    }
}

/// The first bytes of a stream; the others are read, so that the program goes on.
fn kept(stream: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Some(mut stream) = stream else { return bytes };
    // What cannot be read is missing, which the caller sees.
    let _ = stream.by_ref().take(most).read_to_end(&mut bytes);
    let _ = io::copy(&mut stream, &mut io::sink());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str, most: usize) -> Result<Finished, String> {
        let mut command = Command::new("sh");
        run(command.args(["-c", text]), b"given".to_vec(), most, Duration::from_millis(500))
    }

    #[test]
    fn output_and_time_are_limited() {
        let finished = shell("cat; echo said >&2; exit 3", 4).unwrap();
        assert_eq!((finished.out.as_slice(), finished.err.as_str()), (&b"give"[..], "said\n"));
        assert_eq!(finished.status.code(), Some(3));
        assert_eq!(shell("yes | head -c 1000000", 10).unwrap().out.len(), 10);
        let error = shell("exec sleep 100", 10).err();
        assert_eq!(error.as_deref(), Some("sh takes more than 0 seconds"));
        let error = run(&mut Command::new("/none"), Vec::new(), 1, Duration::from_secs(1)).err();
        assert!(error.unwrap().starts_with("cannot run /none: "));
    }
}
