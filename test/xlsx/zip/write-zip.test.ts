import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { ZipWriter, zipRecord } from '../../../src/xlsx/zip/write-zip.ts';

test('a part of more than 4 GB, which no spreadsheet program opens, is refused in a sentence', async () => {
  const zip = new ZipWriter(new PassThrough().resume());
  // Chunks that only say that they are so long.
  const chunks = Array.from({ length: 5 }, () =>
    Object.defineProperty(Buffer.alloc(1), 'length', { value: 2 ** 30 }),
  );
  const record = zipRecord(new Date('2027-03-31T07:45:12Z'), 'xl/worksheets/sheet1.xml');
  await expect(zip.add(record, chunks)).rejects.toMatchObject({
    exit: EXIT.file,
    message: 'The workbook would be larger than 4 GB.',
    next: 'Choose a name that ends in .csv, or take less at a time.',
  });
});
