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

type Row = Readonly<Record<string, string | number | null>>;
type Part = readonly [string, (own: number, at: number, isNew: boolean) => Row];

/** Of each sheet: which cell marks a row, and what one row of new records or of ones that are there holds; `own` is its alone. */
const PARTS: Readonly<Record<string, Part>> = {
  Pakketten: [
    'OmschrijvingIntern',
    (own, at, isNew) => ({
      ...(isNew ? { ProductID: null, ExternalID: own } : { ProductID: 5001 + at, ExternalID: null }),
      OmschrijvingIntern: `Mp${own}`,
      ProductTypeID: 1,
      Verkoopprijs: 12.5,
    }),
  ],
  Evenementen: [
    'ExternalID',
    (own, at, isNew) => ({
      PartijID: isNew ? null : 9001 + at,
      ExternalID: own + 10,
      RelatieID: 1,
      ContactpersoonID: 1,
      Datum: '2027-03-04',
      Starttijd: '2027-03-04 12:00',
      Eindtijd: '2027-03-04 15:00',
    }),
  ],
  Voorraadmutaties: [
    'MutatieReden',
    (own, at) => ({
      '#key': `k${at}`,
      ProductID: 7001 + at,
      WerknemerID: 12,
      DatumTijd: '2026-03-31 08:00',
      AantalRekeneenheid: 1.5,
      MutatieCategorieID: 4901,
      MutatieReden: `Mm${own}`,
    }),
  ],
  Voorraadtelling: [
    'MutatieReden',
    (own, at) => ({
      ProductID: 7001 + 2 * at,
      GeteldRekeneenheid: own / 1000,
      WerknemerID: 12,
      DatumTijd: '2026-03-31 07:45',
      MutatieCategorieID: 4901,
      MutatieReden: `Mt${own}`,
    }),
  ],
  Arrangementen: [
    'Aantal',
    (own, at, isNew) => ({
      PartijID: 9001 + at,
      ArrangementID: at + (isNew ? 12 : 1),
      Aantal: own + 15,
      Datum: '2027-03-04',
    }),
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
      const [marking, rowOf] = PARTS[sheet] as Part;
      // Numbers that no other round has.
      const rows = [0, 1, 2].map((at) => rowOf(1_000_000 + round * 20 + at, at, isNew));
      for (const [at, row] of rows.entries()) marks.set(`${sheet}!${at + 2}`, String(row[marking]));
      return [sheet, [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]];
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
