import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exportRecords as exportFrom } from '../../src/export/export-records.ts';
import { EXIT, exportRecords } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { openSession } from '../../src/session/open-session.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { hasLinks } from '../helpers/symlinks.ts';
import { type ListService, listed, listService, type OnPage } from './list-service.ts';

const all = (count: number, from = 1): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, at) => listed(from + at));

async function idsOf(service: ListService, out = join(service.folder, 'uit.ndjson')): Promise<number[]> {
  await exportRecords(packages, { ...service.options, out, overwrite: true });
  const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { ProductID: number }).ProductID);
}

/** As it was written long ago, by the service's clock. */
const old = (record: object): object => ({ ...record, LMT: '2024-01-02 03:04:05.678' });
/** One that is written now, by a clock so many hours ahead. */
const written = (id: number, hours = 0): Record<string, unknown> => {
  const now = new Date(Date.now() + hours * 3_600_000).toISOString();
  return listed(id, { LMT: now.replace('T', ' ').replace('Z', '') });
};

const sorted = (ids: readonly number[]): number[] => [...ids].sort((one, other) => one - other);

describe('a list of products that changes while it is read', () => {
  test.each<[string, (records: readonly unknown[]) => unknown[]]>([
    ['one that was read is written to and moves to the end', ([first, ...rest]) => [...rest, first]],
    ['records are added at the end', (records) => [...records, ...all(3, 1001)]],
    ['one that was read is deleted', ([, ...rest]) => rest],
    ['one is added in front', (records) => [listed(1001), ...records]],
    ['all turn around', (records) => [...records].reverse()],
    ['one goes and another comes', ([, ...rest]) => [...rest, written(1001)]],
    ['one goes and another comes in front', ([, ...rest]) => [written(1001), ...rest]],
    ['one goes and another comes, on a clock of another zone', ([, ...rest]) => [...rest, written(1001, 2)]],
  ])('loses no record and repeats none: %s', async (_, move) => {
    let moved = false;
    const service = await listService(all(95).map(old), 20, (page) => {
      if (page === 3 && !moved) {
        moved = true;
        service.records = move(service.records);
      }
      return undefined;
    });
    const ids = await idsOf(service);
    expect(new Set(ids).size).toBe(ids.length);
    const now = (service.records as { ProductID: number }[]).map(({ ProductID }) => ProductID);
    for (const id of now) expect(ids, `${id}`).toContain(id);
  });

  test('is written as far as it is known where it never stops changing, with a note that it is uncertain', async () => {
    const service: ListService = await listService(all(45), 20, (page) => {
      const { length } = service.records;
      if (page === 2) service.records = [...service.records, listed(2000 + length)];
      return undefined;
    });
    const done = await exportRecords(packages, {
      ...{ ...service.options, lang: 'en', out: join(service.folder, 'uit.csv') },
    });
    expect(done.notes).toEqual([expect.stringContaining('changed each of the 5 times')]);
    expect(done.records).toBeGreaterThanOrEqual(45);
  });

  test('is read once where nothing changes, and records that a page repeats are written once', async () => {
    const quiet = await listService(all(60));
    expect(sorted(await idsOf(quiet))).toEqual(all(60).map(({ ProductID }) => ProductID));
    expect(quiet.asked).toHaveLength(3);
    // One that says when its records were written is asked for the last of them once more.
    const dated = await listService(
      all(60).map((record, at) => ({ ...record, LMT: `2024-01-${10 + (at % 20)} 03:04:05` })),
    );
    expect(sorted(await idsOf(dated))).toHaveLength(60);
    expect(dated.asked[3]).toEqual({ LMT: expect.stringMatching(/^2024-01-29 01:5/) });
    const twice = await listService([...all(30), ...all(30)]);
    expect(sorted(await idsOf(twice))).toHaveLength(30);
  });
});

describe('an export of products leaves the file as it was, unless a retry helps', () => {
  const CASES: readonly [string, OnPage, RegExp | null][] = [
    [
      'an error once',
      (page, asked) => (page === 2 && asked < 4 ? { status: 503, body: {} } : undefined),
      null,
    ],
    [
      'an error for good',
      (page) => (page === 3 ? { status: 500, body: { message: 'stuk' } } : undefined),
      /does not answer as it should/,
    ],
    [
      'another shape',
      (page) => (page === 3 ? { status: 200, body: { hallo: 'wereld' } } : undefined),
      /does not answer as it should/,
    ],
    [
      'another page',
      (page) => (page === 3 ? { status: 200, body: [{ data: [], meta: { current_page: 1 } }] } : undefined),
      /page 1 came where page 3/,
    ],
    [
      'the token refused',
      (page) => (page === 3 ? { status: 401, body: { message: 'Unauthenticated.' } } : undefined),
      /token/,
    ],
  ];
  test.each(CASES)('where a page answers %s', async (_, onPage, refused) => {
    const service = await listService(all(80), 20, onPage);
    const out = join(service.folder, 'uit.xlsx');
    writeFileSync(out, 'van gisteren');
    const exporting = exportRecords(packages, { ...service.options, out, overwrite: true, lang: 'en' });
    if (refused === null) {
      expect(await exporting).toMatchObject({ records: 80 });
      expect(readFileSync(out).subarray(0, 2).toString()).toBe('PK');
    } else {
      await expect(exporting).rejects.toMatchObject({
        exit: EXIT.service,
        message: expect.stringMatching(refused),
      });
      expect(readFileSync(out, 'utf8')).toBe('van gisteren');
    }
    expect(readdirSync(service.folder).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('where it is interrupted, and says so', async () => {
    const stop = new AbortController();
    const service = await listService(all(200), 20, (page) => {
      if (page === 4) stop.abort();
      return undefined;
    });
    const out = join(service.folder, 'uit.xlsx');
    const exporting = exportRecords(packages, {
      ...service.options,
      out,
      lang: 'en',
      signal: stop.signal,
      concurrency: 1,
    });
    await expect(exporting).rejects.toMatchObject({
      ...{ exit: EXIT.interrupted, message: `Interrupted: nothing was written to ${out}.` },
    });
    expect(existsSync(out)).toBe(false);
  });
});

describe('an export of products', () => {
  test.each<[string, object, RegExp]>([
    ['a file that is there', { out: 'er.xlsx' }, /er\.xlsx is there already/],
    ...(hasLinks
      ? [['a link to one', { out: 'wijst.xlsx' }, /wijst\.xlsx is there already/] as [string, object, RegExp]]
      : []),
    ['a name that tells nothing', { out: 'uit.pdf' }, /does not say how the export/],
    ['a name that tells something else', { out: 'uit.xlsx', format: 'csv' }, /--format csv and the name/],
    ['a workbook to stdout', { out: '-', format: 'xlsx' }, /can’t be written to stdout/],
    ['a folder that is not there', { out: 'weg/uit.xlsx' }, /its folder does not exist/],
    ['a moment that is none', { out: 'uit.xlsx', since: 'gisteren' }, /--since gisteren: expected a date/],
    ...['2026-11-01T06:00:00Z', '2026-11-01T06:00:00+02:00'].map((since): [string, object, RegExp] => [
      ...([
        'a moment in a time zone' as const,
        { out: 'uit.xlsx', since },
        /its time zone is not known/,
      ] as const),
    ]),
    ['a separator of a workbook', { out: 'uit.xlsx', delimiter: ';' }, /--delimiter says how a CSV is/],
    ['NDJSON for programs', { out: 'uit.ndjson', raw: true }, /--raw says .* this export is NDJSON/],
  ])('refuses %s before any request', async (_, { out, ...wishes }: { out?: string }, says) => {
    const service = await listService(all(3));
    writeFileSync(join(service.folder, 'er.xlsx'), 'bewerkt');
    if (hasLinks) symlinkSync('er.xlsx', join(service.folder, 'wijst.xlsx'));
    const place = out === '-' ? out : join(service.folder, out ?? '');
    const exporting = exportRecords(packages, { ...service.options, ...wishes, out: place, lang: 'en' });
    await expect(exporting).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringMatching(says),
    });
    expect(service.asked).toEqual([]);
  });

  test('sends the moment and the declaration that were asked for', async () => {
    const service = await listService(all(3));
    const out = join(service.folder, 'uit.csv');
    await exportRecords(packages, { ...service.options, out, since: '31-12-2026 14:30', declaration: true });
    expect(service.asked).toEqual([{ LMT: '2026-12-31 14:30:00', exportWithDeclaration: true }]);
  });
});

test('a CSV is guarded and marked for Excel, unless it is for programs', async () => {
  const service = await listService([
    listed(1, { OmschrijvingIntern: '=1+1', Verkoopprijs: -1234.5, OmschrijvingExtern: "'=x" }),
  ]);
  const lines = async (more: object): Promise<string[]> => {
    const out = join(service.folder, 'uit.csv');
    await exportRecords(packages, { ...service.options, out, overwrite: true, ...more });
    return readFileSync(out, 'utf8').split('\r\n');
  };
  const [header = '', row] = await lines({ lang: 'nl' });
  expect(header).toMatch(/^\ufeffProductID;ExternalID;ProductTypeID;/);
  expect(row).toMatch(/^1;600001;Buffet;'=1\+1;-1234,5;''=x;Ja;/);
  const [raw = '', plain] = await lines({ raw: true, locale: 'en', lang: 'en' });
  expect(raw).toMatch(/^ProductID,ExternalID,/);
  expect(plain).toMatch(/^1,600001,1,=1\+1,-1234\.5,'=x,Yes,/);
  expect((await lines({ delimiter: 'tab' }))[1]).toMatch(/^1\t600001\tBuffet\t/);
  service.records = [];
  expect(await lines({})).toEqual([expect.stringMatching(/^\ufeffProductID/), '']);
});

test('nested lists stand on sheets of their own, with the id of their record', async () => {
  const link = { ProductLinkID: 71, ParentID: 7, ChildID: '9', AantalMinuten: '7.5', StickersPrinten: 1 };
  const service = await listService([
    listed(7, {
      productLinks: [link, { ...link, ProductLinkID: 72 }],
      productActions: null,
      productType: { ProductType: 'Buffet' },
    }),
    listed(8, { productLinks: { ...link, ProductLinkID: 81 }, productStockLocation: { SchapID: 4 } }),
    listed(9, { productLinks: [], productActions: [] }),
  ]);
  const out = join(service.folder, 'uit.xlsx');
  const done = await exportRecords(packages, { ...service.options, out, lang: 'en' });
  expect(done.sheets).toEqual([
    { sheet: 'Pakketten', rows: 3 },
    { sheet: 'productLinks', rows: 3 },
  ]);
  const [main, links, base] = (await readWorkbook(out)).sheets;
  expect([main?.name, links?.name, base?.name]).toEqual(['Pakketten', 'productLinks', 'catersheet']);
  const rows: unknown[][] = [];
  for await (const { cells } of links?.rows ?? []) rows.push(cells.map(({ value }) => value).slice(0, 4));
  expect(rows).toEqual([
    ['ProductID', 'ProductLinkID', 'ParentID', 'ChildID'],
    ...[
      [7, 71, 7, 9],
      [7, 72, 7, 9],
      [8, 81, 7, 9],
    ],
  ]);
  const named = new Map<unknown, unknown>();
  for await (const { number, cells } of main?.rows ?? [])
    for (const { column, value } of cells) named.set(`${number} ${column}`, value);
  const columnOf = (header: string): string | undefined =>
    [...named].find(([place, value]) => `${place}`.startsWith('1 ') && value === header)?.[0] as
      | string
      | undefined;
  const at = (row: number, header: string): unknown => named.get(`${row} ${columnOf(header)?.slice(2)}`);
  expect([at(2, 'productType.ProductType'), at(3, 'productStockLocation.SchapID')]).toEqual(['Buffet', 4]);
});

test.each(['csv', 'ndjson'] as const)(
  'a reader of %s that closes stdout ends the export, and is no fault',
  async (format) => {
    const service = await listService(all(400), 20);
    const session = await openSession({ ...service.options, concurrency: 2 });
    onTestFinished(() => session.close());
    let heard = 0;
    const stdout = new Writable({
      highWaterMark: 100,
      write(_chunk, _encoding, done) {
        heard++;
        if (heard < 3) setImmediate(done);
        else this.destroy();
      },
    });
    const wishes = {
      kinds: [{ resource: packages, selection: { way: 'all' }, declaration: false }],
      overwrite: false,
      raw: false,
      locale: 'nl',
      language: 'nl',
    } as const;
    const done = await exportFrom(session.context, {
      out: '-',
      format,
      stdout,
      ...wishes,
    });
    expect(done.file).toBeNull();
    expect(done.records).toBeLessThan(100);
    expect(service.asked.length).toBeLessThan(15);
  },
);
