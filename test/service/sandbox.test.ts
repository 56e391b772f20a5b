import { afterEach, describe, expect, test } from 'vitest';
import { endpoints, lookups } from '../../src/resources/endpoints.ts';
import {
  departments,
  dropdownValues,
  productCategories,
  productTypes,
  units,
} from '../../src/resources/lookups.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { stockEndpoints } from '../../src/resources/stock-mutations.ts';
import type { RunningSandbox, SandboxSettings } from '../../src/sandbox/requests/options.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { lookupList } from '../../src/service/lookups.ts';
import { firstPage } from '../../src/service/pages.ts';
import { RequestError } from '../../src/service/request-error.ts';
import type { Service } from '../../src/service/service.ts';
import { open } from './open.ts';

let sandbox: RunningSandbox;
let service: Service;

async function start(settings: SandboxSettings = {}): Promise<void> {
  sandbox = await createSandbox({ endpoints, lookups, ...settings });
  service = open(sandbox.url, { token: sandbox.token, concurrency: 8, retries: 5 });
}
afterEach(async () => {
  await service.close();
  await sandbox.close();
});

const { create, update, remove, findById, findByExternal, list } = packages.requests;
const lunch = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Proef', Verkoopprijs: 14.5 };
const everything = { LMT: '1970-01-01 00:00:00.000' };

async function names(requests: typeof packages.requests | typeof recipes.requests): Promise<unknown[]> {
  const run = (await firstPage(service, requests.list, everything)).all(4);
  const read: unknown[] = [];
  for await (const page of run) read.push(...page.data.map((record) => record.OmschrijvingIntern));
  expect(run.tally.complete).toBe(true);
  return read;
}

test('a package is created, keyed, found and deleted', async () => {
  await start();
  const { id } = await service.send(create, { body: lunch });
  await service.send(update, { body: { ...lunch, ProductID: id, ExternalID: 31_999 } });
  const found = await service.send(findByExternal, { params: { ID: 31_999 } });
  expect(found).toMatchObject({ ...lunch, ProductID: id, ExternalID: 31_999 });
  await service.send(remove, { body: { ProductID: id } });
  await expect(service.send(findById, { params: { ID: id ?? 0 } })).rejects.toMatchObject({
    kind: 'missing',
  });
});

test('a body on a GET is what the service reads', async () => {
  await start();
  const [recipe] = (await firstPage(service, recipes.requests.list, everything)).page.data;
  const ProductID = Number(recipe?.ProductID);
  const total = await service.send(stockEndpoints.currentTotal, {
    params: { id: ProductID },
    body: { ProductID },
  });
  expect(Array.isArray(total?.total)).toBe(true);
});

test.each(['array', 'data', 'page'] as const)(
  'every package is read, in pages or in one download (%s)',
  async (download) => {
    await start({ pageSize: 7, dialect: { download } });
    const paged = await names(packages.requests);
    const whole = await service.send(list, { body: { ...everything, downloadResponseAsJSON: true } });
    expect(paged.length).toBeGreaterThan(7);
    expect(whole.data.map((record) => record.OmschrijvingIntern)).toEqual(paged);
  },
);

test.each([productTypes, productCategories, units, departments, dropdownValues('mutatiecategorie', 49)])(
  'the names of $name are found',
  async (lookup) => {
    await start();
    const list = await lookupList(service, lookup);
    if (!('entries' in list)) throw new Error(list.hint.en);
    const { entries: found } = list;
    expect(found.length).toBeGreaterThan(1);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    // One name stands for two categories, as in many a real list.
    expect(new Set(found.map(({ label }) => label)).size).toBeGreaterThan(found.length * 0.8);
  },
);

test('a wrong token is refused, and nothing more is sent', async () => {
  await start();
  const stranger = open(sandbox.url, { token: 'wrong' });
  await expect(stranger.send(findById, { params: { ID: 1 } })).rejects.toMatchObject({ exit: 4 });
  await stranger.close();
});

describe('a service in which everything goes wrong now and then', () => {
  const faults: SandboxSettings['faults'] = {
    lostAnswer: 0.05,
    reset: 0.05,
    status503: 0.05,
    html: 0.02,
    truncate: 0.03,
  };

  test('takes every create once, or leaves it in known doubt, never twice', async () => {
    await start({ faults: { ...faults, onlyWrites: true } });
    const wanted = Array.from({ length: 300 }, (_, number) => `Gang ${number}`);
    const doubtful = new Set<string>();
    await Promise.all(
      wanted.map((OmschrijvingIntern) =>
        service.send(create, { body: { ...lunch, OmschrijvingIntern } }).catch((error: unknown) => {
          if (!(error instanceof RequestError)) throw error;
          expect(error).toMatchObject({ kind: 'lost', mayHaveTakenEffect: true });
          doubtful.add(OmschrijvingIntern);
        }),
      ),
    );
    const there = (await names(packages.requests)).filter((name) => String(name).startsWith('Gang '));
    expect(new Set(there).size).toBe(there.length);
    const missing = wanted.filter((name) => !there.includes(name));
    expect(missing.every((name) => doubtful.has(name))).toBe(true);
    expect(doubtful.size).toBeGreaterThan(0);
    expect(doubtful.size).toBeLessThan(100);
  });

  test('gets all reads and updates in the end', async () => {
    await start({ faults });
    const first = await firstPage(service, list, everything);
    const ids = first.page.data.map((record) => Number(record.ProductID));
    await Promise.all(
      ids.map(async (ProductID, number) => {
        const body = { ...lunch, ProductID, OmschrijvingIntern: `Nieuw ${number}` };
        await expect(service.send(update, { body })).resolves.toMatchObject({ success: true });
      }),
    );
    const now = await Promise.all(ids.map((ID) => service.send(findById, { params: { ID } })));
    expect(now.map((record) => record?.OmschrijvingIntern)).toEqual(
      ids.map((_, number) => `Nieuw ${number}`),
    );
  });
});
