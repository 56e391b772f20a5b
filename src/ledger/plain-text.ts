/** A text as PostgreSQL takes it: it keeps no NUL, which nobody means. */
export const plainText = (text: string): string => text.replaceAll('\0', '\uFFFD');
