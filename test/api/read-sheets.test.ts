import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  exportRecords,
  importWorkbook,
  planImport,
  readSheets,
  type SheetChoice,
  type SheetReadDocument,
  type SheetsDocument,
  StopError,
  writeTemplate,
} from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';

const SAMPLES = join(import.meta.dirname, '../../fixtures/samples');
const DOCS = join(import.meta.dirname, '../../fixtures/docs');
const CORPORA = join(import.meta.dirname, '../../../shared/corpora');

type Options = NonNullable<Parameters<typeof readSheets>[1]>;

/** Options for a folder of their own, with an address that nothing answers: the service is asked nothing. */
function alone(folder = tempFolder()): Options {
  const files = { ledger: `${folder}/ledger.db`, log: `${folder}/run.log` };
  return { baseUrl: 'http://127.0.0.1:9', token: 'none', lang: 'en', ...files };
}

const optionsOf = (service: TestService) => serviceOnly(optionsFor(service));

/** A sheet in short: `import packages by name 1: A ExternalID exact, C Verkoopprijs proposed, D - ?`. */
function short({ kind, resource, resourceWhy, headerRow, columns, own, mayBe }: SheetReadDocument): string {
  if (own) return 'own';
  const told = columns.map(({ letters, field, why, proposed, shownOnly }) =>
    [letters, field ?? '-', why ?? '', proposed.join(' or '), shownOnly ? 'shown' : '']
      .filter(Boolean)
      .join(' '),
  );
  const what = resource === null ? mayBe.join(' or ') || 'nothing' : `${resource} by ${resourceWhy}`;
  return `${kind} ${what} ${headerRow}: ${told.join(', ')}`;
}

const all = ({ sheets }: SheetsDocument): string[] => sheets.map((one) => `${one.sheet} ${short(one)}`);

/** What a CSV is taken for. */
async function ofCsv(text: string | Buffer, options: Options = {}, name = 'lijst'): Promise<SheetsDocument> {
  const folder = tempFolder();
  writeFileSync(`${folder}/${name}.csv`, text);
  return await readSheets(`${folder}/${name}.csv`, { ...alone(folder), ...options });
}

describe('what a file is taken for', () => {
  test.each<[string, boolean, string[]]>([
    [
      join(SAMPLES, 'planning-kwartaal.xlsx'),
      true,
      [
        'Evenementen import events by name 1: A ExternalID exact, B PartijOmschrijving exact, C RelatieID exact, D ContactpersoonID exact, E Datum exact, F Starttijd exact, G Eindtijd exact, H AantalGasten exact, I LocatieID exact, J Opmerkingen exact',
        'Arrangementen import arrangements by name 1: A Event.ExternalID exact, B ArrangementID exact, C Aantal exact, D Datum exact',
      ],
    ],
    [
      join(SAMPLES, 'telling-koelcel.csv'),
      false,
      [
        'telling-koelcel import stock-count by headers 1: A Product.ExternalID exact, B -, C GeteldRekeneenheid exact, D WerknemerID exact, E DatumTijd exact, F MutatieCategorieID exact, G MutatieReden exact',
      ],
    ],
    [
      join(DOCS, 'eigen-lijst.csv'),
      false,
      [
        'eigen-lijst skip packages by proposed 1: A ExternalID proposed, B OmschrijvingIntern proposed, C ProductTypeID proposed, D Verkoopprijs proposed',
      ],
    ],
    [join(DOCS, 'facturen.csv'), false, ['facturen skip nothing 1: A -, B -']],
  ])('%s', async (file, exact, expected) => {
    const document = await readSheets(file, alone());
    expect(all(document)).toEqual(expected);
    expect(document.exact).toBe(exact);
  });

  test.each<[string, string, string]>([
    [
      'two columns for one field are for the user',
      'ExternalID;OmschrijvingIntern;OpnemenInOfferte;Prijs excl;Prijs incl\n7;Soep;ja;1,5;1,64\n',
      'import packages by headers 1: A ExternalID exact, B OmschrijvingIntern exact, C OpnemenInOfferte exact, D - Verkoopprijs, E - Verkoopprijs',
    ],
    [
      'columns that several kinds have',
      'ExternalID;Verkoopprijs\n7;1,5\n',
      'skip arrangements or packages or recipes 1: A -, B -',
    ],
    [
      'columns that one kind alone has',
      'RitID;Chauffeur\n7;Jan\n',
      'skip trips by proposed 1: A RitID exact, B Chauffeur exact',
    ],
    [
      'columns without a header',
      'ExternalID;;ProductTypeID;OmschrijvingIntern;ProductID\n7;x;1;Soep;\n',
      'import packages by headers 1: A ExternalID exact, B -, C ProductTypeID exact, D OmschrijvingIntern exact, E ProductID exact',
    ],
    ['nothing that is known', 'Boodschap\nmelk\n', 'skip nothing 1: A -'],
  ])('%s', async (_, text, expected) => {
    const { sheets } = await ofCsv(text);
    expect(sheets.map(short)).toEqual([expected]);
  });

  it('is told in the language of the session, without flags of the command line', async () => {
    const english = await ofCsv('Boodschap;Aantal;Wie\nmelk;2;Jan\n');
    expect(english.sheets).toMatchObject([
      {
        reason: 'no sheet to import by its name or columns',
        next: 'To import it, say what it holds.',
      },
    ]);
    const { sheets, resources, marks } = await ofCsv('Boodschap;Aantal;Wie\nmelk;2;Jan\n', { lang: 'nl' });
    expect(sheets).toMatchObject([
      {
        reason: 'geen werkblad om te importeren, naar naam of kolommen',
        next: 'Zeg wat erop staat om het te importeren.',
      },
    ]);
    expect(resources.map(({ name, sheet, words }) => `${name} ${sheet} ${words}`)).toContain(
      'stock-count Voorraadtelling voorraadtelling',
    );
    expect(resources.find(({ name }) => name === 'packages')?.fields).toContainEqual({
      name: 'OmschrijvingIntern',
      help: expect.stringMatching(/\w/),
      required: true,
      sent: true,
    });
    expect(resources.find(({ name }) => name === 'trips')?.fields).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ name: 'RitID', required: true }),
        expect.objectContaining({ name: 'LMT', sent: false }),
      ]),
    );
    expect(marks.map(({ name }) => name)).toEqual(['#action', '#key']);
  });

  it('has the first rows as the sheet shows them, and three values of each column', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => [600_000 + at, `Soep ${at}`, 1, 1234.5]);
    const file = await makeWorkbook(`${tempFolder()}/a.xlsx`, {
      Pakketten: [
        ['Titel'],
        [null],
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
        ...rows,
      ],
    });
    const [sheet] = (await readSheets(file, alone())).sheets;
    expect(sheet).toMatchObject({ headerRow: 3, firstHeaderRow: 3, rows: 40, above: [] });
    expect(sheet?.top).toHaveLength(20);
    expect(sheet?.top[0]).toEqual({ row: 1, cells: [{ column: 1, text: 'Titel' }] });
    expect(sheet?.top[2]?.cells.at(-1)).toEqual({ column: 4, text: '1234,5' });
    expect(sheet?.columns[1]?.samples).toEqual(['Soep 0', 'Soep 1', 'Soep 2']);
    const shown = (await readSheets(file, { ...alone(), locale: 'en' })).sheets[0]?.top[2]?.cells.at(-1);
    expect(shown?.text).toBe('1234.5');
  });

  it('is told quickly of a file of any length: only its top is read', async () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `${600_000 + at};Lunchbuffet ${at};1;12,50`);
    const text = ['ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs', ...lines].join('\r\n');
    const { sheets, exact } = await ofCsv(text, {}, 'Pakketten');
    expect(sheets[0]).toMatchObject({ kind: 'import', rows: null });
    expect(exact).toBe(true);
  });

  it('leaves out most of thousands of columns, but for those that mean something', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `Kolom ${at}`);
    const text = `${['ExternalID', ...many, 'Verkoopprijs', 'ProductID'].join(';')}\n7\n`;
    const [sheet] = (await ofCsv(text, {}, 'Pakketten')).sheets;
    expect(sheet?.columns).toHaveLength(302);
    expect(sheet?.columnsLeft).toBe(1701);
    expect(sheet?.columns.at(-1)).toMatchObject({ field: 'ProductID', why: 'exact' });
  });

  it('says what a column may hide: errors, signs that are not seen, and long texts', async () => {
    const text = `ExternalID;OmschrijvingIntern;Verkoopprijs;Opmerking\n7;"Soep\u202e van\nde dag";#N/A;${'lang '.repeat(50)}\n`;
    const [sheet] = (await ofCsv(text, {}, 'Pakketten')).sheets;
    expect(sheet?.columns.map(({ samples }) => samples[0])).toEqual([
      '7',
      'Soep<U+202E> van de dag',
      '#N/A',
      expect.stringMatching(/^lang .{52,56}…$/),
    ]);
  });
});

describe('a CSV', () => {
  const TEXT = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs\n7;Crème brûlée;1;4,50\n';

  it('says how it was read; a guessed encoding is for the user to see', async () => {
    expect(await ofCsv(TEXT)).toMatchObject({ encoding: 'utf-8', delimiter: ';', sample: null, exact: true });
    const bytes = Buffer.from(TEXT, 'latin1');
    const guessed = await ofCsv(bytes);
    expect(guessed).toMatchObject({ encoding: 'windows-1252', sample: 'Crème', exact: false });
    const told = await ofCsv(bytes, { encoding: 'latin1' });
    expect(told).toMatchObject({ encoding: 'windows-1252', sample: null, exact: true });
  });

  it('is read with the separator and headers that are given', async () => {
    const piped = await ofCsv('ExternalID|Verkoopprijs;x\n7|4,50;1\n', { delimiter: '|', as: 'packages' });
    expect(piped.sheets.map(short)).toEqual(['import packages by choice 1: A ExternalID exact, B -']);
    const bare = await ofCsv('7;4,50\n8;5\n', { columns: ['ExternalID', 'Verkoopprijs'], as: 'packages' });
    expect(bare.sheets.map(short)).toEqual([
      'import packages by choice 1: A ExternalID exact, B Verkoopprijs exact',
    ]);
  });
});

describe('a workbook of the program’s own', () => {
  it('leaves nothing to decide, be it a template, an export, or a result', async () => {
    const service = await openTestService();
    const options = optionsOf(service);
    const { folder } = service;
    await writeTemplate([], { ...options, out: `${folder}/t.xlsx` });
    const template = await readSheets(`${folder}/t.xlsx`, options);
    expect(template.sheets.filter(({ own }) => own).length).toBeGreaterThan(0);
    expect(template.sheets.filter(({ kind }) => kind === 'problem')).toEqual([]);
    await exportRecords('packages', { ...options, out: `${folder}/p.xlsx` });
    const exported = await readSheets(`${folder}/p.xlsx`, options);
    expect(exported.exact).toBe(true);
    expect(exported.sheets.filter(({ own }) => !own)).toMatchObject([
      { sheet: 'Pakketten', kind: 'import', resource: 'packages' },
    ]);
    const file = await makeWorkbook(`${folder}/a.xlsx`, {
      Pakketten: [
        ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
        [7, 'Soep', 1, 4.5],
      ],
    });
    await importWorkbook(file, optionsFor(service));
    const result = await readSheets(`${folder}/r.xlsx`, options);
    expect(result.exact).toBe(true);
    expect(all(result)).toEqual([
      'Result own',
      expect.stringMatching(/^Pakketten import packages by name 1: .* E #status mark shown/),
      'catersheet posted own',
    ]);
  });
});

describe('choices', () => {
  const TITLED = [
    ['Prijslijst', 'voorjaar 2027'],
    [null],
    ['opgesteld door de keuken'],
    [null],
    ['Code', 'Wat', 'Soort', 'Oud', 'Bedrag'],
    [600_001, 'Lunchbuffet', 1, 11, 12.5],
    [600_002, 'Borrelplank', 2, 8, 9],
  ];

  it('accepted as proposed are what is shown, and what an import does', async () => {
    const service = await openTestService();
    const options = optionsOf(service);
    const file = join(DOCS, 'eigen-lijst.csv');
    const before = await readSheets(file, options);
    const choices = before.sheets.flatMap(({ accept }) => accept ?? []);
    const after = await readSheets(file, { ...options, choices });
    expect(after.exact).toBe(true);
    expect(all(after)).toEqual([
      'eigen-lijst import packages by choice 1: A ExternalID choice, B OmschrijvingIntern choice, C ProductTypeID choice, D Verkoopprijs choice',
    ]);
    expect((await service.log()).requests).toHaveLength(0);
    expect((await planImport(file, { ...options, choices })).counts).toMatchObject({ read: 2 });
    // From here on the headers are known.
    expect(all(await readSheets(file, options))).toEqual([
      'eigen-lijst import packages by headers 1: A ExternalID remembered, B OmschrijvingIntern remembered, C ProductTypeID remembered, D Verkoopprijs remembered',
    ]);
  });

  it('not to use a column is remembered, and nobody is asked about it the next time', async () => {
    const options = optionsOf(await openTestService());
    const text =
      'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Kleur;Prijs\n7;Soep;1;4,50;geel;3\n';
    const file = `${tempFolder()}/Pakketten.csv`;
    writeFileSync(file, text);
    const columnsOf = async (choices: SheetChoice[] = []) => {
      const { exact, sheets } = await readSheets(file, { ...options, choices });
      return [exact, ...(sheets[0]?.columns.slice(4) ?? []).map(({ why }) => why)];
    };
    expect(await columnsOf()).toEqual([false, null, null]);
    const both = [5, 6].map((column) => ({ column, field: null }));
    await planImport(file, { ...options, choices: [{ sheet: 'Pakketten', columns: both }] });
    expect(await columnsOf()).toEqual([true, 'remembered', 'remembered']);
    // What it is said to be later counts, and so does what it was said to be after that.
    const colour = [{ column: 5, field: 'ProductCategorieID' }];
    expect(await columnsOf([{ sheet: 'Pakketten', columns: colour }])).toEqual([
      true,
      'choice',
      'remembered',
    ]);
    await planImport(file, { ...options, map: 'none' });
    expect(await columnsOf()).toEqual([false, null, null]);
  });

  test.each([
    ['ExternalID;OmschrijvingIntern;Verkoopprijs\n7;Soep;4,50\n', false],
    ['ExternalID;ProductID;Verkoopprijs\n7;;4,50\n', false],
    ['ProductID;Verkoopprijs\n7;4,50\n', true],
  ])(
    'a column that a new record needs is asked about unless rows say which record they are on: %j',
    async (text, exact) => {
      const read = await ofCsv(text, {}, 'Pakketten');
      expect(read.sheets[0]?.missing).toContain('ProductTypeID');
      expect(read.exact).toBe(exact);
    },
  );

  it('of a kind and a row of headers show the columns that are to be matched', async () => {
    const file = await makeWorkbook(`${tempFolder()}/a.xlsx`, { Blad1: TITLED });
    const options = alone();
    const choices = [{ sheet: 'Blad1', as: 'packages', headerRow: 5 }];
    const { sheets, exact } = await readSheets(file, { ...options, choices });
    expect(sheets.map(short)).toEqual([
      'problem packages by choice 5: A ExternalID proposed, B -, C ProductTypeID proposed, D -, E -',
    ]);
    expect(exact).toBe(false);
    expect(sheets[0]).toMatchObject({
      next: 'Say which row holds the headers, and what each column is.',
      missing: ['OmschrijvingIntern', 'Verkoopprijs'],
      accept: { sheet: 'Blad1', as: 'packages', headerRow: 5 },
    });
    const columns = [
      { column: 1, field: 'ExternalID' },
      { column: 2, field: 'OmschrijvingIntern' },
      { column: 4, field: null },
      { column: 5, field: 'Verkoopprijs' },
    ];
    const matched = await readSheets(file, {
      ...options,
      choices: [{ ...choices[0], sheet: 'Blad1', columns }],
    });
    expect(matched.sheets.map(short)).toEqual([
      'import packages by choice 5: A ExternalID choice, B OmschrijvingIntern choice, C ProductTypeID proposed, D - choice, E Verkoopprijs choice',
    ]);
    expect(matched.sheets[0]?.accept?.columns).toEqual([...columns, { column: 3, field: 'ProductTypeID' }]);
  });

  it('of two columns for one field say so at the sheet, which still shows its columns', async () => {
    const columns = [
      { column: 1, field: 'Verkoopprijs' },
      { column: 2, field: 'Verkoopprijs' },
    ];
    const text = 'ExternalID;Naam\n7;Soep\n';
    const { sheets } = await ofCsv(text, { choices: [{ sheet: 'lijst', as: 'packages', columns }] });
    expect(sheets).toMatchObject([
      {
        kind: 'problem',
        reason: 'On sheet lijst more than one column is chosen for Verkoopprijs (A, B): choose one of them',
        columns: [
          { field: 'Verkoopprijs', why: 'choice' },
          { field: 'Verkoopprijs', why: 'choice' },
        ],
      },
    ]);
  });

  it('leave a sheet out, or take in one that is hidden or not known', async () => {
    const grid = [
      ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
      [7, 'Soep', 1, 4.5],
    ];
    const file = await makeWorkbook(`${tempFolder()}/a.xlsx`, { Pakketten: grid, Recepten: grid });
    const options = alone();
    const choices = [
      { sheet: 'Pakketten', as: null },
      { sheet: 'Recepten', as: 'packages' },
    ];
    const { sheets, exact } = await readSheets(file, { ...options, choices });
    expect(sheets).toMatchObject([
      { kind: 'skip', resource: null, resourceWhy: 'choice', reason: 'left out' },
      { kind: 'import', resource: 'packages', resourceWhy: 'choice' },
    ]);
    expect(exact).toBe(true);
  });

  it('that name what is not there are refused', async () => {
    const wrong = ofCsv('a\n1\n', { choices: [{ sheet: 'Blad9', as: 'packages' }] });
    await expect(wrong).rejects.toMatchObject({ exit: 2, message: expect.stringContaining('Blad9') });
    const shape = ofCsv('a\n1\n', { choices: [{ sheet: 'lijst', headerRow: 1.5 }] });
    await expect(shape).rejects.toMatchObject({ exit: 2 });
  });
});

describe('workbooks of anybody', () => {
  const EXPECTED = join(CORPORA, 'expected.jsonl');
  const files = existsSync(EXPECTED)
    ? readFileSync(EXPECTED, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { file: string }).file)
        .filter((_, at) => at % 12 === 0)
    : [];

  test.skipIf(files.length === 0)(
    'end with a document of all their sheets, or with a plain refusal',
    async () => {
      const options = alone();
      let read = 0;
      for (const file of files) {
        const document = await readSheets(join(CORPORA, file), options).catch((error: unknown) => {
          if (error instanceof StopError) return null;
          throw new Error(file, { cause: error });
        });
        if (document === null) continue;
        read++;
        expect(JSON.parse(JSON.stringify(document))).toEqual(document);
        for (const { own, kind, reason, top, headerRow } of document.sheets) {
          expect(own || kind === 'import' || reason !== null, file).toBe(true);
          expect(headerRow === null || top.some(({ row }) => row === headerRow), file).toBe(true);
        }
      }
      expect(read).toBeGreaterThan(files.length / 2);
    },
  );
});
