import type { XmlScanner } from '../xml/xml-scanner.ts';

/** The prefix of the root's name with its colon, `x:`, or nothing; to be asked when the root has just been opened, from where the scanner stood before. */
export function rootPrefix(scanner: XmlScanner, before: number): string {
  const text = scanner.bytes.toString('utf8', before, scanner.position);
  return /<([^\s<>/!?:]+:)?[^\s<>/!?:]+(?:\s[^<]*)?\/?>$/.exec(text)?.[1] ?? '';
}
