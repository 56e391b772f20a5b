import { writeFileSync } from 'node:fs';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import type { Random } from '../fuzz/random.ts';

/** What one round has the program do. */
export interface Task {
  readonly name: string;
  /** Done before, with an honest service. */
  readonly before?: readonly string[];
  /** `RUN` stands for the newest run. */
  readonly args: readonly string[];
  /** What a row's requests hold that no other's do, by `sheet!row`. */
  readonly marks: ReadonlyMap<string, string>;
}

type Cells = (string | number | boolean | null)[];
type Sheets = Record<string, Cells[]>;

const ROWS = 3;
const three = (row: (at: number) => Cells): Cells[] => Array.from({ length: ROWS }, (_, at) => row(at));

/** Numbers that no other round has. */
const unique = (round: number, at: number): number => 1_000_000 + round * 20 + at;

interface Part {
  readonly sheet: string;
  /** Rows of new records, and of ones that are there. */
  rows(round: number, isNew: boolean): Cells[];
  mark(round: number, at: number): string;
}

const text = (round: number, at: number, letter: string): string => `M${letter}${unique(round, at)}`;

const PARTS: readonly Part[] = [
  {
    sheet: 'Pakketten',
    rows: (round, isNew) => [
      ['#action', 'ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
      ...three((at) => [
        null,
        isNew ? null : 5001 + at,
        isNew ? unique(round, at) : null,
        text(round, at, 'p'),
        1,
        12.5,
      ]),
    ],
    mark: (round, at) => text(round, at, 'p'),
  },
  {
    sheet: 'Recepten',
    rows: (round) => [
      ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
      ...three((at) => [unique(round, at + 5), text(round, at, 'r'), 1, 201, 0.5, 4]),
    ],
    mark: (round, at) => text(round, at, 'r'),
  },
  {
    sheet: 'Evenementen',
    rows: (round, isNew) => [
      ['PartijID', 'ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'],
      ...three((at) => [
        isNew ? null : 9001 + at,
        unique(round, at + 10),
        ...[1, 1, '2027-03-04', '2027-03-04 12:00', '2027-03-04 15:00'],
      ]),
    ],
    mark: (round, at) => String(unique(round, at + 10)),
  },
  {
    sheet: 'Voorraadmutaties',
    rows: (round) => [
      [
        '#key',
        'ProductID',
        'WerknemerID',
        'DatumTijd',
        'AantalRekeneenheid',
        'MutatieCategorieID',
        'MutatieReden',
      ],
      ...three((at) => [`k${at}`, 7001 + at, 12, '2026-03-31 08:00', 1.5, 4901, text(round, at, 'm')]),
    ],
    mark: (round, at) => text(round, at, 'm'),
  },
  {
    sheet: 'Voorraadtelling',
    rows: (round) => [
      ['ProductID', 'GeteldRekeneenheid', 'WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'],
      ...three((at) => [
        7001 + 2 * at,
        unique(round, at) / 1000,
        12,
        '2026-03-31 07:45',
        4901,
        text(round, at, 't'),
      ]),
    ],
    mark: (round, at) => text(round, at, 't'),
  },
  {
    sheet: 'Arrangementen',
    rows: (round, isNew) => [
      ['PartijID', 'ArrangementID', 'Aantal', 'Datum'],
      ...three((at) => [9001 + at, at + (isNew ? 12 : 1), unique(round, at + 15), '2027-03-04']),
    ],
    mark: (round, at) => String(unique(round, at + 15)),
  },
  {
    sheet: 'Ritten',
    rows: (round) => [
      ['RitID', 'Chauffeur', 'TypeVoertuigID'],
      ...three((at) => [8001 + at, text(round, at, 'c'), 9701]),
    ],
    mark: (round, at) => text(round, at, 'c'),
  },
];

const PERIOD = ['--from', '2027-01-01', '--to', '2027-06-30'];

const READS: readonly (readonly string[])[] = [
  ['export', 'packages'],
  ['export', 'recipes', '--since', '2026-01-01', '--declaration'],
  ['export', 'events', ...PERIOD],
  ['export', 'events', '--definitive', ...PERIOD],
  ['export', 'events', '--since', '2026-01-01'],
  ['export', 'trips', ...PERIOD],
  ['export', 'arrangements', ...PERIOD],
  ['export', 'stock'],
  ['export', 'finance', ...PERIOD],
  ['check'],
  ['check', '--lists'],
  ['template'],
];

const SENDS: readonly (readonly string[])[] = [
  ['orders', 'send', '--all', '--yes'],
  ['orders', 'send', '4501', '4502', '--yes'],
  ['refresh', '9001', '9002', '--yes'],
];

/** The task of a round, with its files in `folder`. */
export async function drawTask(random: Random, round: number, folder: string): Promise<Task> {
  const way = random.below(10);
  if (way === 0) {
    const format = random.pick(['xlsx', 'csv', 'ndjson']);
    const args = random.pick(READS);
    const out =
      args[0] === 'check'
        ? []
        : ['--out', `${folder}/out.${args.includes('finance') || args[0] !== 'export' ? 'xlsx' : format}`];
    return { name: args.slice(0, 2).join(' '), args: [...args, ...out], marks: new Map() };
  }
  if (way === 1) {
    const args = random.pick(SENDS);
    return { name: args.slice(0, 2).join(' '), args, marks: new Map() };
  }
  if (way === 2) return await files(random, folder);
  return await imports(random, round, folder);
}

async function files(random: Random, folder: string): Promise<Task> {
  writeFileSync(`${folder}/a.pdf`, '%PDF-1.4 x');
  if (random.oneIn(2)) {
    const file = await makeWorkbook(`${folder}/d.xlsx`, {
      Documenten: [['PartijID', 'Submap', 'Document'], ...three((at) => [9001 + at, 'Offertes', 'a.pdf'])],
    });
    return { name: 'documents', args: ['documents', file, '--yes'], marks: new Map() };
  }
  const extensions = random.pick([
    ['pdf', 'xml', 'html'],
    ['xml', 'xml', 'json'],
    ['pdf', 'pdf', 'svg'],
  ]);
  const file = await makeWorkbook(`${folder}/f.xlsx`, {
    Facturen: [['id', 'extension'], ...three((at) => [2_026_001 + at, extensions[at] ?? 'pdf'])],
  });
  return { name: 'invoices', args: ['invoices', file, '--to', `${folder}/to`], marks: new Map() };
}

async function imports(random: Random, round: number, folder: string): Promise<Task> {
  const isNew = random.oneIn(2);
  const chosen = random.oneIn(3) ? PARTS : [random.pick(PARTS)];
  const sheets: Sheets = Object.fromEntries(chosen.map(({ sheet, rows }) => [sheet, rows(round, isNew)]));
  const file = await makeWorkbook(`${folder}/b.xlsx`, sheets);
  const marks = new Map(
    chosen.flatMap(({ sheet, mark }) =>
      [0, 1, 2].map((at) => [`${sheet}!${at + 2}`, mark(round, at)] as const),
    ),
  );
  const what = chosen.length > 1 ? 'all' : (chosen[0]?.sheet ?? '');
  const sending = ['import', file, '--yes', '--json=all', '--out', `${folder}/r.xlsx`];
  const planning = ['import', file, '--dry-run', '--json=all', '--out', `${folder}/p.xlsx`];
  const way = random.below(8);
  if (way === 0) return { name: `dry run ${what}`, args: planning, marks: new Map() };
  if (way === 1) {
    const args = ['apply', 'RUN', '--yes', '--json=all', '--out', `${folder}/a.xlsx`];
    return { name: `apply ${what}`, before: planning, args, marks };
  }
  if (way === 2)
    return {
      name: `undo ${what}`,
      before: sending,
      args: ['undo', 'RUN', '--out', `${folder}/u.xlsx`],
      marks: new Map(),
    };
  return { name: `import ${what}`, args: sending, marks };
}
