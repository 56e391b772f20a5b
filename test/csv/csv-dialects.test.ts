import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/core/errors.ts';
import { scratchFolder } from '../workbook/make-workbook.ts';
import { type CsvRead, readText, rowsText } from './csv-rows.ts';

const folder = scratchFolder();

const read = (content: string | Buffer, options = {}): Promise<CsvRead> =>
  readText(join(folder, 'telling.csv'), content, options);

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** What two encodings of one byte have where ISO 8859-1 has something else. */
const WINDOWS_1252: Readonly<Record<string, number>> = { '€': 0x80, '…': 0x85, Ž: 0x8e, '–': 0x96, œ: 0x9c };
const ISO_8859_15: Readonly<Record<string, number>> = {
  ...{ '€': 0xa4, Š: 0xa6, š: 0xa8, Ž: 0xb4 },
  ...{ ž: 0xb8, Œ: 0xbc, œ: 0xbd, Ÿ: 0xbe },
};

/** Letters of Dutch, French and German in code page 850, and what 437 has elsewhere. */
const CP850: Readonly<Record<string, number>> = {
  ...{ ü: 0x81, é: 0x82, â: 0x83, ä: 0x84, à: 0x85, ç: 0x87, ê: 0x88, ë: 0x89, è: 0x8a, ï: 0x8b },
  ...{ É: 0x90, ô: 0x93, ö: 0x94, û: 0x96, á: 0xa0, í: 0xa1, ó: 0xa2, ú: 0xa3, ñ: 0xa4, '½': 0xab },
  ...{ ß: 0xe1, '°': 0xf8, '│': 0xb3, Ë: 0xd3 },
};
const CP437: Readonly<Record<string, number>> = { é: 0x82, ë: 0x89, ß: 0xe1, π: 0xe3, '∞': 0xec, '½': 0xab };

function bytesOf(text: string, table: Readonly<Record<string, number>>): Buffer {
  return Buffer.from([...text].map((letter) => table[letter] ?? letter.charCodeAt(0)));
}

const windows = (text: string): Buffer => bytesOf(text, WINDOWS_1252);
const dos = (text: string): Buffer => bytesOf(text, CP850);
const latin9 = (text: string): Buffer => bytesOf(text, ISO_8859_15);

/** How text becomes bytes, the encoding as the workbook tells it, letters that it has, and whether the user must name it for random text. */
const ENCODINGS: readonly (readonly [string, (text: string) => Buffer, string, string, string?])[] = [
  ['UTF-8', (text) => Buffer.from(text), 'utf-8', 'é€Šœ😀寿'],
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`), 'utf-8', 'é€Šœ😀寿'],
  ['UTF-16 LE with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le', 'é€Šœ😀寿'],
  ['UTF-16 BE with a mark', (text) => bigEndian(`\ufeff${text}`), 'utf-16be', 'é€Šœ😀寿'],
  ['UTF-16 LE without', (text) => Buffer.from(text, 'utf16le'), 'utf-16le', 'éë½'],
  ['UTF-16 BE without', (text) => bigEndian(text), 'utf-16be', 'éë½'],
  ['Windows-1252', windows, 'windows-1252', 'éë€…–Žœ½', 'cp1252'],
  ['ISO 8859-15', latin9, 'iso-8859-15', 'éë€ŠŽšžœŒŸ', 'latin9'],
  ['code page 850', dos, 'cp850', 'éëüÉ½│', 'cp850'],
  ['code page 437', (text) => bytesOf(text, CP437), 'cp437', 'éëπ∞½', '437'],
];

const DELIMITERS = [';', ',', '\t', '|'];
const LINE_ENDS = ['\n', '\r\n', '\r'];

/** Records as a program writes them, fields in quotes where they need them. */
function write(records: readonly (readonly string[])[], delimiter: string, lineEnd: string): string {
  const field = (text: string): string =>
    /["\n]/.test(text) || text.includes(delimiter)
      ? `"${text.replaceAll('"', '""').replaceAll('\n', lineEnd)}"`
      : text;
  return records.map((record) => record.map(field).join(delimiter) + lineEnd).join('');
}

describe.each(
  ENCODINGS.map(([name, encode, encoding, letters, named]) => ({ name, encode, encoding, letters, named })),
)('$name: what is written is what is read', ({ encode, encoding, letters, named }) => {
  const told = named === undefined ? {} : { encoding: named };
  const field = fc.string({
    unit: fc.constantFrom('a', 'b', '1', '"', ';', ',', '|', '\t', '\n', ' ', ...letters),
    maxLength: 6,
  });
  const records = fc.array(fc.tuple(fc.constant('x'), field, field, fc.constant('z')), {
    minLength: 1,
    maxLength: 6,
  });

  test('for any records, separators and line ends', async () => {
    const separator = fc.constantFrom(...DELIMITERS);
    await fc.assert(
      fc.asyncProperty(
        records,
        separator,
        fc.constantFrom(...LINE_ENDS),
        async (written, delimiter, lineEnd) => {
          const result = await read(encode(write(written, delimiter, lineEnd)), { delimiter, ...told });
          expect(Object.values(result.rows)).toEqual(written);
          expect(result.workbook).toMatchObject({ format: 'csv', delimiter, encoding });
        },
      ),
      { numRuns: 10, seed: 1 },
    );
  });

  test.each(DELIMITERS.map((delimiter, at) => [delimiter, LINE_ENDS[at % LINE_ENDS.length] ?? ''] as const))(
    'with %j and %j, none of it told',
    async (delimiter, lineEnd) => {
      // Of the two code pages the other is by far the commoner here, and the letters are the same.
      const sought = encoding === 'cp437' ? 'cp850' : encoding;
      const price = letters.includes('€') ? '€ 3,75' : '3,75';
      const written = [
        ['naam', 'prijs', 'opmerking'],
        [encoding === 'cp437' ? 'entrée' : 'crème brûlée', '1,50', 'met "room"; warm, of koud'],
        ['Zoë', price, 'twee\nregels | of meer'],
        ['koffie', '2,25', ''],
      ];
      const result = await read(encode(write(written, delimiter, lineEnd)));
      const found = result.workbook.encoding;
      expect(found).toBe(sought);
      expect(result.workbook.delimiter).toBe(delimiter);
      expect(Object.values(result.rows).map((row) => [...row, '', ''].slice(0, 3))).toEqual(written);
    },
  );
});

/** Text of one byte a letter, and what it must be taken for. */
const FOUND: readonly (readonly [string, Buffer, string, string])[] = [
  ['a price in euros of Windows', windows('Zoë;€ 5'), 'windows-1252', 'Zoë;€ 5'],
  ['a price in euros of Unix', latin9('Zoë;€ 5'), 'iso-8859-15', 'Zoë;€ 5'],
  ['a euro beside what only Windows has', windows('…;¤ 5'), 'windows-1252', '…;¤ 5'],
  ['names from the east', latin9('Dušan;Žižka;Škoda'), 'iso-8859-15', 'Dušan;Žižka;Škoda'],
  [
    'an accent for an apostrophe',
    windows('foto´s;menu´s;´s avonds'),
    'windows-1252',
    'foto´s;menu´s;´s avonds',
  ],
  ['names by Excel for DOS', dos('Zoë;André;Noëlle'), 'cp850', 'Zoë;André;Noëlle'],
  ['capitals by Excel for DOS', dos('CAFÉ'), 'cp850', 'CAFÉ'],
  ['signs of Windows beside its letters', windows('café… – crème;Zoë'), 'windows-1252', 'café… – crème;Zoë'],
  ['letters that both have', windows('Zoë;crème'), 'windows-1252', 'Zoë;crème'],
];

describe('the encoding of a CSV', () => {
  test.each(FOUND)('is found: %s', async (_, bytes, encoding, text) => {
    const { rows, workbook } = await read(bytes, { delimiter: ';' });
    expect([rows[1]?.join(';'), workbook.encoding]).toEqual([text, encoding]);
  });

  test.each([
    ['utf8', 'utf-8'],
    ['latin1', 'windows-1252'],
    ['ISO-8859-1', 'windows-1252'],
    ['Windows 1252', 'windows-1252'],
    ['ANSI', 'windows-1252'],
    ['ISO_8859-15', 'iso-8859-15'],
    ['utf-16', 'utf-16le'],
    ['windows-1250', 'windows-1250'],
    ['850', 'cp850'],
    ['IBM-437', 'cp437'],
  ])('may be named %s', async (encoding, known) => {
    const text = known.startsWith('utf-16') ? Buffer.from('a;b', 'utf16le') : 'a;b';
    const { rows, workbook } = await read(text, { encoding });
    expect([rows, workbook.encoding]).toEqual([{ 1: ['a', 'b'] }, known]);
  });

  test('is the named one, whatever the bytes say', async () => {
    expect((await read(Buffer.from('Zo\xeb;\xa4', 'latin1'), { encoding: 'latin1' })).rows).toEqual({
      1: ['Zoë', '¤'],
    });
    expect((await read(bigEndian('\ufeffa;b'), { encoding: 'utf-16' })).rows).toEqual({ 1: ['a', 'b'] });
    expect((await read('\ufeffZoë', { encoding: 'cp1252' })).rows).toEqual({ 1: ['ZoÃ«'] });
  });

  test.each(['ebcdic', 'utf-99', '', 'replacement'])('can not be %j', async (encoding) => {
    await expect(read('a', { encoding })).rejects.toMatchObject({
      exit: EXIT.usage,
      next: expect.stringContaining('utf-8, utf-16, windows-1252'),
    });
  });

  test('is refused when the bytes do not fit it', async () => {
    await expect(read(Buffer.from('Zo\xeb', 'latin1'), { encoding: 'utf-8' })).rejects.toMatchObject({
      exit: EXIT.file,
      message: 'The file telling.csv is not in the encoding utf-8.',
    });
  });

  test.each([
    [
      'pasted together',
      Buffer.concat([Buffer.from('a;b\n1;crème\n'), Buffer.from('2;Zo\xeb\n', 'latin1')]),
      3,
    ],
    ['marked as UTF-8', Buffer.concat([Buffer.from('\ufeffa;b\r\n1;x\r\n2;'), Buffer.from([0xeb])]), 3],
  ])('is refused, with the line, when there are two in one file: %s', async (_, bytes, line) => {
    await expect(read(bytes)).rejects.toMatchObject({
      exit: EXIT.file,
      message: `In telling.csv line ${line} is in another encoding than the rest, which is UTF-8.`,
    });
    await expect(read(bytes, { encoding: 'cp1252' })).resolves.toBeDefined();
  });

  test('is UTF-8 with a character over the edge of a chunk', async () => {
    const text = `a;${'x'.repeat((1 << 18) - 4)}😀;é`;
    expect((await read(text)).workbook.encoding).toBe('utf-8');
    expect((await read(text)).rows[1]?.at(-1)).toBe('é');
  });

  test.each([
    ['once', 'a;b\n1;2\n3;\0\n', 3],
    ['in quotes', 'a;b\n1;"x\n\0"\n', 3],
    ['in UTF-16', Buffer.from('\ufeffa;b\n1;\0', 'utf16le'), 2],
  ])('is in doubt, with the line, for a NUL character: %s', async (_, text, line) => {
    await expect(read(text)).rejects.toMatchObject({
      exit: EXIT.file,
      message: expect.stringContaining(`In telling.csv line ${line} holds a NUL character`),
    });
  });
});

/** What a text is cut by, and into how many fields its rows. */
const LAYOUTS: readonly (readonly [string, string, string, string])[] = [
  ['decimal commas in every column', 'P;Q\n1,5;2,5\n3,5;4,5', ';', '1 P·Q / 2 1,5·2,5 / 3 3,5·4,5'],
  ['an inch that opens nothing', 'a;b\n12" pan;1\n14" pan;2', ';', '1 a·b / 2 12" pan·1 / 3 14" pan·2'],
  [
    'a title and blank lines',
    'Telling, week 12\n\n\nID;Naam\n1;Soep\n2;Brood\n',
    ';',
    '1 Telling, week 12 / 4 ID·Naam / 5 1·Soep / 6 2·Brood',
  ],
  ['a sep= line', 'sep=|\r\na,b|c\r\n1|2', '|', '1 a,b·c / 2 1·2'],
  ['a sep= line in quotes', '"sep=;"\na,b;c', ';', '1 a,b·c'],
  ['a sep= line that a program filled up', 'sep=;;;\na;b;c;d', ';', '1 a·b·c·d'],
  ['a header that only looks like one', 'sep=\nx', ';', '1 sep= / 2 x'],
  [
    'texts that formulas keep',
    'ID;b\n="00123";="a""b"\n"=""007""";=1+1',
    ';',
    '1 ID·b / 2 00123·a"b / 3 007·=1+1',
  ],
  [
    'bars around each row, and lines between them',
    '--------------\n|ID|Naam|Prijs|\n--------------\n|1|Soep; warm|1,50|\n--------------\n',
    '|',
    '2 ·ID·Naam·Prijs / 4 ·1·Soep; warm·1,50',
  ],
];

/** Lines that are quoted as a whole, what they are cut by, whether it is said of the file, and of which rows. */
const QUOTED: readonly (readonly [string, string, string, boolean, string, number[]?])[] = [
  [
    'each, with quotes inside, and a text over lines',
    '"ID,Naam,Prijs"\n"1,""Soep, warm"",""1,50"""\n"2,""met """"kaas"""""",3"\n"3,""soep\nvan de dag"",4"',
    ',',
    true,
    '1 ID·Naam·Prijs / 2 1·Soep, warm·1,50 / 3 2·met "kaas"·3 / 4 3·soep\nvan de dag·4',
  ],
  [
    'each, one with a value too many and one with a stray quote',
    '"ID;Naam"\n"1;Soep"\n"2;Bord 12"" diep"\n\n"3;Brood;wit"\n"4;Kaas"\n',
    ';',
    true,
    '1 ID·Naam / 2 1·Soep / 3 2·Bord 12" diep / 5 3·Brood·wit / 6 4·Kaas',
  ],
  [
    'those with another separator in them',
    'ID;Naam;Prijs\n"1;Soep;1,50"\n2;Brood;3\n"3;Kaas;2,25"\n',
    ';',
    false,
    '1 ID·Naam·Prijs / 2 1·Soep·1,50 / 3 2·Brood·3 / 4 3·Kaas·2,25',
    [2, 4],
  ],
  [
    'none: texts with commas in one column',
    '"Naam"\n"Soep, warm"\n"Brood, wit"\n',
    ';',
    false,
    '1 Naam / 2 Soep, warm / 3 Brood, wit',
  ],
  ['none: each field by itself', '"ID";"Naam"\n"1";"Soep; warm"\n', ';', false, '1 ID·Naam / 2 1·Soep; warm'],
];

describe('quotes around whole lines', () => {
  test.each(
    QUOTED.map(([name, text, delimiter, whole, rows, told = []]) => ({
      ...{ name, text, delimiter, whole, rows, told },
    })),
  )('are left away: $name', async ({ text, delimiter, whole, rows, told }) => {
    const { workbook, rows: found } = await read(text);
    expect([workbook.delimiter, workbook.quotedLines ?? false, rowsText(found)]).toEqual([
      delimiter,
      whole,
      rows,
    ]);
    const said: number[] = [];
    for await (const { number, finding } of workbook.sheets[0]?.rows ?? [])
      if (finding?.code === 'quotes-around-row') said.push(number);
    expect(said).toEqual(told);
  });

  test('are left away far behind the first rows, as the file has them', async () => {
    const lines = Array.from({ length: 6_000 }, (_, at) => `"${at};Broodje ""${at}"";1,50"`);
    const { rows } = await read(`"ID;Naam;Prijs"\n${lines.join('\n')}`);
    expect(Object.keys(rows)).toHaveLength(6_001);
    expect(rows[6_001]).toEqual(['5999', 'Broodje "5999"', '1,50']);
  });
});

describe('the separator of a CSV', () => {
  test.each(LAYOUTS)('is found: %s', async (_, text, delimiter, rows) => {
    const result = await read(text);
    expect([result.workbook.delimiter, rowsText(result.rows)]).toEqual([delimiter, rows]);
  });

  test.each([
    ['tab', 'a\tb'],
    ['\\t', 'a\tb'],
    ['~', 'a~b'],
    [' ', 'a b'],
    ['x', 'axb'],
  ])('may be given as %j', async (delimiter, text) => {
    expect((await read(text, { delimiter })).rows).toEqual({ 1: ['a', 'b'] });
  });

  test('is the given one, whatever a sep= line says', async () => {
    expect((await read('sep=;\na,b;c', { delimiter: ',' })).rows).toEqual({ 1: ['a', 'b;c'] });
  });

  test.each(['', '"', ';;', 'tabs'])('can not be %j', async (delimiter) => {
    await expect(read('a', { delimiter })).rejects.toMatchObject({ exit: EXIT.usage });
  });
});

describe('the size of a CSV', () => {
  test('is refused for a line that never ends', async () => {
    await expect(read(`a;b\n1;2\n${'x'.repeat(5_000_000)}`)).rejects.toMatchObject({
      exit: EXIT.file,
      message: 'In telling.csv the row on line 3 is longer than any real one.',
    });
  });

  test('may be as many fields as a sheet has columns, and not one more', async () => {
    const most = Array.from({ length: 16_384 }, (_, at) => String(at + 1));
    expect((await read(`${most.join(';')}\n`)).rows[1]).toEqual(most);
    expect((await read(`${most.join(';')};;;\n`)).rows[1]).toEqual(most);
    await expect(read(`a;b\n\n${most.join(';')};x\n`)).rejects.toMatchObject({
      message: 'In telling.csv the row on line 3 has more fields than a sheet has columns.',
    });
  });
});
