import { expect, test } from 'vitest';
import type { Bilingual } from '../../src/core/language.ts';
import type { ImportWorkbookOptions } from '../../src/index.ts';
import { cellsOf } from '../helpers/cells-of.ts';
import { openWorld } from '../promises/world.ts';

test('who, when and why are asked once for all rows of a count that lack them, until an answer can be read', async () => {
  const { sheet, machine, importWorkbook, service } = openWorld();
  const options = { ...machine(), as: 'stock-count', locale: 'nl' };
  const lines = ['ProductID;GeteldRekeneenheid;WerknemerID', '7;12', '8;3;14'];
  const ids = [service.add.product(), service.add.product()];
  const file = sheet(
    cellsOf(lines.map((line, at) => (at === 0 ? line : line.replace(/^\d/, `${ids[at - 1]}`)))),
  );
  const asked: string[] = [];
  const told: string[] = [];
  const answers = ['twaalf', '12', '2026-11-20 06:00', '4901', 'telling'];
  const questions = {
    ask: async ({ en }: Bilingual) => {
      asked.push(/\((\w+)\)/.exec(en)?.[1] ?? en);
      return answers[asked.length - 1] ?? '';
    },
    tell: ({ en }: Bilingual) => void told.push(en),
    ...{ takeHeaders: async () => false, createUnnamed: async () => false },
  };
  const { counts } = await importWorkbook(file, { ...options, questions } as ImportWorkbookOptions);
  expect(asked).toEqual(['WerknemerID', 'WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden']);
  expect(told).toEqual([expect.stringMatching(/^Rows of week-1 /), expect.stringContaining('twaalf')]);
  expect(counts).toMatchObject({ read: 2, created: 2, invalid: 0 });
});

test('what nobody answers is left to say of each row, and a file of which no row can be sent is refused then', async () => {
  const { sheet, machine, importWorkbook, service } = openWorld();
  const file = sheet(cellsOf(['ProductID;GeteldRekeneenheid', `${service.add.product()};12`]));
  const questions = { ask: async () => '', tell: () => {}, createUnnamed: async () => false };
  const options = { ...machine(), as: 'stock-count', questions };
  await expect(importWorkbook(file, options as ImportWorkbookOptions)).rejects.toMatchObject({
    exit: 3,
    next: expect.stringContaining('WerknemerID'),
  });
});
