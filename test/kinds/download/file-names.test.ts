import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileIn, isFileOf } from '../../../src/kinds/download/file-content.ts';
import { safeName, unsafeExtension, unsafeId } from '../../../src/kinds/download/safe-name.ts';

describe('the name of a file', () => {
  it.each([
    ['2026001', '2026001.pdf'],
    ['F 2026-001', 'F 2026-001.pdf'],
    ['CONTO', 'CONTO.pdf'],
    ['_CON', '_CON.pdf'],
    ['A_B', 'A_B.pdf'],
    ['É', 'É.pdf'],
    ['İ', 'İ.pdf'],
  ])('of %j is %s', (id, name) => {
    expect(safeName(id, 'PDF')).toBe(name);
  });

  it.each([
    ['a<b>:"|?*', 'a_b______'],
    ['CON', '_CON'],
    ['com1.x', '_com1.x'],
    ['con .x', '_con .x'],
    ['.verborgen', '_verborgen'],
    ['punt. ', 'punt_'],
    ['rechts\u202Enaar', 'rechts_naar'],
    ['E\u0301', 'É'],
    ['f2026-1', 'f2026-1'],
    ['\u1E9E', '\u1E9E'],
  ])('of %j is %s with a mark of its own, so that it is no other’s', (id, stem) => {
    const name = safeName(id, 'PDF');
    expect(name.replace(/-[0-9a-f]{12}\.pdf$/, '')).toBe(stem);
    expect(name).not.toBe(`${stem}.pdf`);
    expect(stem === id || safeName(stem, 'pdf') !== name).toBe(true);
  });

  it('is another for ids that differ in capitals or in the way accents are written alone', () => {
    const folded = (text: string): string =>
      text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().normalize('NFD');
    const piece = fc.constantFrom(
      'a',
      'A',
      'é',
      'É',
      'e\u0301',
      'E\u0301',
      'ß',
      'ẞ',
      'SS',
      'ς',
      'σ',
      'Σ',
      'ǅ',
      'İ',
    );
    const grapheme = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, grapheme), { minLength: 1, maxLength: 4 }), (pieces) => {
        const id = pieces.join('');
        const ways = [id, id.toUpperCase(), id.toLowerCase(), id.toLowerCase().toUpperCase()];
        const ids = new Set(ways.flatMap((one) => [one, one.normalize('NFC'), one.normalize('NFD')]));
        expect(new Set([...ids].map((one) => folded(safeName(one, 'pdf')))).size).toBe(ids.size);
      }),
      { numRuns: 200 },
    );
  });

  it('is one that every file system takes, whatever the id, and as long as that is short another for another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 250 }), (id) => {
        fc.pre(unsafeId(id) === null);
        const name = safeName(id, 'pdf');
        expect(name).not.toMatch(/[\\/<>:"|?*\p{Cc}]|^\.|[. ]\.pdf$/u);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(190);
        expect(name).toBe(safeName(id, 'pdf'));
      }),
      { numRuns: 50 },
    );
    const long = 'x'.repeat(300);
    expect(unsafeId(long.repeat(2))).not.toBeNull();
    expect(Buffer.byteLength(safeName('面'.repeat(300), 'pdf'))).toBeLessThanOrEqual(190);
    expect(safeName(`${long}1`, 'pdf')).not.toBe(safeName(`${long}2`, 'pdf'));
  });

  it.each(['../../x', '..\\x', 'a/b', '/etc/passwd', '.', '..', '...', 'a\0b'])('is refused to %j', (id) => {
    expect(unsafeId(id)).not.toBeNull();
  });

  it.each([
    ['pdf', true],
    ['XML', true],
    ['../x', false],
    ['p/f', false],
    ['', false],
    ['pdf ', false],
    ['x'.repeat(11), false],
    ['exe', false],
    ['JS', false],
    ['svg', false],
    ['SVGZ', false],
    ['html', false],
    ['xlsm', false],
    ['xlsx', true],
    ['docx', true],
  ])('may end in %j: %s', (extension, good) => {
    expect(unsafeExtension(extension) === null).toBe(good);
  });
});

/** An archive of one file that is stored as it is, by the few fields that tell where its directory is. */
function archiveOf(content: Buffer, remark = ''): Buffer {
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  const entry = Buffer.alloc(46);
  entry.write('PK\x01\x02', 'latin1');
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(head.length + content.length, 16);
  end.writeUInt16LE(remark.length, 20);
  return Buffer.concat([head, content, entry, end, Buffer.from(remark)]);
}

const ARCHIVE = archiveOf(Buffer.from('factuur'));
const REMARKED = archiveOf(Buffer.from('factuur'), 'van de boekhouding');
const NESTED = archiveOf(ARCHIVE);

describe('what comes for an invoice', () => {
  const pdf = Buffer.from('%PDF-1.4\nfactuur\n%%EOF\n');
  const base64 = pdf.toString('base64');
  it.each<[string, string | Uint8Array, string, Uint8Array | null]>([
    ['the file', pdf, 'pdf', pdf],
    ['the file behind a byte order mark', `\ufeff${pdf}`, 'pdf', Buffer.from(`\ufeff${pdf}`)],
    ['base64', base64, 'pdf', pdf],
    ['base64 as JSON', JSON.stringify(base64), 'pdf', pdf],
    ['base64 in a member', JSON.stringify({ success: true, file: { data: base64 } }), 'pdf', pdf],
    ['a data address', JSON.stringify([`data:application/pdf;base64,${base64}`]), 'pdf', pdf],
    ['a refusal', '{"success":false,"message":"geen factuur"}', 'pdf', null],
    ['null', 'null', 'pdf', null],
    ['nothing', '', 'pdf', null],
    ['a login page', '<!doctype html><html><title>Inloggen</title></html>', 'pdf', null],
    ['a login page for XML', '<!doctype html><html></html>', 'xml', null],
    ['XML', '<?xml version="1.0"?><Invoice/>', 'xml', Buffer.from('<?xml version="1.0"?><Invoice/>')],
    ['text', 'a;b\n1;2', 'csv', Buffer.from('a;b\n1;2')],
    ['a refusal for text', '{"message":"nee"}', 'csv', null],
    ['JSON', '{"id":1}', 'json', Buffer.from('{"id":1}')],
    ['an archive', ARCHIVE, 'zip', ARCHIVE],
    ['an archive with a remark behind it', REMARKED, 'zip', REMARKED],
    ['an archive that was cut off', ARCHIVE.subarray(0, -30), 'zip', null],
    ['an archive cut off behind one that is packed in it', NESTED.subarray(0, -60), 'zip', null],
    ['a PDF that was cut off', pdf.subarray(0, 12), 'pdf', null],
    ['a PDF that was cut off, as base64', pdf.subarray(0, 12).toString('base64'), 'pdf', null],
    ['a PDF with blanks behind it', `${pdf}\0\0 \n`, 'pdf', Buffer.from(`${pdf}\0\0 \n`)],
  ])('is taken as it is meant: %s', (_, answer, extension, expected) => {
    const found = fileIn(Buffer.from(answer as string), extension);
    expect(found === null ? null : Buffer.from(found).toString('latin1')).toBe(
      expected === null ? null : Buffer.from(expected).toString('latin1'),
    );
  });

  const ubl = '<?xml version="1.0"?>\n<!-- a -->\n<inv:Invoice xmlns:inv="urn:x">1</inv:Invoice>\n';
  it.each<[string, string, string, string, boolean]>([
    ['an error of PHP', '<br />\n<b>Fatal error</b>: x in y.php', 'xml', 'text/html', false],
    ['an error of PHP that names no type', '<br />\n<b>Fatal error</b>: x', 'xml', '', false],
    ['a careless page', '<div class=login>Log in</div>', 'xml', 'application/xml', false],
    ['a careful page', '<div class="login">Log in</div>', 'xml', 'application/xml', false],
    [
      'an error in XML',
      '<?xml version="1.0"?><Error><Code>404</Code></Error>',
      'xml',
      'application/xml',
      false,
    ],
    ['XML that was cut off', '<Invoice><ID>1</ID>', 'xml', 'application/xml', false],
    ['XML', ubl, 'xml', 'application/xml', true],
    ['XML with little about it', '<Invoice/>', 'ubl', '', true],
    ['XML as plain bytes', ubl, 'ubl', 'application/octet-stream', true],
    ['an error for XML of another name', 'Error: invoice not found', 'ubl', 'text/plain', false],
    ['an error for a kind that nobody knows', 'Invoice 1001', 'rpt', 'text/plain', false],
    ['an error in JSON for it', '{"fout":1}', 'rpt', 'application/json', false],
    ['a kind that nobody knows', 'Invoice 1001', 'rpt', 'application/octet-stream', true],
    ['a refusal for JSON', '{"success":false}', 'json', 'application/json', false],
    ['an error for JSON', '{"data":{"status":"error"}}', 'json', 'application/json', false],
    ['a problem for JSON', '{"title":"weg"}', 'json', 'application/problem+json', false],
    ['JSON', '{"id":1,"success":true,"errors":[]}', 'json', 'application/json', true],
    ['records', 'id;fout\n1;geen', 'csv', 'text/plain', true],
    ['an error for records', 'Fout: factuur niet gevonden', 'csv', 'text/plain', false],
    ['a PDF that nobody named the type of', '%PDF-1.4 %%EOF', 'pdf', 'text/html', true],
    ['a page that holds a PDF', '<br>Notice: x<br>%PDF-1.4', 'pdf', 'text/html', false],
    ['a page, also under its own name', '<p>Factuur</p>', 'html', 'text/html', false],
  ])('is a file by what is in it and what it is called: %s', (_, answer, extension, type, good) => {
    expect(fileIn(Buffer.from(answer), extension, type === '' ? null : type) !== null).toBe(good);
  });

  const MANY = 3_000_000;
  it.each<[string, string, boolean]>([
    ['comments', `${'<!---->'.repeat(MANY)}<Invoice/>`, true],
    ['instructions without an end', `${'<?a?>'.repeat(MANY)}<?b<Invoice/>`, false],
    [
      'a document type',
      `<!DOCTYPE a ${'b'.repeat(4 * MANY)}[${'<!ENTITY c ">">'.repeat(9)}]><Rekening></Rekening>`,
      true,
    ],
    ['brackets of a document type without an end', `<!DOCTYPE a ${'[]'.repeat(MANY)}[<Rekening/>`, false],
    ['attributes', `<Rekening${' b="c"'.repeat(MANY)}></Rekening>`, true],
    ['a value without an end', `<Rekening${' b="c"'.repeat(MANY)} d="></Rekening>`, false],
    ['a value', `<Rekening b='${'é'.repeat(4 * MANY)}'/>`, true],
    [
      'blanks',
      `<?a?>${'\n'.repeat(4 * MANY)}<Rekening${'\n'.repeat(4 * MANY)}></Rekening${'\n'.repeat(4 * MANY)}>`,
      true,
    ],
    ['a name', `<${'a'.repeat(4 * MANY)}/>`, false],
  ])('is told in XML with megabytes of %s, without an overflow', (_, text, good) => {
    expect(isFileOf(Buffer.from(text), 'xml')).toBe(good);
  });

  it('never breaks on any bytes, and is never a page', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('pdf', 'xml', 'csv', 'json'),
        (bytes, kind) => {
          const found = fileIn(bytes, kind);
          if (found !== null) expect(isFileOf(found, kind)).toBe(true);
        },
      ),
    );
  });
});
