import { makeWorkbook } from '../../helpers/make-workbook.ts';
import type { Random } from '../../second-service/random.ts';

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

/** Numbers that no other round has. */
const unique = (round: number, at: number): number => 1_000_000 + round * 20 + at;

/** Of each sheet: its header, what one row of new records or of ones that are there holds, and what marks it. */
const PARTS: Readonly<Record<string, (round: number, at: number, isNew: boolean) => Cells[]>> = {
  Pakketten: (round, at, isNew) => [
    ['ProductID', 'ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
    [isNew ? null : 5001 + at, isNew ? unique(round, at) : null, `Mp${unique(round, at)}`, 1, 12.5],
    [`Mp${unique(round, at)}`],
  ],
  Evenementen: (round, at, isNew) => [
    ['PartijID', 'ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd'],
    [
      isNew ? null : 9001 + at,
      unique(round, at + 10),
      1,
      1,
      '2027-03-04',
      '2027-03-04 12:00',
      '2027-03-04 15:00',
    ],
    [unique(round, at + 10)],
  ],
  Voorraadmutaties: (round, at) => [
    [
      '#key',
      'ProductID',
      'WerknemerID',
      'DatumTijd',
      'AantalRekeneenheid',
      'MutatieCategorieID',
      'MutatieReden',
    ],
    [`k${at}`, 7001 + at, 12, '2026-03-31 08:00', 1.5, 4901, `Mm${unique(round, at)}`],
    [`Mm${unique(round, at)}`],
  ],
  Voorraadtelling: (round, at) => [
    ['ProductID', 'GeteldRekeneenheid', 'WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'],
    [7001 + 2 * at, unique(round, at) / 1000, 12, '2026-03-31 07:45', 4901, `Mt${unique(round, at)}`],
    [`Mt${unique(round, at)}`],
  ],
  Arrangementen: (round, at, isNew) => [
    ['PartijID', 'ArrangementID', 'Aantal', 'Datum'],
    [9001 + at, at + (isNew ? 12 : 1), unique(round, at + 15), '2027-03-04'],
    [unique(round, at + 15)],
  ],
};

const PERIOD = ['--from', '2027-01-01', '--to', '2027-06-30'];

/** Commands without rows of their own. */
const OTHERS: readonly (readonly string[])[] = [
  ['export', 'packages', '--out', 'p.csv'],
  ['export', 'events', ...PERIOD, '--out', 'e.xlsx'],
  ['export', 'stock', '--out', 's.ndjson'],
  ['export', 'finance', ...PERIOD, '--out', 'f.xlsx'],
  ['check', '--lists'],
  ['orders', 'send', '--all', '--yes'],
  ['refresh', '9001', '9002', '--yes'],
];

/** The task of a round, with its files in `folder`. */
export async function drawTask(random: Random, round: number, folder: string): Promise<Task> {
  const inFolder = (args: readonly string[]) =>
    args.map((word, at) => (args[at - 1] === '--out' ? `${folder}/${word}` : word));
  if (random.oneIn(5)) {
    const args = random.pick(OTHERS);
    return { name: args.slice(0, 2).join(' '), args: inFolder(args), marks: new Map() };
  }
  const isNew = random.oneIn(2);
  const names = Object.keys(PARTS);
  const chosen = random.oneIn(3) ? names : [random.pick(names)];
  const marks = new Map<string, string>();
  const sheets = Object.fromEntries(
    chosen.map((sheet) => {
      const rows = [0, 1, 2].map((at) => PARTS[sheet]?.(round, at, isNew) ?? []);
      for (const [at, [, , [mark] = []]] of rows.entries()) marks.set(`${sheet}!${at + 2}`, String(mark));
      return [sheet, [rows[0]?.[0] ?? [], ...rows.map(([, cells = []]) => cells)]];
    }),
  );
  const file = await makeWorkbook(`${folder}/b.xlsx`, sheets);
  const what = chosen.length > 1 ? 'all' : (chosen[0] ?? '');
  const sending = inFolder(['import', file, '--yes', '--json=all', '--out', 'r.xlsx']);
  const planning = inFolder(['import', file, '--dry-run', '--json=all', '--out', 'p.xlsx']);
  const apply = inFolder(['apply', 'RUN', '--yes', '--json=all', '--out', 'a.xlsx']);
  const undo = inFolder(['undo', 'RUN', '--out', 'u.xlsx']);
  return random.pick<Task>([
    { name: `dry run ${what}`, args: planning, marks: new Map() },
    { name: `apply ${what}`, before: planning, args: apply, marks },
    { name: `undo ${what}`, before: sending, args: undo, marks: new Map() },
    ...Array.from({ length: 4 }, () => ({ name: `import ${what}`, args: sending, marks })),
  ]);
}
