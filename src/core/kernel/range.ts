/** A part of a text by its offsets in UTF-16 units, the end excluded: [5, 8] is "Ada" in "Call Ada". */
export type Range = readonly [from: number, to: number];
