/** A text as PostgreSQL takes it: it keeps no NUL and no half of a character, which nobody means. */
export const plainText = (text: string): string => text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD');
