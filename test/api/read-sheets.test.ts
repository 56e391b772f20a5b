import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  exportRecords,
  importWorkbook,
  planImport,
  readSheets,
  type SheetReadDocument,
  type SheetsDocument,
  writeTemplate,
} from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor, type TestService } from '../helpers/test-service.ts';

const SAMPLES = join(import.meta.dirname, '../../fixtures/samples');
const DOCS = join(import.meta.dirname, '../../fixtures/docs');

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
      join(DOCS, 'eigen-lijst.csv'),
      false,
      [
        'eigen-lijst skip packages by proposed 1: A ExternalID proposed, B OmschrijvingIntern proposed, C ProductTypeID proposed, D Verkoopprijs proposed',
      ],
    ],
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
      'skip packages or recipes or arrangements 1: A -, B -',
    ],
    [
      'columns that one kind alone has',
      'RitID;Chauffeur\n7;Jan\n',
      'import trips by headers 1: A RitID exact, B Chauffeur exact',
    ],
    ['nothing that is known', 'Boodschap\nmelk\n', 'skip nothing 1: A -'],
  ])('%s', async (_, text, expected) => {
    const { sheets } = await ofCsv(text);
    expect(sheets.map(short)).toEqual([expected]);
  });

  it('says of a row that is shown as the headers what it lacks', async () => {
    const { sheets } = await ofCsv('Boodschap;Wie\nmelk;Jan\n', {}, 'Pakketten');
    const reason = expect.stringMatching(/^Row 1 of sheet Pakketten names no column/);
    expect(sheets).toMatchObject([{ kind: 'problem', headerRow: 1, reason }]);
  });

  it('is told in the language of the session, without flags of the command line', async () => {
    const { sheets, resources, marks } = await ofCsv('Boodschap;Aantal;Wie\nmelk;2;Jan\n', { lang: 'nl' });
    expect(sheets).toMatchObject([
      {
        reason:
          'geen werkblad om te importeren, naar naam of kolommen; rij 1 bevat Boodschap, Aantal, Wie: zeg waar je koppen voor staan; gelezen als gescheiden door „;”',
        next: 'Zeg wat erop staat om het te importeren.',
      },
    ]);
    expect(resources.map(({ name, sheet, words }) => `${name} ${sheet} ${words}`)).toContain(
      'stock-count Voorraadtelling voorraadtelling',
    );
    expect(resources.find(({ name }) => name === 'trips')?.fields).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ name: 'RitID', required: true }),
        expect.objectContaining({ name: 'LMT', sent: false }),
      ]),
    );
    expect(marks.map(({ name }) => name)).toEqual(['#action', '#key']);
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
});
