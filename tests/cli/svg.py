#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a picture by "clshard plan --svg" shows.

svg.py FILE          prints each block as "CLASS<TAB>POSITIONS<TAB>RANGES", positions one by one.
svg.py FILE TSV      also compares the blocks with the table that "clshard plan --tsv" printed.
svg.py FILE TSV to   compares the cells of the moves with what "clshard plan --to SPEC --tsv" printed; they
                     are printed as "CLASS<TAB>FROM TO<TAB>ELEMENTS".

svg.py FOLDER        does so for each NAME.svg with the table NAME.tsv in it; NAME begins with "to" for moves.

It fails unless the document is whole and readable: a white sheet, everything on it, no two
blocks and no two texts over each other, each block's label inside the block.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
WIDE = 0.6  # of a character, in font sizes: about what common sans-serif fonts have


class Refused(Exception):
    pass


def fail(sentence):
    raise Refused(sentence)


def box_of_rect(rect):
    x, y, width, height = (int(rect.get(name, "0")) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def box_of_text(text):
    x, y, size = (int(text.get(name)) for name in ("x", "y", "font-size"))
    width = len(text.text) * size * WIDE
    before = {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor")]
    if text.get("transform") is None:
        return x - before, y - 0.7 * size, x - before + width, y
    if text.get("transform") != f"rotate(-90 {x} {y})":
        fail(f"an unknown transform: {text.get('transform')}")
    return x - 0.7 * size, y + before - width, x, y + before


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def inside(a, b):
    return b[0] <= a[0] and b[1] <= a[1] and a[2] <= b[2] and a[3] <= b[3]


def check_apart(boxes, what):
    for i, (a, name_a) in enumerate(boxes):
        for b, name_b in boxes[:i]:
            if overlap(a, b):
                fail(f"{what} overlap: '{name_b}' and '{name_a}'")


def check_sheet(root):
    if root.tag != SVG + "svg" or root.get("version") != "1.1":
        fail("not SVG 1.1")
    width, height = int(root.get("width")), int(root.get("height"))
    if root.get("viewBox") != f"0 0 {width} {height}":
        fail(f"viewBox {root.get('viewBox')}")
    background = next(child for child in root if child.tag == SVG + "rect")
    sheet = (0, 0, width, height)
    if box_of_rect(background) != sheet or background.get("fill") != "#ffffff":
        fail("the first rectangle is no white background")
    for element in root.iter():
        if element.tag == SVG + "text" and not inside(box_of_text(element), sheet):
            fail(f"'{element.text}' leaves the sheet")
    for element in [e for e in root if e.tag != SVG + "defs"]:
        for rect in element.iter(SVG + "rect"):
            if not inside(box_of_rect(rect), sheet):
                fail("a rectangle leaves the sheet")
    check_apart([(box_of_text(t), t.text) for t in root.iter(SVG + "text")], "texts")


def positions_of(text):
    found = []
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def blocks_of(root):
    """[(class, positions, ranges)] of the groups, whose rectangles and labels are checked."""
    found, boxes = [], []
    for group in root.iter(SVG + "g"):
        kind, title = group.get("class"), group.find(SVG + "title").text
        box = box_of_rect(group.find(SVG + "rect"))
        boxes.append((box, title))
        if not all(inside(box_of_text(t), box) for t in group.iter(SVG + "text")):
            fail(f"the label of '{title}' leaves its block")
        if kind in ("move", "kept"):
            match = re.fullmatch(r"(\d+) to (\d+): (\d+) elements(?:, [^,]+)?, ([a-z]+)", title)
            if match is None or (kind == "kept") != (match[4] == "self"):
                fail(f"{kind}: '{title}'")
            found.append((kind, [int(match[1]), int(match[2])], int(match[3])))
            continue
        match = re.fullmatch(r"positions? ([0-9,-]+): (?:padding )?([0-9:,]*)|no position holds ([0-9:,]*)", title)
        if match is None or (kind == "dropped") != title.startswith("no"):
            fail(f"{kind}: '{title}'")
        found.append((kind, positions_of(match[1]) if match[1] else [], match[2] or match[3] or ""))
    check_apart(boxes, "blocks")
    return found


def listed_in(root):
    """What the list says where blocks cannot be drawn: the ranges that a position stores."""
    found = {}
    for text in root.iter(SVG + "text"):
        match = re.fullmatch(r"(\d+) \([0-9,]*\) holds ([0-9:,]*)", text.text)
        if match is not None:
            found[int(match[1])] = match[2]
    return found


def compare(root, blocks, path):
    """Each position with elements has one block, which shows what the table says."""
    if any(t.text.startswith("The blocks are not drawn: ") for t in root.iter(SVG + "text")):
        rows = [line.split("\t") for line in open(path, encoding="ascii")]
        listed = listed_in(root)
        if listed != {int(row[0]): row[2] for row in rows[:64]}:
            fail(f"listed is {listed}")
        return
    drawn = {}
    for kind, positions, ranges in blocks:
        for position in positions if kind == "block" else []:
            if position in drawn:
                fail(f"position {position} is drawn twice")
            drawn[position] = ranges
    table = {}
    for line in open(path, encoding="ascii"):
        index, _, ranges, _, extents = line.rstrip("\n").split("\t")
        extents = [] if extents == "scalar" else [int(extent) for extent in extents.split("x")]
        starts = [int(piece.split(":")[0]) for piece in ranges.split(",") if piece]
        if 0 not in extents:
            table[int(index)] = ",".join(f"{s}:{s + e}" for s, e in zip(starts, extents))
    if drawn != table:
        fail(f"drawn is {drawn}, the table says {table}")


def compare_moves(root, blocks, path):
    """Each pair of positions has one cell, with all that the one gives the other."""
    if any(t.text.startswith("The moves are not drawn: ") for t in root.iter(SVG + "text")):
        return
    drawn = {(*positions, kind): ranges for kind, positions, ranges in blocks if kind in ("move", "kept")}
    table = {}
    for line in open(path, encoding="ascii"):
        source, target, _, elements, reach = line.rstrip("\n").split("\t")[:5]
        cell = (int(source), int(target), "kept" if reach == "self" else "move")
        table[cell] = table.get(cell, 0) + int(elements)
    if drawn != table:
        fail(f"drawn is {drawn}, the table says {table}")


def blocks_checked(picture, table, moves):
    root = tree.parse(picture).getroot()
    check_sheet(root)
    blocks = blocks_of(root)
    if moves:
        compare_moves(root, blocks, table)
    elif table is not None:
        compare(root, blocks, table)
    return blocks


def main():
    path = pathlib.Path(sys.argv[1])
    pictures = sorted(path.glob("*.svg")) if path.is_dir() else [path]
    for picture in pictures:
        table = picture.with_suffix(".tsv") if path.is_dir() else (sys.argv + [None])[2]
        try:
            blocks = blocks_checked(picture, table, len(sys.argv) > 3 or picture.name.startswith("to"))
        except Refused as reason:
            sys.exit(f"{picture}: {reason}")
        for kind, positions, ranges in blocks if picture == path else []:
            print(kind, ",".join(map(str, positions)), ranges, sep="\t")
    if not pictures:
        sys.exit(f"{path}: no pictures")


main()
