import type { FileHandle } from 'node:fs/promises';
import type { Bilingual } from '../schema/value.ts';
import { notWorkbook, type Refusal, SAVE } from './refusal.ts';

const t = (en: string, nl: string): Bilingual => ({ en, nl });

const OLD_EXCEL: Refusal = {
  sentence: t(
    'is an old Excel workbook (.xls), which this program does not read',
    'is een oude Excel-werkmap (.xls), en die leest dit programma niet',
  ),
  next: SAVE,
};

/** What holds a stream of this name; the first that is found counts. */
const STREAMS: readonly (readonly [string, Refusal])[] = [
  [
    'DRMEncryptedDataSpace',
    {
      sentence: t('is protected by rights management', 'is beveiligd met rechtenbeheer (IRM)'),
      next: t(
        'Ask its owner for a copy without protection.',
        'Vraag de eigenaar om een kopie zonder beveiliging.',
      ),
    },
  ],
  [
    'EncryptedPackage',
    {
      sentence: t('is protected by a password', 'is beveiligd met een wachtwoord'),
      next: t(
        'Open it with the password, save a copy without one and use that file.',
        'Open het met het wachtwoord, sla een kopie zonder wachtwoord op en gebruik dat bestand.',
      ),
    },
  ],
  ['Workbook', OLD_EXCEL],
  ['Book', OLD_EXCEL],
  ['WordDocument', notWorkbook('a Word document', 'een Word-document')],
  ['PowerPoint Document', notWorkbook('a PowerPoint presentation', 'een PowerPoint-presentatie')],
  ['__properties_version1.0', notWorkbook('an Outlook message', 'een Outlook-bericht')],
];

/** What an OLE file is: they hold old workbooks, and new ones with a password; the names of their streams, in UTF-16, tell which. */
export async function oleRefusal(handle: FileHandle): Promise<Refusal> {
  const found = await findNames(handle);
  return (
    STREAMS.find(([name]) => found.has(name))?.[1] ??
    notWorkbook('an old Office file', 'een oud Office-bestand')
  );
}

async function findNames(handle: FileHandle): Promise<Set<string>> {
  const found = new Set<string>();
  const buffer = Buffer.alloc(1 << 20);
  for (let at = 0; ; at += buffer.length) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return found;
    for (const [name] of STREAMS) if (hasEntry(buffer.subarray(0, bytesRead), name)) found.add(name);
  }
}

/** A name counts as a stream's only at the start of a 128-byte directory entry. */
function hasEntry(bytes: Buffer, name: string): boolean {
  const wanted = Buffer.from(`${name}\0`, 'utf16le');
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    if (at % 128 === 0 && bytes[at + 64] === wanted.length) return true;
  }
  return false;
}
