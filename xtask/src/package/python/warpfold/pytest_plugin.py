"""A fixture of pytest: a test on the emulated GPU."""

import ctypes
import json
import os

import pytest

from warpfold import driver_dir


@pytest.fixture
def warpfold_emulator(monkeypatch, tmp_path):
    """The test, and every program that it starts, runs on the emulated GPU; what the emulator reports fails the test.

    The value is the folder of the emulated driver.
    """
    folder = driver_dir()
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        others = {line.split()[-1] for line in maps if "/libcuda.so" in line and str(folder) not in line}
    if others:
        pytest.fail(f"{others.pop()} is in this process: it was loaded before the first test on the emulator")
    # A library that asks for libcuda.so.1 gets what has this name in the process.
    ctypes.CDLL(str(folder / "libcuda.so.1"), mode=ctypes.RTLD_GLOBAL)
    reports = tmp_path / "warpfold-reports.json"
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("WARPFOLD_FAULT_JSON", str(reports))
    # Otherwise a program of OpenMP runs on the host if something is wrong with the device.
    if "OMP_TARGET_OFFLOAD" not in os.environ:
        monkeypatch.setenv("OMP_TARGET_OFFLOAD", "MANDATORY")
    yield folder
    if reports.exists():
        lines = reports.read_text(encoding="utf-8").splitlines()
        pytest.fail("\n".join(json.loads(line)["report"] for line in lines), pytrace=False)
