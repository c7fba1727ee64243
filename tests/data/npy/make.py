#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference files of this folder with NumPy: python3 make.py (numpy 2.4.6).

Element i in C order is (7 i + 3) mod 101, cut to 0 and 1 for bool.
"""

import numpy as np

SHAPES = {
    "scalar": (),
    "1": (5,),
    "2": (3, 4),
    "3_empty": (2, 0, 3),
    "8": (1, 2, 1, 3, 1, 2, 1, 2),
    "long": (1234567,) + (0,) * 2,
}


def values(shape, dtype):
    count = int(np.prod(shape))
    numbers = (7 * np.arange(count) + 3) % 101
    return (numbers % 2 if dtype == "|b1" else numbers).astype(dtype).reshape(shape)


def save(name, array, **version):
    with open(name + ".npy", "wb") as file:
        np.lib.format.write_array(file, array, **version)


for code in ("|b1", "|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f2", "<f4", "<f8"):
    save("dtype_" + code[1:], values((3, 4), code))
for name, shape in SHAPES.items():
    save("rank_" + name, values(shape, "<i2"))
save("version_2", values((3, 4), "<f4"), version=(2, 0))
save("version_3", values((3, 4), "<f4"), version=(3, 0))
save("reversed", values((4, 6), "<i4")[::-1, ::-2])  # not dense, so NumPy copies
save("transposed_vector", values((1, 5), "<i4").T)

save("refused_fortran", np.asfortranarray(values((3, 4), "<f4")))
save("refused_big_endian", values((3, 4), ">f4"))
save("refused_complex", values((2,), "<c8"))
save("refused_date", values((2,), "<i8").view("<M8[s]"))
save("refused_object", np.array([None, 1], dtype=object))
save("refused_record", np.zeros(2, dtype=[("x", "<f4"), ("y", "<i2")]))
save("refused_text", np.array(["ab", "c"]))
save("refused_bytes", np.array([b"ab", b"c"]))
save("refused_raw", values((2,), "<u2").view("V2"))
save("refused_rank", values((1,) * 9, "|u1"))
