import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoderOf } from '../../src/csv/encoding.ts';
import { csvEncoder } from '../../src/csv/write-csv.ts';
import type { NumberedOutcome } from '../../src/files/result-sheet.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { writeResult } from '../../src/workbook/write-result.ts';
import { scratchFolder } from '../workbook/make-workbook.ts';

const folder = scratchFolder();
const MARK = '\ufeff';

/** The bytes of a CSV's result with this message on its second row, and what is said of it. */
async function back(bytes: Buffer, message: string): Promise<{ bytes: Buffer; notes: readonly string[] }> {
  const [file, target] = [join(folder, 'in.csv'), join(folder, 'uit.csv')];
  writeFileSync(file, bytes);
  const workbook = await readWorkbook(file);
  const outcomes = {
    async *[Symbol.asyncIterator](): AsyncGenerator<NumberedOutcome> {
      yield { row: 2, cells: ['updated', message], tone: 'good' };
    },
  };
  const [{ rows } = expect.fail('no sheet')] = workbook.sheets;
  const added = { firstColumn: 4, headers: ['#status', '#message'] };
  const sheet = { name: 'in', hidden: false, headerRow: 1, added, rows, outcomes };
  const { notes } = await writeResult(target, [sheet], { style: workbook.style });
  return { bytes: readFileSync(target), notes: notes.map(({ en }) => en) };
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const narrow = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each<[string, Buffer, string, Buffer]>([
  [
    'Windows-1252, which has no arrow',
    narrow('Nr;Naam;Prijs\r\n1;Cr\xe8me br\xfbl\xe9e;\x80 12\r\n'),
    'Prijs: 12,5 → 13,75\nmet “thee”…',
    narrow(
      'Nr;Naam;Prijs;#status;#message\r\n1;Cr\xe8me br\xfbl\xe9e;\x80 12;updated;"Prijs: 12,5 -> 13,75\nmet \x93thee\x94\x85"\r\n',
    ),
  ],
  [
    'UTF-16 of either byte order, with a mark',
    wide(`${MARK}Nr\tNaam\tPrijs\r\n1\tCrème\t2\r\n`).swap16(),
    'Prijs: 1 → 2',
    wide(`${MARK}Nr\tNaam\tPrijs\t#status\t#message\r\n1\tCrème\t2\tupdated\tPrijs: 1 → 2\r\n`).swap16(),
  ],
  [
    'a separator that its first line names, with quotes where they are needed',
    Buffer.from('sep=,\r\n"Nr","Naam","Prijs"\r\n1,"Crème",12.5\r\n2,"Thee",\r\n'),
    'Prijs → 2',
    Buffer.from(
      `${MARK}sep=,\r\nNr,Naam,Prijs,#status,#message\r\n1,Crème,12.5,updated,Prijs → 2\r\n2,Thee\r\n`,
    ),
  ],
])('a result is written like the CSV that was read: %s', async (_, bytes, message, expected) => {
  const { bytes: written, notes } = await back(bytes, message);
  expect(written.toString('latin1')).toBe(expected.toString('latin1'));
  expect(notes).toEqual([]);
  // What was written is found to be what it is.
  writeFileSync(join(folder, 'weer.csv'), written);
  const again = await readWorkbook(join(folder, 'weer.csv'));
  const first = await readWorkbook(join(folder, 'in.csv'));
  expect(again.style).toEqual(first.style);
});

test('where the encoding lacks a character of somebody’s own, the result is in UTF-8 and says so', async () => {
  const { bytes, notes } = await back(narrow('Nr;Naam;Prijs\n1;Cr\xe8me;2\n'), 'Naam: Şiş → Crème');
  expect(bytes.toString()).toBe(
    `${MARK}Nr;Naam;Prijs;#status;#message\r\n1;Crème;2;updated;Naam: Şiş → Crème\r\n`,
  );
  expect(notes).toEqual([
    'the result is in UTF-8, as windows-1252, which the file is in, lacks a character of it (Ş)',
  ]);
});

test.each(['windows-1252', 'iso-8859-15', 'macintosh', 'utf-16be'])(
  '%s: what is decoded from it is encoded to it again, and the arrow of a change can be',
  (encoding) => {
    const { encode, simplified } = csvEncoder(encoding);
    const decoded = (bytes: Uint8Array): string => {
      const decode = decoderOf(encoding);
      return decode(Buffer.from(bytes)) + decode(undefined);
    };
    const read = fc
      .uint8Array({ minLength: 2, maxLength: 40, size: 'max' })
      .map((bytes) => bytes.subarray(0, bytes.length & ~1))
      .map((bytes) => {
        try {
          return decoded(bytes);
        } catch {
          return 'no text in it';
        }
      });
    // A mark at the very begin is none of the text.
    fc.assert(
      fc.property(read, (text) => {
        expect(decoded(encode(`x${text}`))).toBe(`x${text}`);
      }),
      { seed: 1 },
    );
    expect(decoded(encode(simplified('12,5 → 13,75')))).toMatch(/^12,5 (→|->) 13,75$/);
  },
);
