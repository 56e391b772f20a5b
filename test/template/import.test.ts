import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT, type StopError } from '../../src/core/errors.ts';
import { importWorkbook } from '../../src/import/import.ts';
import { eachRow } from '../../src/ledger/ledger.ts';
import { resources } from '../../src/resources/registry.ts';
import { cellTypeOf, type Field } from '../../src/schema/field.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { templateFields } from '../../src/template/columns.ts';
import { fillIn, type Typed } from './fill-in.ts';
import { listsOf, openTemplateService, type TemplateService, template } from './fixtures.ts';

const DAY = 86_400_000;

/** A field's example as it would stand in the cell after typing it. */
function typed(field: Field): Typed {
  const { example = '' } = field;
  if (typeof example === 'boolean') return example ? 'Ja' : 'Nee';
  if (typeof example === 'number' || field.codec.type !== 'datetime') return example;
  const serial =
    Date.parse(`${example.replace(' ', 'T')}${example.includes(' ') ? ':00' : ''}Z`) / DAY + 25_569;
  return cellTypeOf(field) === 'time' ? serial % 1 : serial;
}

type Wanted = (one: ReturnType<typeof templateFields>[number]) => boolean;

function exampleRow(resource: Resource, wanted: Wanted): Record<string, Typed> {
  const fields = templateFields(resource)
    .filter(wanted)
    // Of two amounts that can't both be there, the first.
    .filter(
      ({ alone, instead }, at, all) => !alone || all.findIndex(({ name }) => instead.includes(name)) > at,
    );
  return Object.fromEntries(fields.map(({ name, field }) => [name, typed(field)]));
}

/** Plans a workbook and answers its rows as `Sheet: action`, with what is wrong with them. */
async function planned(service: TemplateService, bytes: Buffer, strict = true): Promise<string[]> {
  const file = join(service.folder, 'ingevuld.xlsx');
  writeFileSync(file, bytes);
  const { plan } = await importWorkbook(service.context, {
    ...{ file, dryRun: true, language: 'nl', locale: 'nl', only: [], set: [] },
    ...{ strict, allowDelete: false, onConflict: 'skip' },
  });
  expect(plan.recognised.flatMap((one) => (one.kind === 'problem' ? [one.reason.nl] : []))).toEqual([]);
  const rows: string[] = [];
  for await (const { planned: row } of eachRow(service.context.ledger, plan.run)) {
    const wrong = row.issues.filter(({ severity }) => severity === 'error');
    const issues = wrong.map(({ code, field, found }) => ` ${code} ${field} ${found}`).join();
    rows.push(`${row.sheet}: ${row.action}${issues}`);
  }
  return rows;
}

test('an empty template holds no rows to import', async () => {
  const service = await openTemplateService();
  const lists = await listsOf(service);
  const books = [await template('nl', lists), await template('en')];
  for (const bytes of books) {
    const stop = await planned(service, bytes).catch((error: StopError) => error);
    expect(stop).toMatchObject({ exit: EXIT.file });
    expect((stop as StopError).message).toContain('holds no row to send');
  }
});

test('a template filled in with its examples is valid on every sheet, and finds the records that they name', async () => {
  const service = await openTemplateService();
  const rows = Object.fromEntries(
    resources.map((resource) => [resource.sheet, [exampleRow(resource, () => true)]]),
  );
  // Not strictly: an event that is there already is warned of columns that only a new one takes.
  expect(await planned(service, await fillIn(await template('nl'), rows), false)).toEqual([
    'Pakketten: update',
    'Recepten: update',
    'Evenementen: update',
    'Voorraadmutaties: create',
    'Voorraadtelling: create',
    'Arrangementen: create',
    'Ritten: unchanged',
  ]);
});

test('every choice of every list in a template is read as an id of its own', async () => {
  const service = await openTemplateService();
  const lists = await listsOf(service);
  const names = new Set(
    resources.flatMap(({ fields }) => Object.values(fields).flatMap(({ lookup }) => lookup?.name ?? [])),
  );
  expect(new Set(lists.map(({ lookup }) => lookup))).toEqual(names);
  const rows = Object.fromEntries(
    resources.map((resource) => {
      const base = exampleRow(resource, ({ role }) => role !== 'optional');
      const choices = templateFields(resource).flatMap(({ name, field }) => {
        const list = lists.find(({ lookup }) => lookup === field.lookup?.name);
        return (list?.choices ?? []).map(({ text }) => ({ ...base, [name]: text }));
      });
      return [resource.sheet, choices.length === 0 ? [base] : choices];
    }),
  );
  const file = await fillIn(await template('nl', lists), rows);
  const lines = await planned(service, file);
  expect(lines.length).toBeGreaterThan(60);
  // Of two with one name, an update has ids of its own.
  const known = [11, 12].map((id) => `Recepten: invalid lookup-unknown ProductCategorieID Dranken (${id})`);
  expect(lines.filter((line) => / lookup-/.test(line))).toEqual(known);
});
