/** The text of a small file in UTF-8, or in UTF-16 as PowerShell writes it; without the mark that programs on Windows begin it with. */
export function decodeText(bytes: Uint8Array): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes);
}
