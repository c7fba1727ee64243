# SPDX-License-Identifier: Apache-2.0
"""Reading and writing .npy files without NumPy, for the scripts of this folder."""

import ast
import struct
import sys


def read(path):
    """The shape, the descr and the bytes of a C-ordered file."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:6] == b"\x93NUMPY", path
    length, start = (
        (struct.unpack("<H", data[8:10])[0], 10)
        if data[6] == 1
        else (struct.unpack("<I", data[8:12])[0], 12)
    )
    header = ast.literal_eval(data[start : start + length].decode())
    assert not header["fortran_order"], path
    return header["shape"], header["descr"], data[start + length :]


def write(path, shape, descr, data):
    text = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)


def place(whole, source, shape, item, part, ranges):
    """Copies a part, dense, to its ranges in the bytes of the whole; the source must have the same
    there, so that each replica is looked at."""
    strides = [item] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        strides[d] = strides[d + 1] * shape[d + 1]

    def copy(d, to, start):
        if d == len(shape):
            assert part[start : start + item] == source[to : to + item], ranges
            whole[to : to + item] = part[start : start + item]
            return start + item
        for i in range(*ranges[d]):
            start = copy(d + 1, to + i * strides[d], start)
        return start

    return copy(0, 0, 0)


def join(source, folder, plan):
    """Whether the files of a folder are the slices of the source that the plan says, all of them;
    plan is what `clshard plan --json` prints."""
    shape, descr, data = read(source)
    item = int(descr[2:])
    whole = bytearray(b ^ 0xFF for b in data)
    for position in plan["positions"]:
        extents = tuple(b - a for a, b in position["valid"])
        part = read("%s/%04d.npy" % (folder, position["index"]))
        assert part[0] == extents, (part[0], position)
        assert part[1] == descr, part[1]
        used = place(whole, data, shape, item, part[2], position["valid"])
        assert used == len(part[2]), position
    # All together they hold a box at the origin, and nothing else.
    ranges = zip(*(p["valid"] for p in plan["positions"]))
    held = [max([b for a, b in r if b > a], default=0) for r in ranges]
    return is_joined(whole, data, shape, item, held)


def is_joined(whole, data, shape, item, held):
    """Whether the held box is as in data, and the rest as it was made."""
    for i in range(len(data) // item):
        index, inside = i, True
        for d in range(len(shape) - 1, -1, -1):
            inside = inside and index % shape[d] < held[d]
            index //= shape[d]
        expected = data[i * item : (i + 1) * item]
        if not inside:
            expected = bytes(b ^ 0xFF for b in expected)
        if whole[i * item : (i + 1) * item] != expected:
            return False
    return True


if __name__ == "__main__":
    import json

    with open(sys.argv[3]) as plan_file:
        sys.exit(not join(sys.argv[1], sys.argv[2], json.load(plan_file)))
