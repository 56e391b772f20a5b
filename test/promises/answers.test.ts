import { describe, expect, test } from 'vitest';
import type { KnobChanges } from '../second-service/knobs.ts';
import { newPackages, openWorld } from './world.ts';

/** Each request of such a path is answered so. */
const answering = (path: string, body: unknown): KnobChanges => ({
  failures: {
    mix: [
      {
        probability: 1,
        failure: { kind: 'answer', when: 'before', status: 200, body },
        match: (request) => request.path.includes(path),
      },
    ],
  },
});

const amount = (Aantal: unknown, AantalProductEenheid: unknown = Aantal) => ({
  success: true,
  total: [{ Aantal, AantalProductEenheid, RekenEenheid: 'kg', ProductEenheid: 'zak', Waarde: 0 }],
});

describe('an answer that is not understood is never taken for a value (21)', () => {
  test.each([
    ['an amount of null', amount(null)],
    ['an amount of no text', amount('')],
    ['an amount in words', amount('tien')],
    ['an amount with a comma', amount('3,5')],
    ['one of two places without an amount', { total: [...amount(4).total, ...amount(null).total] }],
    ['no total', { success: true }],
    ['a total of text', { success: true, total: 'onbekend' }],
    ['an error with status 200', { message: 'Server Error', exception: 'ErrorException' }],
    ['a failure', { success: false, total: [] }],
  ])('%s is no stock: nothing is posted, and the row is not done', async (_, body) => {
    const { service, sheet, machine, importWorkbook } = openWorld();
    const product = service.add.package({ OmschrijvingIntern: 'Rijst' });
    service.set(answering('currenttotal', body));
    const header = ['ProductID', 'WerknemerID', 'DatumTijd', 'GeteldRekeneenheid', 'MutatieCategorieID'];
    const file = sheet([
      [...header, 'MutatieReden'],
      [product, 12, '20-02-2027 06:00', 5, 4901, 'Telling'],
    ]);
    const told = await importWorkbook(file, { ...machine(), as: 'stock-count' }).catch((error) => error);
    expect(service.journal.writes).toEqual([]);
    expect(told.rows?.[0]?.status ?? 'stopped').toMatch(/^(conflict|invalid|failed|stopped)$/);
  });

  test.each([
    ['nothing', null],
    ['data of null', [{ data: null, links: {}, meta: { total: 3 } }]],
    ['a text', 'ok'],
    ['an error with status 200', { message: 'Server Error' }],
    ['records without an id', [{ data: [{ OmschrijvingIntern: 'Lunch' }], links: {}, meta: { total: 1 } }]],
  ])('a list of %s is no list: nothing is created', async (_, body) => {
    const { service, sheet, machine, importWorkbook } = openWorld(answering('allModified', body));
    const file = sheet(newPackages(8));
    await importWorkbook(file, machine()).catch(() => {});
    expect(service.journal.writes).toEqual([]);
  });
});
