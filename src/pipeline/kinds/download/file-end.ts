/** A PDF ends with this mark; what some servers put behind it is short. */
const PDF_END = '%%EOF';
const BEHIND_PDF = 2048;

const DIRECTORY = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
const DIRECTORY_END = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
/** The record without its comment, which is at most as long as two bytes can say. */
const RECORD = 22;
const LONGEST_COMMENT = 0xffff;
/** The two further records of a large archive, which stand between the directory and its end. */
const LARGE_RECORDS = 100;

/** Whether a PDF goes on to its end. */
export function isWholePdf(bytes: Uint8Array): boolean {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] as number) <= 0x20) end--;
  return Buffer.from(bytes.subarray(Math.max(0, end - BEHIND_PDF), end)).includes(PDF_END);
}

/** Whether an archive has its directory, which stands at its end; one that is packed within it does not count. */
export function isWholeZip(bytes: Uint8Array): boolean {
  const from = Math.max(0, bytes.length - RECORD - LONGEST_COMMENT);
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
  const at = tail.lastIndexOf(DIRECTORY_END);
  if (at < 0 || at + RECORD > tail.length) return false;
  const [size, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (size === 0xffffffff || offset === 0xffffffff) return true;
  const between = from + at - (offset + size);
  const directory = Buffer.from(bytes.subarray(offset, offset + DIRECTORY.length));
  return between >= 0 && between <= LARGE_RECORDS && (size === 0 || directory.equals(DIRECTORY));
}
