import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openTestService, type TestService } from '../helpers/test-service.ts';

type Cells = (string | number | boolean | null)[];

const PACKAGES = 600_000;
const RECIPES = 500_000;
const EVENTS = 800_000;
/** The sandbox's company has so many trips, from this number on. */
const TRIPS = { first: 8001, count: 60 };

const rows = (count: number, row: (index: number) => Cells): Cells[] =>
  Array.from({ length: count }, (_, index) => row(index));
const two = (value: number): string => String(value).padStart(2, '0');
const day = (index: number): string => `2027-${two((index % 9) + 1)}-${two((index % 28) + 1)}`;

/** A workbook of all seven sheets, `count` rows each, that refer to one another. */
export async function sevenSheets(file: string, count: number): Promise<string> {
  return await makeWorkbook(file, {
    Ritten: [
      ['RitID', 'Chauffeur', 'TypeVoertuigID'],
      ...rows(count, (i) => [TRIPS.first + (i % TRIPS.count), `Chauffeur ${i}`, 9701]),
    ],
    Arrangementen: [
      ['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'],
      ...rows(count, (i) => [EVENTS + i, (i % 20) + 1, 50 + i, day(i)]),
    ],
    Voorraadtelling: [
      [
        'Product.ExternalID',
        'GeteldRekeneenheid',
        'WerknemerID',
        'DatumTijd',
        'MutatieCategorieID',
        'MutatieReden',
      ],
      ...rows(count, (i) => [PACKAGES + i, (i % 40) + 0.25, 12, '2026-03-31 07:45', 4901, `Telling ${i}`]),
    ],
    Voorraadmutaties: [
      [
        '#key',
        'Product.ExternalID',
        'WerknemerID',
        'DatumTijd',
        'AantalRekeneenheid',
        'MutatieCategorieID',
        'MutatieReden',
      ],
      ...rows(count, (i) => [
        // What has no name of its own is known by its content.
        i % 3 === 0 ? null : `m${i}`,
        RECIPES + (i % count),
        12,
        '2026-03-31 08:00',
        (i % 7) + 0.5,
        4901,
        `Mutatie ${i}`,
      ]),
    ],
    Evenementen: [
      [
        'ExternalID',
        'RelatieID',
        'ContactpersoonID',
        'Datum',
        'Starttijd',
        'Eindtijd',
        'PartijOmschrijving',
        'AantalGasten',
      ],
      ...rows(count, (i) => [
        EVENTS + i,
        (i % 8) + 1,
        (i % 8) + 1,
        day(i),
        `${day(i)} 12:00`,
        `${day(i)} 15:00`,
        `Lunch ${i}`,
        20 + i,
      ]),
    ],
    Recepten: [
      ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
      ...rows(count, (i) => [RECIPES + i, `Soep ${i}`, (i % 12) + 1, 201, 0.5, 4]),
    ],
    Pakketten: [
      ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs', 'Actief'],
      ...rows(count, (i) => [PACKAGES + i, `Lunchbuffet ${i}`, (i % 3) + 1, 10 + (i % 400) / 4, i % 2 === 0]),
    ],
  });
}

/** What the service holds, without what differs from run to run (ids and times), as sorted lines. */
export async function stateOf(service: TestService): Promise<string[]> {
  const records = async (kind: string) => await service.records(kind);
  const [packages, recipes, events, links, mutations, trips] = await Promise.all(
    ['package', 'recipe', 'event', 'link', 'mutation', 'trip'].map(records),
  );
  const products = new Map(
    [...(packages ?? []), ...(recipes ?? [])].map((record) => [record.id, record.ExternalID]),
  );
  const partijen = new Map((events ?? []).map((record) => [record.id, record.ExternalID]));
  const line = (
    kind: string,
    record: Readonly<Record<string, unknown>>,
    drop: readonly string[],
    more: object = {},
  ): string => {
    const kept = Object.entries(record).filter(([name]) => !['id', 'LMT', ...drop].includes(name));
    return `${kind} ${JSON.stringify(Object.entries({ ...Object.fromEntries(kept), ...more }).sort())}`;
  };
  return [
    ...(packages ?? []).map((record) => line('package', record, ['ProductID'])),
    ...(recipes ?? []).map((record) => line('recipe', record, ['ProductID'])),
    ...(events ?? []).map((record) => line('event', record, ['PartijID', 'LaatsteProductieVerversingLMT'])),
    ...(links ?? []).map((record) =>
      line('link', record, ['PartijID', 'id'], { event: partijen.get(record.PartijID) }),
    ),
    ...(mutations ?? []).map((record) =>
      line('mutation', record, ['ProductID', 'id'], { product: products.get(record.ProductID) }),
    ),
    ...(trips ?? []).map((record) => line('trip', record, [])),
  ].sort();
}

/** What is on one side and not on the other, shortened for a message. */
export function difference(found: readonly string[], expected: readonly string[]): string[] {
  const count = (lines: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const one of lines) counts.set(one, (counts.get(one) ?? 0) + 1);
    return counts;
  };
  const [have, want] = [count(found), count(expected)];
  const missing = [...want]
    .filter(([one, times]) => (have.get(one) ?? 0) < times)
    .map(([one]) => `missing: ${one.slice(0, 160)}`);
  const extra = [...have]
    .filter(([one, times]) => times > (want.get(one) ?? 0))
    .map(([one]) => `too many: ${one.slice(0, 160)}`);
  return [...missing, ...extra];
}

/** The state that an undisturbed run leaves, and how long it took. */
export async function undisturbed(
  count: number,
  latencyMs: number,
): Promise<{ state: string[]; ms: number; requests: number; counts: Readonly<Record<string, number>> }> {
  const service = await openTestService({ faults: { latencyMs } });
  const file = await sevenSheets(`${service.folder}/a.xlsx`, count);
  const started = performance.now();
  const { document } = await service.runJson([
    'import',
    file,
    '--yes',
    '--concurrency',
    '16',
    '--out',
    'r.xlsx',
  ]);
  const ms = performance.now() - started;
  const requests = await requestsSeen(service);
  return { state: await stateOf(service), ms, requests, counts: document.counts };
}

/** The reasons of what the rows of a sheet post, before their numbers. */
const POSTED: Readonly<Record<string, string>> = { Voorraadmutaties: 'Mutatie', Voorraadtelling: 'Telling' };

/** Sends again, deliberately, the unknown mutations and counts that a look at the service shows to be missing. */
export async function resendMissing(
  service: TestService,
  rows: readonly { readonly sheet: string; readonly row: number; readonly status: string }[],
  run: string,
): Promise<number> {
  const unknown = rows.filter(({ status }) => status === 'unknown');
  if (unknown.some(({ sheet }) => !Object.hasOwn(POSTED, sheet)))
    throw new Error(`unknown outside of what is posted: ${JSON.stringify(unknown)}`);
  const posted = new Set((await service.records('mutation')).map(({ MutatieReden }) => MutatieReden));
  const missing = unknown.filter(({ sheet, row }) => !posted.has(`${POSTED[sheet]} ${row - 2}`));
  if (missing.length > 0)
    await service.run([
      'apply',
      run,
      '--yes',
      // A look showed that they are not there.
      ...['--doubt', '0', '--out', 'r.xlsx'],
      ...missing.flatMap(({ sheet, row }) => ['--resend', `${sheet}!${row}`]),
    ]);
  return unknown.length;
}

/** The newest run of a test service's ledger, and how far it is. */
export async function newestRun(service: TestService): Promise<{ run: string; state: string } | undefined> {
  const { stdout } = await service.run(['runs', '--json']);
  return (JSON.parse(stdout) as { runs: { run: string; state: string }[] }).runs[0];
}

/** How many requests the service has seen. */
export async function requestsSeen(service: TestService): Promise<number> {
  const { counts } = (await service.request('GET', '_sandbox/log?summary')) as {
    counts: Readonly<Record<string, number>>;
  };
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
