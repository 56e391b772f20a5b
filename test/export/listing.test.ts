import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, exportRecords } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
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

describe('a list of products that changes while it is read', () => {
  test.each<[string, (records: readonly unknown[]) => unknown[]]>([
    ['one that was read is written to and moves to the end', ([first, ...rest]) => [...rest, first]],
    ['records are added at the end', (records) => [...records, ...all(3, 1001)]],
    ['one that was read is deleted', ([, ...rest]) => rest],
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
    expect(done.notes).toEqual([expect.stringContaining('came incomplete each time it was read')]);
    expect(done.records).toBeGreaterThanOrEqual(45);
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
      ...{ exit: EXIT.interrupted, next: expect.stringContaining('Nothing was written to') },
    });
    expect(existsSync(out)).toBe(false);
  });
});

test('a CSV is guarded and marked for Excel', async () => {
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
  const [, english] = await lines({ locale: 'en', lang: 'en', ids: true });
  expect(english).toMatch(/^1,600001,1,'=1\+1,-1234\.5,''=x,Yes,/);
  expect((await lines({ delimiter: 'tab' }))[1]).toMatch(/^1\t600001\tBuffet\t/);
  service.records = [];
  expect(await lines({})).toEqual([expect.stringMatching(/^\ufeffProductID/), '']);
});
