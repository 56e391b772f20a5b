import type { FileHandle } from 'node:fs/promises';
import type { Bilingual } from '../schema/value.ts';
import { unmarkedUtf16 } from './csv-encoding.ts';
import { oleRefusal } from './ole-kinds.ts';
import { EXPORT, notWorkbook, type Refusal, SAVE } from './refusal.ts';
import { textRefusal } from './text-kinds.ts';

const t = (en: string, nl: string): Bilingual => ({ en, nl });

const IMAGE = notWorkbook('an image', 'een afbeelding');
const DATABASE = notWorkbook('a database', 'een database');
const UTF_32: Refusal = {
  sentence: t(
    'is text in UTF-32, which spreadsheet programs do not write',
    'is tekst in UTF-32, en dat schrijven spreadsheetprogramma’s niet',
  ),
  next: t('Save it again as CSV UTF-8.', 'Sla het opnieuw op als CSV UTF-8.'),
};

const archive = (en: string, nl: string): Refusal =>
  notWorkbook(
    en,
    nl,
    t('Unpack it and use the workbook that is in it.', 'Pak het uit en gebruik de werkmap die erin zit.'),
  );

const excel = (version: number): Refusal => ({
  sentence: t(
    `is an Excel workbook of version ${version}, which this program does not read`,
    `is een Excel-werkmap van versie ${version}, en die leest dit programma niet`,
  ),
  next: SAVE,
});

/** How files of other kinds begin, byte by byte. */
const SIGNATURES: readonly (readonly [string | RegExp, Refusal])[] = [
  ['%PDF', notWorkbook('a PDF', 'een PDF')],
  ['\x89PNG', IMAGE],
  ['\xff\xd8\xff', IMAGE],
  ['GIF8', IMAGE],
  ['II*\0', IMAGE],
  ['MM\0*', IMAGE],
  [/^RIFF....WEBP/s, IMAGE],
  [/^\0\0\0.ftyp(hei|mif1|avif)/s, IMAGE],
  [/^\0\0\0.ftyp/s, notWorkbook('a video', 'een video')],
  ['{\\rtf', notWorkbook('an RTF document', 'een RTF-document')],
  ['\x1f\x8b', archive('a gzip archive', 'een gzip-archief')],
  [/^BZh\d1AY&SY/, archive('a bzip2 archive', 'een bzip2-archief')],
  ['\xfd7zXZ\0', archive('an xz archive', 'een xz-archief')],
  ['Rar!', archive('a RAR archive', 'een RAR-archief')],
  ['7z\xbc\xaf', archive('a 7-Zip archive', 'een 7-Zip-archief')],
  [/^.{257}ustar/s, archive('a tar archive', 'een tar-archief')],
  ['\x09\0\x04\0', excel(2)],
  ['\x09\x02\x06\0', excel(3)],
  ['\x09\x04\x06\0', excel(4)],
  ['\x09\x08\x08\0', excel(5)],
  ['\x09\x08\x10\0', excel(97)],
  ['\xff\xfe\0\0', UTF_32],
  ['\0\0\xfe\xff', UTF_32],
  ['SQLite format 3', DATABASE],
  ['\0\x01\0\0Standard ', DATABASE],
  [
    'L\0\0\0\x01\x14\x02\0',
    notWorkbook(
      'a shortcut',
      'een snelkoppeling',
      t('Name the workbook that it leads to.', 'Noem de werkmap waar ze naar verwijst.'),
    ),
  ],
];

const DAMAGED: Refusal = {
  sentence: t(
    'is neither an Excel workbook nor text: it is damaged, or something else',
    'is geen Excel-werkmap en geen tekst: het is beschadigd, of iets anders',
  ),
  next: EXPORT,
};

/** Why a file that is no zip can't be read as CSV either, by its first bytes; undefined when it can. */
export async function refusal(
  handle: FileHandle,
  head: Buffer,
  extension: string,
): Promise<Refusal | undefined> {
  if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') return oleRefusal(handle);
  const start = head.toString('latin1');
  const signature = SIGNATURES.find(([bytes]) =>
    typeof bytes === 'string' ? start.startsWith(bytes) : bytes.test(start),
  );
  if (signature !== undefined) return signature[1];
  const wide = /^(\xff\xfe|\xfe\xff)/.test(start) || unmarkedUtf16(head) !== undefined;
  if (!wide && isBinary(head)) return DAMAGED;
  return textRefusal(start.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', ''), extension);
}

/** Text may hold a control character or two that got into a cell, or be cut by ASCII's own separators (28-31); where others are common, it is no text. */
function isBinary(head: Buffer): boolean {
  let controls = 0;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 27)) controls++;
  return controls > 2 && controls * 20 > head.length;
}
