/** A byte of 128 and up is a letter in both encodings from 0xC0 on, × and ÷ apart. */
function isLetter(byte: number): boolean {
  const folded = byte | 32;
  return (folded >= 97 && folded <= 122) || (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7);
}

/** What ISO 8859-15 has as the capitals Š Ž Œ Ÿ and as the small letters š ž œ; Windows-1252 has ¦ ´ ¼ ¾ and ¨ ¸ ½ there. */
const CAPITALS = new Set([0xa6, 0xb4, 0xbc, 0xbe]);
const SMALL = new Set([0xa8, 0xb8, 0xbd]);
const FRACTIONS = new Set([0xbc, 0xbd, 0xbe]);
const EURO_OR_CURRENCY = 0xa4;

/**
 * Gathers what tells Windows-1252 from ISO 8859-15, which differ in eight characters only. Bytes 0x80-0x9F are characters in the
 * first alone; 0xA4 is the euro in the second and a sign that nobody uses in the first; the other seven are letters in
 * the second, so they count for it where a word needs a letter.
 */
export class SingleByteEvidence {
  private windows = 0;
  private latin9 = 0;

  /** Weighs the byte at a place of a text. */
  weigh(bytes: Buffer, at: number): void {
    const byte = bytes[at] as number;
    if (byte < 0xa0) this.windows += 1000;
    else if (byte === EURO_OR_CURRENCY) this.latin9 += 10;
    else if (CAPITALS.has(byte) || SMALL.has(byte))
      this.weighLetter(byte, bytes[at - 1] ?? 0, bytes[at + 1] ?? 0);
  }

  /** The likelier of the two; Windows-1252, which is by far the commoner, where nothing tells. */
  verdict(): 'windows-1252' | 'iso-8859-15' {
    return this.latin9 > this.windows ? 'iso-8859-15' : 'windows-1252';
  }

  private weighLetter(byte: number, before: number, after: number): void {
    const starts = !isLetter(before);
    const goesOn = isLetter(after);
    // Between two letters stands a letter, if it isn't the accent that some write for an apostrophe: foto´s.
    const capitalInside = CAPITALS.has(byte) && !starts && before >= 97;
    // A fraction may stand right before its unit: ½l.
    const fraction = FRACTIONS.has(byte) && starts && after !== 0x75;
    if (goesOn && !capitalInside && !fraction) this.latin9 += 1;
    else this.windows += 1;
  }
}
