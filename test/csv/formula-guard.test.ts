import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardFormula, unguardFormula } from '../../src/csv/csv-layout.ts';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { listed, listService } from '../export/list-service.ts';

/** What spreadsheet programs take for the start of a formula, in every width. */
const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
/** What a program may leave out before it. */
const BEFORE = ['', ' ', '\u00a0', '\u3000', '\u200b', '\u2060', '\ufeff'];

describe('the guard of a CSV against formulas', () => {
  it.each(STARTS)('stands before %j, also behind blanks and what is not seen', (start) => {
    for (const before of BEFORE)
      for (const text of [`${before}${start}SOM(A1)`, `'${before}${start}x`, `''${start}x`])
        expect(guardFormula(text)).toBe(`'${text}`);
  });

  it.each(['Soep', 'a=b', "'s-Hertogenbosch", ' Soep', '', "''", '12', '“=”'])(
    'leaves %j as it is',
    (text) => {
      expect(guardFormula(text)).toBe(text);
      expect(unguardFormula(text)).toBe(text);
    },
  );

  it('is taken off again, whatever the text', () => {
    const signs = fc.string({ unit: fc.constantFrom(...STARTS, ...BEFORE.slice(1), "'", 'x', '1') });
    fc.assert(
      fc.property(fc.oneof(signs, fc.string()), (text) => {
        expect(unguardFormula(guardFormula(text))).toBe(text);
        // No program leaves out the apostrophe itself.
        if (STARTS.includes(guardFormula(text)[0] ?? '')) expect.fail(JSON.stringify(text));
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  it('leaves each record as it is when the exported CSV is imported', async () => {
    const texts = STARTS.flatMap((start) => [`${start}SOM(A1)`, `x${start}`, `'${start}x`, `' ${start}x`]);
    const records = texts.map((text, at) =>
      listed(at + 1, { OmschrijvingIntern: text, OmschrijvingExtern: text }),
    );
    const service = await listService(records, 100);
    const out = `${service.folder}/uit.csv`;
    await exportRecords(packages, { ...service.options, out });
    const { counts } = await importWorkbook(out, { ...service.options, as: packages, strict: true });
    expect(counts).toMatchObject({ read: texts.length, unchanged: texts.length });
  });
});
