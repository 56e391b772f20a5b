import { DEFAULT_LIMITS } from '../../../src/files/limits.ts';
import { inflatePart, readZipDirectory } from '../../../src/xlsx/zip/read-zip.ts';

/** One part of a workbook as text, to see how it is written. */
export async function readPart(file: string, name: string): Promise<string> {
  const entry = (await readZipDirectory(file, DEFAULT_LIMITS)).find(name);
  if (entry === undefined) throw new Error(`${file} has no ${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of inflatePart(file, entry, DEFAULT_LIMITS)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
