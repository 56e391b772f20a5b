import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT, exportFinance, importWorkbook } from '../../src/index.ts';
import { Exact } from '../../src/pipeline/export/finance/exact.ts';
import type { Cell } from '../../src/schema/cell.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { chartFaults, membersOf, packageFaults, WORKSHEET_ORDER } from '../helpers/excel-rules.ts';
import { openKitchen } from '../helpers/kitchen.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { pack, partsOf, sheetParts, unescaped } from '../template/fill-in.ts';
import { type PlannerService, plannerService } from './planner-service.ts';

const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);
const PERIOD = { from: '2026-11-15', to: '2027-02-10' };

type Rows = ReadonlyMap<number, ReadonlyMap<number, Cell['value']>>;

async function sheetsOf(file: string): Promise<Map<string, Rows>> {
  const found = new Map<string, Rows>();
  for (const { name, rows } of await readWorkbook(file)) {
    const own = new Map<number, ReadonlyMap<number, Cell['value']>>();
    for await (const { number, cells } of rows)
      own.set(number, new Map(cells.map(({ column, value }) => [column, value])));
    found.set(name, own);
  }
  return found;
}

/** The records below a header, by its texts. */
function recordsOf(rows: Rows | undefined): Record<string, Cell['value']>[] {
  const [head, ...others] = [...(rows ?? new Map<number, ReadonlyMap<number, Cell['value']>>()).values()];
  return others.map((row) =>
    Object.fromEntries([...(head ?? [])].map(([column, name]) => [name, row.get(column) ?? ''])),
  );
}

/** The rows of a table on a page, by the name in column B: from its title on to the total. */
function tableOf(rows: Rows | undefined, title: string): Map<string, Cell['value'][]> {
  const found = new Map<string, Cell['value'][]>();
  let inside = false;
  for (const row of rows?.values() ?? []) {
    if (row.get(1) === title) inside = true;
    else if (inside && row.has(3))
      found.set(
        String(row.get(2)),
        [...row].map(([, value]) => value),
      );
    if (inside && /^Tota/.test(String(row.get(2)))) return found;
  }
  return found;
}

/** A period with the amounts that go wrong elsewhere; its sums are kept beside it, in ten-thousandths. */
interface Period {
  readonly events: Record<string, unknown>[];
  readonly links: Record<number, Record<string, unknown>[]>;
  readonly trips: Record<string, unknown>[];
  /** By a name, such as `month 2026-11`, `location 3` or `all`. */
  readonly sums: ReadonlyMap<string, bigint>;
}

const decimal = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
};
/** Some services answer numbers as text. */
const wire = (units: bigint, at: number): unknown => (at % 3 === 0 ? decimal(units) : Number(decimal(units)));

function awkwardPeriod(): Period {
  const sums = new Map<string, bigint>();
  const add = (names: readonly string[], units: bigint): void => {
    for (const name of names) sums.set(name, (sums.get(name) ?? 0n) + units);
  };
  const period = {
    events: [] as Record<string, unknown>[],
    links: {} as Period['links'],
    trips: [] as Record<string, unknown>[],
  };
  for (let at = 1; at <= 60; at++) {
    const day = new Date(Date.UTC(2026, 10, 15 + ((at * 13) % 88))).toISOString().slice(0, 10);
    const [location, type, manager] = [
      at % 4,
      at % 3 === 0 ? null : 420 + (at % 3),
      at % 5 === 0 ? '' : 10 + (at % 2),
    ];
    const free = at % 11 === 0;
    period.events.push({
      ...{ PartijID: at, Datum: `${day} 00:00:00`, StatusID: at % 6 === 0 ? 1 : 3, RelatieID: 5 },
      ...{
        LocatieID: location === 0 ? null : String(location),
        TypeWaardeID: type,
        AccountmanagerID: manager,
      },
      ...{ GeenOmzet: free ? '1' : 0, PartijOmschrijving: at === 1 ? '=1+1' : `Feest ${at}` },
      ...{ LMT: '2026-05-01 09:00:00', Budget: 0.1 + at },
    });
    const names =
      at % 6 === 0 || free
        ? []
        : ['all', `month ${day.slice(0, 7)}`, `location ${location}`, `type ${type}`, `manager ${manager}`];
    period.links[at] = Array.from({ length: at % 4 }, (_, line) => {
      // 0.1, 0.2, a third of a cent, and now and then a sum that is given back.
      const price = [1000n, 2000n, 3333n, 129_999_995n, -15_001n][(at + line) % 5] ?? 0n;
      const many = BigInt(1 + ((at * 7 + line) % 300));
      const nothing = (at + line) % 17 === 0;
      if (!nothing) add(names, price * many);
      const own = {
        VerkoopPrijs: nothing ? null : wire(price, at + line),
        Aantal: line === 1 ? String(many) : Number(many),
      };
      return {
        PartijID: at,
        ArrangementID: 70 + line,
        ArrangementNaam: '@soep',
        Datum: `${day} 00:00:00`,
        ...own,
      };
    });
    const fare = BigInt(at) * 3_337n;
    if (at % 2 === 0) {
      if (at % 8 !== 0) add(names, fare);
      period.trips.push({
        ...{
          RitID: 900 + at,
          PartijID: at,
          Datum: `${day} 00:00:00`,
          KM: at / 10,
          LMT: '2026-05-01 09:00:00',
        },
        ...{
          Verkoopprijs: at % 8 === 0 ? 'nader te bepalen' : wire(fare, at),
          Kostprijs: Number(decimal(fare)),
        },
      });
    }
  }
  return { ...period, sums };
}

async function servedPeriod(): Promise<{ service: PlannerService; period: Period }> {
  const [service, period] = [await plannerService(), awkwardPeriod()];
  Object.assign(service, { events: period.events, links: period.links, trips: period.trips });
  service.onRequest = (path) => {
    const [, what, id] = /^(location|relation)\/(\d+)$/.exec(path) ?? [];
    if (what === 'relation') return { status: 200, body: { RelatieID: Number(id), Bedrijfsnaam: '-Jansen' } };
    // Two locations of one name are two locations all the same.
    const Locatie = id === '1' ? 'De *Zaal?' : 'De Hoeve';
    return what === undefined ? undefined : { status: 200, body: { LocatieID: Number(id), Locatie } };
  };
  return { service, period };
}

const cents = (units: bigint | undefined): number => {
  const [up, down] = [(units ?? 0n) >= 0n, 100n];
  const size = up ? (units ?? 0n) : -(units ?? 0n);
  return Number(((size + down / 2n) / down) * (up ? 1n : -1n));
};
const centsOf = (value: Cell['value'] | undefined): number => Math.round(Number(value) * 100);

/** Holds the totals of an overview against the records, as they were added up by the side of it. */
function expectTotals(rows: Rows | undefined, { sums }: Period): void {
  const named = (title: string, at: number): Record<string, number> =>
    Object.fromEntries([...tableOf(rows, title)].map(([name, values]) => [name, centsOf(values.at(at))]));
  const all = cents(sums.get('all'));
  const months = tableOf(rows, 'Omzet per maand');
  const wanted = ['2026-11', '2026-12', '2027-01', '2027-02'].map((month) =>
    cents(sums.get(`month ${month}`)),
  );
  expect([...months.values()].slice(1, -1).map((values) => centsOf(values.at(-2)))).toEqual(wanted);
  expect(centsOf(months.get('Totaal')?.at(-2))).toBe(all);
  const matrix = [...tableOf(rows, 'Omzet per maand en locatie')].slice(1);
  expect(centsOf(matrix.at(-1)?.[1].at(-1))).toBe(all);
  const byLocation = [...(rows?.values() ?? [])]
    .filter((row) => ['De *Zaal?', 'De Hoeve', '(geen)'].includes(String(row.get(2))) && row.has(7))
    .map((row) => [String(row.get(1)), centsOf(row.get(7))]);
  expect(Object.fromEntries(byLocation)).toEqual({
    ...{ '1': cents(sums.get('location 1')), '2': cents(sums.get('location 2')) },
    ...{ '3': cents(sums.get('location 3')), '(geen)': cents(sums.get('location 0')) },
  });
  expect(named('Omzet per soort evenement', -2)).toMatchObject({
    'soort 421': cents(sums.get('type 421')),
    'soort 422': cents(sums.get('type 422')),
    '(geen)': cents(sums.get('type null')),
    Totaal: all,
  });
  expect(named('Omzet per accountmanager', -2)).toMatchObject({
    'accountmanager 10': cents(sums.get('manager 10')),
    'accountmanager 11': cents(sums.get('manager 11')),
    '(geen)': cents(sums.get('manager ')),
    Totaal: all,
  });
  const result = [...(rows?.values() ?? [])].find((row) => row.get(2) === 'Omzet van de evenementen');
  expect(centsOf(result?.get(4))).toBe(all);
}

describe('the workbook of a period', () => {
  test('totals are those of the records to the cent, as they stand and as LibreOffice works them out', {
    timeout: 120_000,
  }, async () => {
    const { service, period } = await servedPeriod();
    const out = join(service.folder, 'omzet.xlsx');
    const done = await exportFinance({ ...service.options, ...PERIOD, out, lang: 'nl' });
    expect(Exact.of(done.sums.revenue)?.text).toBe(Exact.of(decimal(period.sums.get('all') ?? 0n))?.text);
    const sheets = await sheetsOf(out);
    expect([...sheets.keys()]).toEqual([
      ...['Overzicht', 'Evenementen', 'Arrangementen', 'Ritten', 'Voorraadmutaties', 'Verantwoording'],
    ]);
    expectTotals(sheets.get('Overzicht'), period);
    const events = recordsOf(sheets.get('Evenementen'));
    expect(events).toHaveLength(50);
    expect(events.find(({ Evenement }) => Evenement === 1)).toMatchObject({
      ...{ Omschrijving: '=1+1', Relatie: '-Jansen', Locatie: 'De *Zaal?', 'Geen omzet': 'Nee' },
      ...{ Dag: '2026-11-28', Maand: '2026-11-01', Budget: 1.1 },
    });
    expect(recordsOf(sheets.get('Ritten')).map(({ Prijs }) => Prijs)).toContain('nader te bepalen');
    const texts = [...(sheets.get('Overzicht')?.values() ?? [])].map((row) => String(row.get(1)));
    expect(texts.join('\n')).toMatch(/Ritten zonder waarde \(van 30\): 7 zonder Verkoopprijs/);
    expect(texts.join('\n')).toMatch(/GeenOmzet, die voor 0 meetellen: 5,/);

    const parts = await partsOf(readFileSync(out));
    expect(packageFaults(parts)).toEqual([]);
    for (const [name, xml] of parts) {
      if (/charts\/|drawing\d+\.xml$/.test(name)) expect(chartFaults(xml), name).toEqual([]);
      if (!name.includes('worksheets/sheet')) continue;
      const places = membersOf(xml).map((member) => WORKSHEET_ORDER.indexOf(member));
      expect(places, name).toEqual([...places].sort((a, b) => a - b));
    }
    const [[, first = ''] = []] = sheetParts(parts);
    const overview = parts.get(first) ?? '';
    // Where amounts stand, nothing but the months above them is typed.
    const typed = [...overview.matchAll(/<c r="[D-Z]\d+"[^>]*><v>([^<]*)</g)].map((match) =>
      Number(match[1]),
    );
    const months = [10, 11, 12, 13].map((month) => Date.UTC(2026, month) / 86_400_000 + 25_569);
    expect(typed.filter((serial) => !months.includes(serial))).toEqual([]);
    expect(overview.match(/<f>/g)?.length).toBeGreaterThan(40);
    expect(unescaped(overview)).toContain("SUMIFS('Evenementen'!");
    if (office === undefined) return;
    const without = new Map(
      [...parts].map(([name, xml]) => [name, xml.replace(/(<\/f>)<v>[^<]*<\/v>/g, '$1')]),
    );
    expect(without.get(first)).not.toBe(overview);
    expectTotals((await sheetsOf(await recalculated(service.folder, without))).get('Overzicht'), period);
  });

  test('all events, and months of two years; a page that fails leaves what was there', async () => {
    const { service, period } = await servedPeriod();
    const out = join(service.folder, 'alle.xlsx');
    const options = { ...service.options, ...PERIOD, out, lang: 'en' as const };
    const all = await exportFinance({ ...options, all: true });
    expect(all.sheets).toMatchObject([
      { sheet: 'Events', rows: 60 },
      { rows: 90 },
      { rows: 30 },
      { rows: 0 },
    ]);
    writeFileSync(out, 'van gisteren');
    const answer = service.onRequest;
    service.onRequest = (path, ...more) =>
      path === 'event/44/packages' ? { status: 500, body: { message: 'stuk' } } : answer(path, ...more);
    await expect(exportFinance({ ...options, overwrite: true })).rejects.toMatchObject({
      exitCode: EXIT.service,
    });
    for (const more of [{}, { out: '-' }, { out: 'a.csv' }, { from: '2027-03-01' }])
      await expect(exportFinance({ ...options, ...more })).rejects.toMatchObject({ exitCode: EXIT.usage });
    expect(readFileSync(out, 'utf8')).toBe('van gisteren');
    expect(readdirSync(service.folder).filter((name) => name.includes('.part'))).toEqual([]);
    service.onRequest = answer;
    // What was not put in place counts for nothing.
    expect((await exportFinance({ ...options, overwrite: true })).changes).toBeNull();
    expect(period.events).toHaveLength(60);
  });

  test('says what changed since the last one of the same days, and nothing of others', async () => {
    const { service } = await servedPeriod();
    const file = (name: string) => ({ ...service.options, ...PERIOD, out: join(service.folder, name) });
    const first = await exportFinance({ ...file('1.xlsx'), lang: 'nl' });
    const again = await exportFinance(file('2.xlsx'));
    expect([first.changes, again.hash]).toEqual([null, first.hash]);
    expect(Object.values(again.changes?.counts ?? {})).toEqual(
      Array(4).fill({ added: 0, removed: 0, changed: 0 }),
    );
    service.events = service.events.filter(({ PartijID }) => PartijID !== 2);
    Object.assign(service.links[7]?.[0] ?? {}, { VerkoopPrijs: '1000.01', Aantal: 1 });
    service.trips.push({ RitID: 990, PartijID: null, Datum: '2026-12-01 00:00:00', Verkoopprijs: 12.5 });
    const last = await exportFinance(file('3.xlsx'));
    expect(last.hash).not.toBe(first.hash);
    expect(last.changes).toMatchObject({
      since: { hash: first.hash, sums: first.sums },
      counts: {
        events: { added: 0, removed: 1, changed: 1 },
        lines: { added: 0, removed: 2, changed: 1 },
        trips: { added: 1, removed: 0, changed: 0 },
      },
    });
    expect(last.changes?.records).toContainEqual({
      ...{ sheet: 'lines', key: '7/70', what: 'changed', was: expect.any(String), now: '1000.01' },
    });
    expect(last.changes?.records).toContainEqual({
      ...{ sheet: 'trips', key: '990', what: 'added', was: null, now: '12.5' },
    });
    const manifest = [...((await sheetsOf(file('3.xlsx').out)).get('Manifest')?.values() ?? [])];
    const said = manifest.map((row) => [...row.values()].join(' | ')).join('\n');
    expect(said).toContain('Arrangements | 7/70 · changed |');
    expect(said).toMatch(/Events \| 2 · removed \|/);
    expect(said).toContain(`Revenue | ${Number(first.sums.revenue)} | ${Number(last.sums.revenue)} |`);
    expect((await exportFinance({ ...file('4.xlsx'), to: '2027-02-09' })).changes).toBeNull();
  });
});

/** What LibreOffice makes of a workbook that holds no results of its formulas. */
async function recalculated(folder: string, parts: ReadonlyMap<string, string>): Promise<string> {
  const [source, saved] = [join(folder, 'kaal.xlsx'), join(folder, 'saved')];
  writeFileSync(source, await pack(parts));
  mkdirSync(saved);
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
  execFileSync(office ?? '', [profile, '--headless', '--convert-to', 'xlsx', '--outdir', saved, source], {
    timeout: 100_000,
    stdio: 'ignore',
  });
  return join(saved, 'kaal.xlsx');
}

test('of a real service: its own records, the stock mutations that were sent to it, and no import', async () => {
  const kitchen = await openKitchen({ dialect: { types: 'mixed' } });
  const mutations = await makeWorkbook(join(kitchen.folder, 'mutaties.xlsx'), {
    Voorraadmutaties: [
      ['ProductID', 'WerknemerID', 'DatumTijd', 'AantalRekeneenheid', 'MutatieCategorieID', 'MutatieReden'],
      [7001, 12, '2027-03-31 07:45', -2.5, 4902, '=derving'],
      [7002, 12, '2027-03-31 07:46', 3, 4904, 'levering'],
    ],
  });
  expect((await kitchen.run(['import', mutations, '-y'])).code).toBe(EXIT.ok);
  const days = ['--from', '2026-01-01', '--to', '2027-12-31'];
  const out = join(kitchen.folder, 'omzet.xlsx');
  const told = await kitchen.run([
    'export',
    'finance',
    ...days,
    '--all',
    '-o',
    out,
    '--json',
    '--lang',
    'en',
  ]);
  expect({ ...told, stdout: '' }).toEqual({ code: EXIT.ok, stdout: '', stderr: '' });
  const [prices, links] = [new Map<unknown, number>(), await kitchen.records('link')];
  for (const { PartijID } of links)
    for (const line of (await kitchen.request('GET', `api/v1/event/${PartijID}/packages`)) as {
      ArrangementID: number;
      VerkoopPrijs: number;
    }[])
      prices.set(line.ArrangementID, Math.round(Number(line.VerkoopPrijs) * 100));
  const revenue = links.reduce(
    (sum, { ArrangementID, Aantal }) => sum + (prices.get(ArrangementID) ?? Number.NaN) * Number(Aantal),
    0,
  );
  const document = JSON.parse(told.stdout) as Awaited<ReturnType<typeof exportFinance>>;
  expect(Math.round(Number(document.sums.revenue) * 100)).toBe(revenue);
  expect(document).toMatchObject({
    resource: 'finance',
    all: true,
    changes: null,
    period: { to: '2027-12-31' },
  });
  const sheets = await sheetsOf(out);
  expect(recordsOf(sheets.get('Stock mutations'))).toMatchObject([
    { Reason: '=derving', Category: 'Derving', 'Units of calculation': -2.5, Outcome: 'sent', Row: 2 },
    { 'Product no.': 7002, 'Booked at': '2027-03-31 07:46:00', Product: expect.stringMatching(/\w/) },
  ]);
  expect(recordsOf(sheets.get('Events'))).toContainEqual(
    expect.objectContaining({ Event: 9001, Location: 'Hoeve Wilgenoord', 'No revenue': false }),
  );
  const own = { baseUrl: kitchen.url, token: kitchen.token, ledger: join(kitchen.folder, 'ander.db') };
  const dry = importWorkbook(out, { ...own, log: join(kitchen.folder, 'log') });
  await expect(dry).rejects.toMatchObject({ exitCode: EXIT.file });
  const refused = await kitchen.run(['export', 'finance', ...days, '--since', 'last', '--out', '-']);
  expect(refused).toMatchObject({ code: EXIT.usage, stderr: expect.stringContaining('--since') });
});

test('decimals are added and multiplied exactly, whatever their places', () => {
  const units = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(units, fc.bigInt({ min: -999n, max: 999n })), { maxLength: 30 }),
      (lines) => {
        const sum = lines.reduce(
          (all, [price, many]) =>
            all.plus((Exact.of(decimal(price)) ?? Exact.ZERO).times(Exact.of(Number(many)) ?? Exact.ZERO)),
          Exact.ZERO,
        );
        const wanted = lines.reduce((all, [price, many]) => all + price * many, 0n);
        expect(sum.minus(Exact.of(decimal(wanted)) ?? Exact.ZERO).isZero).toBe(true);
        expect(sum.number).toBe(Number(decimal(wanted)) + 0);
      },
    ),
  );
  // What services make of 30.3 and of a sum of many cents.
  expect([10.1 * 3, 0.1 + 0.2, 4503599627370.4961].map((one) => Exact.of(one)?.text)).toEqual([
    ...['30.3', '0.3', '4503599627370.5'],
  ]);
  expect(
    [0.1, '0.20', '1e-7', 1e21, '-.5', '', null, '1,5', true, 'x'].map((one) => Exact.of(one)?.text),
  ).toEqual([
    ...['0.1', '0.2', '0.0000001', '1000000000000000000000', '-0.5'],
    ...Array<undefined>(5).fill(undefined),
  ]);
});
