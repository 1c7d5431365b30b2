"""Packs a folder as a wheel: pack.py FOLDER DIST-INFO FILE SECONDS. The same files give the same bytes."""

import base64
import hashlib
import stat
import sys
import time
import zipfile
from pathlib import Path

folder, information, wheel, seconds = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:

    def add(name, content, mode):
        entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (stat.S_IFREG | mode) << 16
        archive.writestr(entry, content)

    record = []
    # Those who read the wheel as it arrives find what describes it last.
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    for name in sorted(names, key=lambda name: name.startswith(information)):
        content = (folder / name).read_bytes()
        add(name, content, 0o755 if (folder / name).stat().st_mode & 0o100 else 0o644)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}\n")
    listed = f"{information}/RECORD"
    add(listed, "".join([*record, f"{listed},,\n"]), 0o644)
