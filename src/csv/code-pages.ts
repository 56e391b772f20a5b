/** What the bytes from 0x80 on are in the code pages of DOS, as Excel's "CSV (MS-DOS)" has them. */
const HIGH: Readonly<Record<string, string>> = {
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0',
};

/** Turns text that was read byte for byte into what it is in a code page; undefined for another encoding. */
export function fromCodePage(encoding: string): ((text: string) => string) | undefined {
  const high = HIGH[encoding];
  if (high === undefined) return undefined;
  return (text) => text.replace(/[\x80-\xff]/g, (letter) => high[letter.charCodeAt(0) - 0x80] as string);
}

/** Letters in code page 850 that words have inside: ü é â ä à å ç ê ë è ï î ì ô ö ò û ù í ó ú ñ. */
const INSIDE: ReadonlySet<number> = new Set([
  ...[0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8d],
  ...[0x93, 0x94, 0x95, 0x96, 0x97, 0xa1, 0xa2, 0xa3, 0xa4],
]);
/** Those that end words, where Windows-1252 has no sign that follows one: ü é ê ë è ï. */
const LAST: ReadonlySet<number> = new Set([0x81, 0x82, 0x88, 0x89, 0x8a, 0x8b]);
/** Dashes and dots of Windows-1252, that may stand between two letters. */
const SIGNS: ReadonlySet<number> = new Set([0x85, 0x96, 0x97]);

const isSmall = (byte: number): boolean => (byte >= 97 && byte <= 122) || INSIDE.has(byte);

/**
 * How much a byte that is not ASCII, between two others, speaks for code page 850 (above 0) or for the
 * encodings of Windows and Unix (below 0), in which small letters stand from 0xE0 on.
 */
export function speaksForDos(before: number, byte: number, after: number): number {
  const inWord = isSmall(before) || isSmall(after);
  if (byte >= 0xe0) return byte !== 0xe1 && byte !== 0xe4 && inWord ? -3 : 0;
  // No sign at all in Windows-1252; É in code page 850.
  if (byte === 0x90 || byte === 0x81 || byte === 0x8d) return 3;
  if (byte === 0x80) return inWord ? 0 : -1;
  if (byte === 0x92) return isSmall(before) ? -3 : 0;
  if (!INSIDE.has(byte) || !isSmall(before)) return 0;
  if (isSmall(after)) return SIGNS.has(byte) ? 1 : 3;
  const isLetter = (after | 32) >= 97 && (after | 32) <= 122;
  return LAST.has(byte) && !isLetter ? 3 : 0;
}
