/** Clears the screen, sets title and clipboard, turns text round, hides, and begins a line that seems ours. */
export const ATTACK =
  'a\x1b[2J\x1b]0;t\x07\x1b]52;c;ZXY=\x07\x9b31m\u202etxt\u2066\u200e\u061c\u2028\u200b\ufeff\u{e0041}\ufe0f\x7f\x08\r\nDone: 5 created\u0085b';

/** Every control character but line ends, every sign that turns text round or is not seen, halves of others. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it finds
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f]|[\ufe00-\ufe0f]|[\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e01ef}]|\p{Cs}/gu;

/** What holds the parts of an emoji or keycap together. */
const HELD = /(?<=\p{ExtPict}|\p{EMod}|\ufe0f)(?:\u200d|\ufe0e|\ufe0f)|(?<=[\d#*])\ufe0f(?=\u20e3)/gu;

/** The signs of a text that no terminal is to get, as their codes. */
export const unseenIn = (text: string): string[] =>
  (text.replace(HELD, '').match(UNSEEN) ?? []).map((sign) => (sign.codePointAt(0) as number).toString(16));
