/** Formats that every program knows by their number (ECMA-376 part 1, 18.8.30). */
export const BUILT_IN: Readonly<Record<string, number>> = { General: 0, '0': 1, '@': 49 };

/** The number of the first format that a file says itself. */
export const FIRST_OWN = 164;
