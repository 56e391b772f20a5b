import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import type { Random } from '../../second-service/random.ts';
import { BYTES } from './mutate-bytes.ts';
import { mutateXml } from './mutate-xml.ts';

/** The files in a zip by their names. */
export type PartBytes = ReadonlyMap<string, Buffer>;

const NAMES = [
  'xl/workbook.xml',
  'XL/WORKBOOK.XML',
  'word/document.xml',
  'content.xml',
  'xl\\worksheets\\sheet1.xml',
  'a',
  'xl/sharedStrings.xml',
];

/** A workbook of which parts were changed, taken away, renamed or swapped, packed again as it should be. */
export async function mutateParts(parts: PartBytes, random: Random): Promise<Buffer> {
  const changed = new Map(parts);
  for (let count = 1 + random.below(2); count > 0; count--) changeOne(changed, random);
  return zip(changed, random);
}

function changeOne(parts: Map<string, Buffer>, random: Random): void {
  const names = [...parts.keys()];
  if (names.length === 0) return;
  const name = random.pick(names);
  const content = parts.get(name) ?? Buffer.alloc(0);
  const way = random.below(11);
  if (way === 0) parts.delete(name);
  else if (way === 1) parts.set(random.pick(NAMES), content);
  else if (way === 2) parts.set(name, parts.get(random.pick(names)) ?? content);
  else if (way === 3) parts.set(name, random.pick(BYTES)(content, random));
  else parts.set(name, mutateXml(content, random));
}

async function zip(parts: PartBytes, random: Random): Promise<Buffer> {
  const file = new yazl.ZipFile();
  const names = [...parts.keys()];
  if (random.oneIn(4)) names.reverse();
  for (const name of names) {
    const options = {
      compress: !random.oneIn(5),
      forceZip64Format: random.oneIn(10),
      ...(random.oneIn(40) ? { mode: 0o120_777 } : {}),
    };
    if (!name.includes('\\')) file.addBuffer(parts.get(name) ?? Buffer.alloc(0), name, options);
  }
  file.end();
  return buffer(file.outputStream);
}
