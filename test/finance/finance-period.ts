import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { Cell } from '../../src/core/cell.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { type PlannerService, plannerService } from '../export/planner-service.ts';
import { pack, partsOf } from '../template/fill-in.ts';

export const office = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find(existsSync);
export const PERIOD = { from: '2026-11-15', to: '2027-02-10' };
/** A period around it. */
export const SIXTEEN_MONTHS = { from: '2026-01-01', to: '2027-04-30' };

type Rows = ReadonlyMap<number, ReadonlyMap<number, Cell['value']>>;

export async function sheetsOf(file: string): Promise<Map<string, Rows>> {
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
export function recordsOf(rows: Rows | undefined): Record<string, Cell['value']>[] {
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
export interface Period {
  readonly events: Record<string, unknown>[];
  readonly links: Record<number, Record<string, unknown>[]>;
  readonly trips: Record<string, unknown>[];
  /** By a name, such as `month 2026-11`, `location 3` or `all`. */
  readonly sums: ReadonlyMap<string, bigint>;
}

export const decimal = (units: bigint): string => {
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
        // What is no number is none.
        LocatieID: location !== 0 ? String(location) : at % 8 === 0 ? 'bij de klant' : null,
        TypeWaardeID: type,
        AccountmanagerID: manager,
      },
      GeenOmzet: free ? '1' : at === 5 ? 'misschien' : 0,
      PartijOmschrijving: at === 1 ? '=1+1' : at === 4 ? 'x'.repeat(40_000) : `Feest ${at}`,
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
        VerkoopPrijs: nothing ? [null, '1e400', true][at % 3] : wire(price, at + line),
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
          event: { PartijID: at, PartijOmschrijving: `Feest ${at}` },
        },
      });
    }
  }
  return { ...period, sums };
}

export async function servedPeriod(): Promise<{ service: PlannerService; period: Period }> {
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

/** Holds those of a longer period against them. */
export function expectLonger(rows: Rows | undefined, { sums }: Period): void {
  const found = tableOf(rows, 'Omzet per locatie');
  expect(centsOf(found.get('De *Zaal?')?.at(-2))).toBe(cents(sums.get('location 1')));
  expect(found.get('Totaal')).toEqual(['Totaal', 50, expect.any(Number), 1]);
  expect(centsOf(found.get('Totaal')?.[2])).toBe(cents(sums.get('all')));
  const months = Array.from({ length: 16 }, (_, at) =>
    new Date(Date.UTC(2026, at, 1)).toISOString().slice(0, 7),
  );
  const shown = [...tableOf(rows, 'Omzet per maand').values()].slice(1, -1);
  expect(shown.map((values) => centsOf(values.at(-2)))).toEqual(
    months.map((month) => cents(sums.get(`month ${month}`))),
  );
}

/** Holds the totals of an overview against the records, as they were added up by the side of it. */
export function expectTotals(rows: Rows | undefined, { sums }: Period): void {
  const named = (title: string, at: number): Record<string, number> =>
    Object.fromEntries([...tableOf(rows, title)].map(([name, values]) => [name, centsOf(values.at(at))]));
  const all = cents(sums.get('all'));
  const months = tableOf(rows, 'Omzet per maand');
  const wanted = ['2026-11', '2026-12', '2027-01', '2027-02'].map((month) =>
    cents(sums.get(`month ${month}`)),
  );
  expect([...months.values()].slice(1, -1).map((values) => centsOf(values.at(-2)))).toEqual(wanted);
  expect(centsOf(months.get('Totaal')?.at(-2))).toBe(all);
  const shown = [...(rows?.values() ?? [])];
  const from = shown.findIndex((row) => row.get(1) === 'Omzet per locatie');
  const byLocation = shown.slice(from + 2, from + 6).map((row) => [String(row.get(1)), centsOf(row.get(4))]);
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

/** Holds the lines from records to revenue against how many there are of each. */
export function expectResult(rows: Rows | undefined): void {
  const counts = new Map([...(rows?.values() ?? [])].map((row) => [row.get(2), row.get(3)]));
  expect(
    ['Ritten in de periode', 'Af: ritten van andere evenementen', 'Kosten van de ritten'].map((what) =>
      counts.get(what),
    ),
  ).toEqual([30, 10, 30]);
  const amounts = new Map([...(rows?.values() ?? [])].map((row) => [row.get(2), row.get(4)]));
  const booked = amounts.get('Hetzelfde, regel voor regel in Boekingen');
  expect(centsOf(booked)).toBe(centsOf(amounts.get('Omzet van de evenementen')));
}

/** What LibreOffice makes of workbooks that hold no results of their formulas, all in one go. */
export async function recalculated(folder: string, files: readonly string[]): Promise<string[]> {
  const saved = join(folder, 'saved');
  mkdirSync(saved);
  const bare: string[] = [];
  for (const [at, file] of files.entries()) {
    const parts = await partsOf(readFileSync(file));
    const without = [...parts].map(([name, xml]): [string, string] => [
      name,
      xml.replace(/(<\/f>)<v>[^<]*<\/v>/g, '$1'),
    ]);
    expect(without).not.toEqual([...parts]);
    bare.push(join(folder, `kaal-${at}.xlsx`));
    writeFileSync(bare[at] ?? '', await pack(new Map(without)));
  }
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
  execFileSync(office ?? '', [profile, '--headless', '--convert-to', 'xlsx', '--outdir', saved, ...bare], {
    timeout: 290_000,
    stdio: 'ignore',
  });
  return files.map((_, at) => join(saved, `kaal-${at}.xlsx`));
}
