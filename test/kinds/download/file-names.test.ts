import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileIn, isFileOf, safeName, unsafeExtension, unsafeId } from '../../../src/kinds/download.ts';
import { codePoints } from '../../helpers/code-points.ts';

const SEED = { seed: 7, numRuns: 50 };

describe('the name of a file', () => {
  it.each([
    ['2026001', '2026001', true],
    ['F 2026-001', 'F 2026-001', true],
    ['a<b>:"|?*', 'a_b______', false],
    ['CON', '_CON', false],
    ['com1.x', '_com1.x', false],
    ['.verborgen', '_verborgen', false],
    ['punt. ', 'punt_', false],
    ['rechts\u202Enaar', 'rechts_naar', false],
    ['factuur é', 'factuur _', false],
    ['f2026-1', 'f2026-1', false],
  ])('of %j is %s, with a mark of its own unless it is the id', (id, stem, isPlain) => {
    const name = safeName(id, 'PDF');
    if (isPlain) expect(name).toBe(`${stem}.pdf`);
    else expect(name.replace(/-[0-9a-f]{12}\.pdf$/, '!')).toBe(`${stem}!`);
  });

  it('is one that every file system takes, and another for each id, also where case and accents don’t count', () => {
    const folded = (text: string): string =>
      text.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD');
    const piece = fc.constantFrom('a', 'É', 'e\u0301', 'ß', 'ẞ', 'SS', 'ς', 'Σ', 'ǅ', 'İ', '面'.repeat(90));
    const ids = fc.oneof(
      fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
      codePoints({ minLength: 1, maxLength: 250 }),
    );
    fc.assert(
      fc.property(ids, (id) => {
        fc.pre(unsafeId(id) === null);
        const name = safeName(id, 'pdf');
        expect(name).not.toMatch(/[\\/<>:"|?*\p{Cc}]|^\.|[. ]\.pdf$|^(con|prn|aux|nul|com\d|lpt\d)\./iu);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(190);
        const ways = new Set(
          [id, id.toUpperCase(), id.toLowerCase()].flatMap((one) => [one, one.normalize('NFC')]),
        );
        expect(new Set([...ways].map((one) => folded(safeName(one, 'pdf')))).size).toBe(ways.size);
      }),
      SEED,
    );
  });

  it('is refused to ids that are a path, and to endings of what can’t be told', () => {
    const ids = ['../../x', '..\\x', 'a/b', '/etc/passwd', '.', '...', 'a\0b', 'x'.repeat(501)];
    expect(ids.filter((id) => unsafeId(id) === null)).toEqual([]);
    const endings = [
      'pdf',
      'XML',
      'xlsx',
      '../x',
      'p/f',
      '',
      'pdf ',
      'x'.repeat(11),
      'JS',
      'svg',
      'html',
      'xlsm',
    ];
    expect(endings.filter((one) => unsafeExtension(one) === null)).toEqual(['pdf', 'XML', 'xlsx']);
  });
});

/** An archive of one file that is stored as it is, by the few fields that tell where its directory is. */
function archiveOf(content: Buffer, remark = ''): Buffer {
  const [head, entry, end] = [30, 46, 22].map((size) => Buffer.alloc(size)) as [Buffer, Buffer, Buffer];
  for (const [part, sign] of [
    [head, 'PK\x03\x04'],
    [entry, 'PK\x01\x02'],
    [end, 'PK\x05\x06'],
  ] as const)
    part.write(sign, 'latin1');
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(head.length + content.length, 16);
  end.writeUInt16LE(remark.length, 20);
  return Buffer.concat([head, content, entry, end, Buffer.from(remark)]);
}

const ARCHIVE = archiveOf(Buffer.from('factuur'), 'van de boekhouding');
const NESTED = archiveOf(ARCHIVE);
const PDF = '%PDF-1.4\nfactuur\n%%EOF\n';
const BASE64 = Buffer.from(PDF).toString('base64');
const UBL = '<?xml version="1.0"?>\n<!-- a -->\n<inv:Invoice xmlns:inv="urn:x">1</inv:Invoice>\n';

describe('what comes for an invoice', () => {
  /** Answers; the ending that was asked for; the file, the answer itself, or none. */
  it.each<[string | Buffer, string, 'itself' | 'pdf' | null]>([
    [PDF, 'pdf', 'itself'],
    [`\ufeff${PDF}\0\0 \n`, 'pdf', 'itself'],
    [BASE64, 'pdf', 'pdf'],
    [JSON.stringify({ success: true, file: { data: BASE64 } }), 'pdf', 'pdf'],
    [JSON.stringify([`data:application/pdf;base64,${BASE64}`]), 'pdf', 'pdf'],
    [PDF.slice(0, 12), 'pdf', null],
    [Buffer.from(PDF.slice(0, 12)).toString('base64'), 'pdf', null],
    ['{"success":false,"message":"geen factuur"}', 'pdf', null],
    ['null', 'pdf', null],
    ['', 'pdf', null],
    ['<!doctype html><html><title>Inloggen</title></html>', 'pdf', null],
    [`<br>Notice: x<br>${PDF}`, 'pdf', null],
    [UBL, 'xml', 'itself'],
    [UBL, 'ubl', 'itself'],
    [Buffer.from(`\ufeff${UBL}`, 'utf16le'), 'ubl', 'itself'],
    ['<Invoice><ID>1</ID>', 'xml', null],
    ['<!doctype html><html></html>', 'xml', null],
    ['<br />\n<b>Fatal error</b>: x in y.php', 'xml', null],
    ['<div class="login">Log in</div>', 'xml', null],
    ['<?xml version="1.0"?><Error><Code>404</Code></Error>', 'xml', null],
    ['<s:Fault><faultcode>1</faultcode></s:Fault>', 'xml', null],
    ['Error: invoice not found', 'ubl', null],
    ['<p>Factuur</p>', 'html', null],
    ['a;b\n1;2', 'csv', null],
    [ARCHIVE, 'zip', 'itself'],
    [ARCHIVE.subarray(0, -30), 'zip', null],
    [NESTED.subarray(0, -60), 'zip', null],
    ['\x89PNG\r\n', 'png', null],
    [Buffer.from('\x89PNG\r\n', 'latin1'), 'png', 'itself'],
  ])('is a file by what is in it: %j as %s', (answer, extension, expected) => {
    const bytes = Buffer.from(answer as string);
    const found = fileIn(bytes, extension);
    const wanted = expected === null ? null : expected === 'pdf' ? Buffer.from(PDF) : bytes;
    expect(found === null ? null : Buffer.from(found).toString('latin1')).toBe(
      wanted?.toString('latin1') ?? null,
    );
  });

  const MANY = 300_000;
  it.each<[string, string, boolean]>([
    ['comments', `${'<!---->'.repeat(MANY)}<Invoice>1</Invoice>`, true],
    ['instructions without an end', `${'<?a?>'.repeat(MANY)}<?b<Invoice/>`, false],
    ['brackets of a document type without an end', `<!DOCTYPE a ${'[]'.repeat(MANY)}[<Rekening/>`, false],
    ['attributes', `<Rekening${' b="c"'.repeat(MANY)}></Rekening>`, true],
    ['blanks', `<?a?>${'\n'.repeat(4 * MANY)}<Rekening${'\n'.repeat(4 * MANY)}></Rekening>`, true],
    ['a name', `<${'a'.repeat(4 * MANY)}/>`, false],
  ])('is told in XML with megabytes of %s, without an overflow', (_, text, good) => {
    expect(isFileOf(Buffer.from(text), 'xml')).toBe(good);
  });
});
