import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../helpers/cells-of.ts';
import { openWorld } from '../../promises/world.ts';

/** A count of 9 of the 10 in stock that comes to nothing on one machine; 4 more are used since. */
async function refused(how: 'failed' | 'conflict', ending: string) {
  const { service, sheet, machine, folder, ...program } = openWorld();
  const product = service.add.product();
  service.add.stock(product, 10);
  const header = 'ProductID;WerknemerID;DatumTijd;MutatieCategorieID;MutatieReden;GeteldRekeneenheid';
  const file = sheet(cellsOf([header, `${product};12;2026-03-05 08:00;4901;Week;9`]));
  const { out: _, ...rest } = machine();
  const here = { ...rest, as: 'stock-count' };
  const out = `${folder}/first.${ending}`;
  let result: string | null | undefined;
  if (how === 'failed') {
    service.failNext(
      { kind: 'answer', when: 'before', status: 422, body: { message: 'Gesloten', errors: {} } },
      ({ method }) => method === 'PUT',
    );
    const done = await program.importWorkbook(file, { ...here, out });
    expect(done.rows[0]?.status).toBe('failed');
    result = done.result;
    service.other.useStock(product, 4);
  } else {
    const { run } = await program.planImport(file, here);
    service.other.useStock(product, 4);
    const { as: __, ...applied } = here;
    const done = await program.applyPlan(run, { ...applied, out });
    expect(done.rows[0]?.status).toBe('conflict');
    result = done.result;
  }
  return {
    total: () => service.stockTotal(product),
    there: async (more: object = {}) => {
      const { out: __, ...other } = machine();
      const { rows } = await program.importWorkbook(String(result), { ...other, as: 'stock-count', ...more });
      return { status: rows[0]?.status, message: rows[0]?.message ?? '' };
    },
  };
}

describe('the result of a count', () => {
  test.each([
    ['failed', 'xlsx'],
    ['conflict', 'csv'],
  ] as const)(
    'that is %s posts nothing on another ledger, as its total moved since (%s)',
    async (how, ending) => {
      const { there, total } = await refused(how, ending);
      const { status, message } = await there();
      expect(status).toBe('conflict');
      expect(message).toMatch(
        new RegExp(`says ${how}, and what came or went since that count is not known here: count again, `),
      );
      expect(total()).toBe(6);
    },
  );

  test('is posted up to what was counted where the user says so', async () => {
    const { there, total } = await refused('conflict', 'xlsx');
    expect(await there({ onConflict: 'mine' })).toMatchObject({ status: 'created' });
    expect(total()).toBe(9);
  });
});
