import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { openProgram, type Told } from './program.ts';

/** What is said of each row that something is said of. */
const said = ({ rows }: Told): string[] =>
  rows.flatMap(({ status, issues = [] }) =>
    issues.map(({ cell, code, severity, message }) => `${status} ${cell} ${code} ${severity} ${message}`),
  );

test('a price list is held against the rules of the profile, a file and its own sheet Regels', async () => {
  const { service, json, run, write, folder } = await openProgram();
  const [soup = 0, bread = 0, tea = 0] = [10, 4, 2].map((Verkoopprijs, at) =>
    service.add.recipe({ OmschrijvingIntern: `Recept ${at}`, Verkoopprijs, Kostprijs: at === 2 ? null : 3 }),
  );
  const config = join(folder, 'home', 'catersheet.config.json');
  mkdirSync(join(folder, 'home'), { recursive: true });
  const rules = ['Verkoopprijs >= Kostprijs * 1.3 | Te weinig marge', 'off: price-leaps'];
  writeFileSync(config, JSON.stringify({ profiles: { default: { rules } } }));
  write('regels.txt', '# van de directie', '', 'Recepten: change(Verkoopprijs) <= 25% !');
  const HEAD = ['ProductID', 'OmschrijvingIntern', 'Verkoopprijs'];
  const file = await makeWorkbook(join(folder, 'prijzen.xlsx'), {
    Recepten: [HEAD, [soup, 'Recept 0', 3.5], [bread, 'Recept 1', 9], [tea, 'Recept 2', 2.1]],
    Regels: [
      ['Regel', 'Zin'],
      ['Verkoopprijs > 3', 'Niets onder de drie euro'],
    ],
  });
  // What is corrected is held against the same rules.
  const looked = await run(['import', file, '--rules', 'regels.txt', '--dry-run']);
  expect(looked.stdout).toMatch(/import \S*prijzen\.result\.xlsx --rules regels\.txt/);
  const planned = await json('import', file, '--rules', 'regels.txt', '--yes', '--lang', 'nl');
  expect(said(planned.document)).toEqual([
    expect.stringMatching(/^updated C2 rule-not-held warning .*Te weinig marge \(Kostprijs 3,00\)/),
    expect.stringMatching(/^invalid C3 rule-not-held error .*De regel is change/),
    expect.stringMatching(/^updated C4 rule-not-held warning .*Niets onder de drie euro/),
  ]);
  expect([planned.code, planned.document.counts]).toMatchObject([5, { updated: 2, invalid: 1 }]);
  expect(planned.document.notes?.join('\n')).toMatch(/werkblad Regels.*toegepast/);
  expect(service.recipes.get(bread)?.Verkoopprijs).toBe(4);
});

test('a mistake in a rule stops before anything is read of the service, with its place', async () => {
  const { service, run, write } = await openProgram();
  write('prijzen.csv', 'ProductID;Verkoopprijs', '1;12');
  write('regels.txt', 'Verkoopprijs > 0', 'Verkoopprijz > 0');
  const told = await run(['import', 'prijzen.csv', '--as', 'packages', '--rules', 'regels.txt', '--dry-run']);
  expect(told.code).toBe(2);
  expect(told.stderr).toMatch(/regels\.txt:2:1[\s\S]*Verkoopprijs/);
  expect(service.journal.requests).toEqual([]);
});

test('a count that is ten times off is told, and one of nothing is not', async () => {
  const { service, json, write } = await openProgram();
  const [rice = 0, salt = 0] = [1, 2].map(() => service.add.recipe());
  for (const ProductID of [rice, salt]) service.add.stock(ProductID, 5);
  write(
    'telling.csv',
    'ProductID;WerknemerID;MutatieCategorieID;MutatieReden;DatumTijd;GeteldRekeneenheid',
    `${rice};1;4901;Telling;30-11-2026 10:00;51`,
    `${salt};1;4901;Telling;30-11-2026 10:00;0`,
  );
  const { document } = await json('import', 'telling.csv', '--as', 'stock-count', '--dry-run');
  expect(said(document)).toEqual([expect.stringMatching(/^create F2 count-far-off warning .*total is 5/)]);
});
