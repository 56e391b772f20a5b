import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Values } from '../../src/core/value.ts';
import { newReading } from '../../src/import/map/read-rows.ts';
import { RuleMistake, readRule } from '../../src/import/rules/rule-language.ts';
import { holding, loadRules, type RuleSources } from '../../src/import/rules/rules.ts';
import type { ExistingRecord } from '../../src/records/existing-record.ts';
import type { UnplacedRow } from '../../src/records/planning.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { allSheets, resources } from '../../src/resources/registry.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { readRow } from './map/sheet-of.ts';

const PRICES = { Verkoopprijs: 12.5, Kostprijs: 9.6, OmschrijvingIntern: 'Lunch', Actief: true };
const DAY = { Datum: '2026-12-31 14:30:00', AantalGasten: 40 };

test.each<[string, Values, Values | null, boolean | string]>([
  ['Verkoopprijs > 0', PRICES, null, true],
  ['verkoopprijs<=12,5', PRICES, null, true],
  ['Verkoopprijs ≥ 12.51', PRICES, null, false],
  ['Verkoopprijs = 12.50', PRICES, null, true],
  ['Verkoopprijs >= Kostprijs * 1.3', PRICES, null, true],
  ['Verkoopprijs > Kostprijs × 1,3 + 0.02', PRICES, null, false],
  // Exactly: floats make 0.09999999999990905 of it.
  ['Verkoopprijs - Kostprijs = 0.1', { Verkoopprijs: 1234.56, Kostprijs: 1234.46 }, null, true],
  ['Verkoopprijs ÷ 3 * 3 > -Kostprijs', PRICES, null, true],
  ['(Verkoopprijs + 1) * 2 = 27 and Actief', PRICES, null, true],
  ['Verkoopprijs > 100 or Kostprijs < 100 en Actief = false', PRICES, null, false],
  ['(Verkoopprijs > 100 of Kostprijs < 100) EN Actief = waar', PRICES, null, true],
  ["OmschrijvingIntern != 'Diner'", PRICES, null, true],
  ['OmschrijvingIntern = "Diner"', PRICES, null, false],
  ['OmschrijvingIntern != empty', PRICES, null, true],
  ['OmschrijvingIntern = leeg', { OmschrijvingIntern: null }, null, true],
  ['change(Verkoopprijs) <= 25%', PRICES, { Verkoopprijs: 10 }, true],
  ['change(Verkoopprijs) <= 24.99 %', PRICES, { Verkoopprijs: 10 }, false],
  ['change(Verkoopprijs) >= -50%', { Verkoopprijs: 4.99 }, { Verkoopprijs: 10 }, false],
  ['change(Verkoopprijs) < 1%', PRICES, null, 'not told'],
  ['change(Verkoopprijs) < 1%', PRICES, { Verkoopprijs: 0 }, 'not told'],
  ["Datum <= '2026-12-31'", DAY, null, true],
  ["Datum < '2026-12-31'", DAY, null, false],
  ["Datum >= '2026-12-31 14:31'", DAY, null, false],
  ["Datum = '2026-12-31' and AantalGasten <= 500", DAY, null, true],
  // An order of nothing can't be told; what is not known neither, and is named.
  ['AantalGasten <= 500', { AantalGasten: null }, null, 'not told'],
  ['AantalGasten / 0 = 1', DAY, null, 'not told'],
  ['Verkoopprijs > Kostprijs', { Verkoopprijs: 1 }, null, 'Kostprijs'],
  ['Verkoopprijs > 5 and Verkoopprijs > Kostprijs', { Verkoopprijs: 1 }, null, false],
  ['Verkoopprijs > Kostprijs or Verkoopprijs > 0', { Verkoopprijs: 1 }, null, true],
])('%s of %j, which was %j: %s', (text, now, was, expected) => {
  const [[, rule] = []] = readRule(text, [events, recipes]);
  const record = {
    unknown: undefined,
    now: (field: string) => now[field],
    was: (field: string) => (was === null ? null : was[field]),
  };
  expect(rule?.holds(record) ?? record.unknown ?? 'not told').toBe(expected);
});

test.each([
  ['', 0, 'a field'],
  ['1 > 0', 5, 'a field'],
  ['Verkoopprijs', 12, 'a comparison'],
  ['Verkoopprijs >', 14, 'a field or a value'],
  ['Verkoopprijs > 1.500', 15, 'thousands'],
  ['Verkoopprijs > 1,500', 15, 'thousands'],
  ['Verkoopprijs > 1.2.3', 15, 'thousands'],
  ["Verkoopprijs > 'duur'", 13, 'expected'],
  ['OmschrijvingIntern > Actief', 19, 'expected'],
  ["OmschrijvingIntern < 'a'", 19, 'expected'],
  ['Verkoopprijs > empty', 13, 'expected'],
  ['0 < Verkoopprijs < 10', 17, 'expected'],
  ['Verkoopprijs > 0 Kostprijs', 17, 'the end'],
  ['Verkoopprijs ! > 0', 13, 'no sign'],
  ['(Verkoopprijs > 0', 17, ')'],
  ['Verkoopprijs > 0 and Kostprijs', 17, 'a comparison'],
  ['Verkoopprijs + Actief > 0', 13, 'numbers'],
  ['change(OmschrijvingIntern) > 0', 0, 'numbers'],
  ['change(1) > Verkoopprijs', 7, 'a field'],
  ['Verkoopprijs > 0; drop', 16, 'no sign'],
  ["OmschrijvingIntern = 'Lunch", 21, 'no sign'],
  ['Verkoopprijz > 0', 0, 'Verkoopprijs'],
  ['constructor > 0', 0, 'no field constructor'],
  // Each is a field, of different sheets.
  ['Verkoopprijs > AantalGasten', 15, 'has no field AantalGasten'],
  [`Verkoopprijs > ${'('.repeat(200)}1${')'.repeat(200)}`, 46, 'brackets'],
  [`Verkoopprijs > ${'1+'.repeat(300)}1`, 500, 'characters'],
])('the mistake in %s is at %i', (text, at, words) => {
  let mistake: unknown;
  try {
    readRule(text, [packages, recipes, events]);
  } catch (error) {
    mistake = error;
  }
  expect(mistake).toBeInstanceOf(RuleMistake);
  const { at: place, text: said } = mistake as RuleMistake;
  expect([place, said.en]).toEqual([at, expect.stringContaining(words)]);
  expect(said.nl).not.toBe('');
});

const sheetOf = (...lines: readonly (readonly string[])[]) => ({
  name: 'Regels',
  rows: (async function* () {
    for (const [at, line] of lines.entries())
      yield {
        number: at + 1,
        cells: line.map((value, column) => ({ column: column + 1, type: 'text' as const, value })),
      };
  })(),
});

test.each<[string, readonly string[], string]>([
  ['an unknown field', ['Verkoopprijs > 0', 'Pakketten: Verkoopprijz > 0'], 'rules #2:12'],
  ['an unknown sheet', ['Paketten: Verkoopprijs > 0'], 'Pakketten'],
  ['a field of another sheet', ['Pakketten: AantalGasten > 0'], 'Pakketten has no field AantalGasten'],
  ['nothing to switch off', ['off: prices'], 'price-leaps'],
])('rules of the settings: %s is a mistake with its place', async (_, rules, words) => {
  await expect(loadRules({ rules }, undefined, resources)).rejects.toThrow(words);
});

test('a mistake in a file, or in a sheet, has its line or its cell', async () => {
  const rulesFile = join(tempFolder(), 'regels.txt');
  writeFileSync(rulesFile, '# prijzen\r\n\r\nVerkoopprijs > 0 | zin\r\n  Verkoopprijs >\r\n');
  await expect(loadRules({ rulesFile }, undefined, resources)).rejects.toThrow('regels.txt:4:17');
  await expect(loadRules({ rulesFile: `${rulesFile}x` }, undefined, resources)).rejects.toThrow(
    'can’t be read',
  );
  const sheet = sheetOf(['Regel', 'Zin'], ['Verkoopprijs > 0', 'Nooit gratis'], ['Verkoopprijs > x']);
  await expect(loadRules({}, sheet, resources)).rejects.toThrow('Regels!A3:16');
  await expect(loadRules({}, sheetOf(['uit: price-leaps']), resources)).rejects.toThrow('in the settings');
  await expect(
    loadRules({ rules: Array.from({ length: 600 }, () => 'Verkoopprijs > 0') }, undefined, resources),
  ).rejects.toThrow('more than');
});

/** What is said of a row on packages whose price becomes another: cells, codes and ways out. */
async function saidOf(sources: RuleSources, before: number | null, price: number | null, strict = false) {
  const rules = await loadRules(sources, undefined, allSheets);
  const row = readRow(['ExternalID', 'Verkoopprijs'], [1, price]) ?? expect.fail('no row');
  const was = { id: 7, external: null, lmt: null, values: { Verkoopprijs: before } } as ExistingRecord;
  const planned = {
    ...{ action: before === null ? 'create' : 'update', issues: row.issues, steps: [], needs: [] },
    changes: before === null ? [] : [{ field: 'Verkoopprijs', from: before, to: price }],
  } as unknown as UnplacedRow;
  const sheet = { rules: { strict, locale: 'en' as const }, reading: newReading() };
  const held = holding(rules.get('packages') ?? [], packages, sheet);
  const { action, issues } = held.hold(planned, row, before === null ? null : was);
  return [
    action,
    ...issues.map(({ address, code, hint }) => `${address} ${code} ${JSON.stringify(hint)}`),
  ].join(', ');
}

test.each([
  [null, -5.5, 'price-below-zero'],
  [null, 0, 'price-unlikely'],
  [null, 1_000_000, null],
  [null, 1_000_001, 'price-unlikely'],
  [12.5, -5, 'price-below-zero'],
  [12.5, 0, 'price-unlikely'],
  [12.5, 13, null],
  [12.5, null, null],
  [-3, -5, null],
  [-3, 0, 'price-unlikely'],
  [0, -1, 'price-below-zero'],
  [3_000_000, 2_000_000, null],
  [12.5, 6.25, null],
  [12.5, 6.24, 'price-leaps'],
  [12.5, 18.75, null],
  [12.5, 18.76, 'price-leaps'],
] as const)('a record with price %s that is to have %s: %s', async (before, price, code) => {
  const said = await saidOf({}, before, price);
  expect(said.includes('B2 price')).toBe(code !== null);
  if (code !== null) expect(said).toContain(`B2 ${code} `);
  expect(said.startsWith('invalid')).toBe(code === 'price-below-zero');
});

test.each<[string, readonly string[], string]>([
  ['a rule warns', ['Verkoopprijs <= 20'], 'update, B2 rule-not-held {"en":"The rule is Verkoopprijs <= 20"'],
  ['a sentence is shown', ['Verkoopprijs <= 20 | Te duur.'], 'update, B2 rule-not-held {"en":"Te duur."'],
  ['! behind it refuses', ['Verkoopprijs <= 20 ! | Te duur'], 'invalid, B2 rule-not-held'],
  ['! before it refuses', ['! Pakketten: Verkoopprijs <= 20'], 'invalid, B2 rule-not-held'],
  ['one of another sheet does not count', ['Recepten: Verkoopprijs <= 20'], 'update'],
  ['one of fields that the row leaves alone neither', ['Actief = true !'], 'update'],
  ['a remark is no rule', ['# Verkoopprijs <= 20', ''], 'update'],
])('%s', async (_, rules, said) => {
  expect(await saidOf({ rules }, 24, 25)).toContain(said);
});

test('what is built in is switched off by its code, and counts as an error with --strict', async () => {
  expect(await saidOf({}, 10, 25)).toContain('update, B2 price-leaps');
  expect(await saidOf({ rules: ['off: price-leaps'] }, 10, 25)).toBe('update');
  expect(await saidOf({}, 10, 25, true)).toContain('invalid, B2 price-leaps');
});
