"""warpfold: OpenMP offloading for NVIDIA GPUs, with and without a GPU."""

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["driver_dir", "program"]


def program() -> Path:
    """The program, which the command `warpfold` executes."""
    return Path(__file__).parent / "prefix" / "bin" / "warpfold"


def driver_dir() -> Path:
    """The folder with the emulated CUDA driver, for LD_LIBRARY_PATH."""
    command = [program(), "config", "--driver-dir"]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Path(printed.removesuffix("\n"))


def main() -> None:
    """Executes the program in place of this process."""
    os.execv(program(), ["warpfold", *sys.argv[1:]])
