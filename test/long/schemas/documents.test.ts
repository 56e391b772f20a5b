import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import * as library from '../../../src/index.ts';
import { openTestService, optionsFor, type TestService } from '../../helpers/test-service.ts';

const isExported = (resource: library.Resource): resource is library.ExportedResource =>
  ['catalogue', 'event', 'link', 'trip', 'count'].includes(resource.kind);
const [packages] = library.resources.filter(isExported);
if (packages === undefined) throw new Error('Nothing is exported.');

const FILE = createRequire(import.meta.url).resolve('catersheet/schemas/catersheet-1.schema.json');

type Schema = { readonly [key: string]: unknown };

/** The schema with every object closed: what the program prints and the schema does not tell is found. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return (schema as Schema).properties !== undefined && (schema as Schema).required !== undefined
    ? { ...parts, additionalProperties: false }
    : parts;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
ajv.addSchema(closed(JSON.parse(readFileSync(FILE, 'utf8'))) as Schema, 'documents');

/** What is wrong with a document; nothing of one that is as the schema says. */
function faults(name: string, document: unknown): string[] {
  const check = ajv.getSchema(`documents#/$defs/${name}`);
  if (check === undefined || check(document) === true) return check === undefined ? [`no ${name}`] : [];
  const text = ajv.errorsText(check.errors);
  return [`${name}: ${text} in ${JSON.stringify(document).slice(0, 200)}`];
}

async function printed({ run }: TestService, ...args: string[]): Promise<unknown> {
  const { stdout } = await run([...args, '--lang', 'nl'], { own: true });
  return JSON.parse(stdout) as unknown;
}

test('what a command prints is as the schema says, and has no key that it does not tell', async () => {
  const service = await openTestService();
  const header = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Actief;Vreemd';
  const lines = ['700000;Lunch;Buffet;12,50;ja;x', '700001;Kaasplank;Bufet;1.125;nee;', '5;Soep;1;3;ja;'];
  writeFileSync(join(service.folder, 'Pakketten.csv'), `${[header, ...lines].join('\n')}\n`);
  writeFileSync(join(service.folder, 'kapot.db'), 'geen register, wel zo lang als een kop\n'.repeat(99));
  const file = 'Pakketten.csv';
  const wrong: string[] = [];
  const expectDocument = (name: string, document: unknown) => wrong.push(...faults(name, document));
  const dry = await printed(service, 'import', file, '--dry-run', '--json=all');
  expectDocument('import', dry);
  expect(dry).toMatchObject({ counts: { created: 2 }, planned: { create: 2, update: 0, delete: 0 } });
  const done = (await printed(service, 'import', file, '--yes', '--json=all', '--report', 'r.html')) as {
    readonly run: string;
  };
  expectDocument('import', done);
  expect(done).toMatchObject({ exit: 5 });
  expectDocument('run', await printed(service, 'runs', done.run, '--json'));
  expectDocument('ledgerBackup', await printed(service, 'ledger', 'backup', 'kopie.db', '--json'));
  const later = (await printed(service, 'import', file, '--dry-run', '--json')) as { readonly run: string };
  const restored = await printed(service, 'ledger', 'restore', 'kopie.db', '--json');
  expectDocument('ledgerRestore', restored);
  expect(restored).toMatchObject({ lost: [{ run: later.run, file }] });
  const { stdout } = await service.run(['export', 'packages', '-o', '-', '--format', 'ndjson']);
  for (const line of stdout.trimEnd().split('\n')) expectDocument('record', JSON.parse(line));
  const others = [
    ['ledgerCheck', 'ledger', 'check'],
    ['ledgerCheck', 'ledger', 'check', '--ledger', 'kapot.db'],
    ['ledgerCheck', 'ledger', 'check', '--ledger', 'geen.db'],
    ['runs', 'runs'],
    ['error', 'import', 'weg.xlsx'],
    ['error', 'import', file, '--dry-rum'],
  ] as const;
  const shown = await Promise.all(others.map(([, ...args]) => printed(service, ...args, '--json')));
  for (const [at, document] of shown.entries()) expectDocument(others[at]?.[0] ?? '', document);
  expect(wrong).toEqual([]);
});

test('what the functions resolve to is as the schema says, row by row', async () => {
  const service = await openTestService();
  const { out: _, ...options } = optionsFor(service);
  const at = (name: string): string => join(service.folder, name);
  const { doubt, allRows, ...plain } = options;
  const sheets = {
    Documenten: ['PartijID;Submap;Document', '9001;Offertes;brief.txt', '9001;Offertes;weg.txt'],
    Facturen: ['id;extension', '2026001;pdf', '9999999;pdf'],
    Verversen: ['PartijID', '9001', '1'],
    Pakketten: [
      'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs',
      '700000;Soep;Buffet;3',
      '7;x;y;z',
    ],
    Eigen: ['ExternalID;Prijs;Naam;Omschrijving;Marge', '30001;12,50;Lunch;Kort;31'],
    brief: ['Beste mevrouw,'],
  };
  for (const [name, lines] of Object.entries(sheets))
    writeFileSync(at(name === 'brief' ? 'brief.txt' : `${name}.csv`), `${lines.join('\n')}\n`);
  const wrong: string[] = [];
  const expectDocument = (name: string, document: unknown) => wrong.push(...faults(name, document));
  expectDocument('import', await library.uploadDocuments(at('Documenten.csv'), options));
  expectDocument('import', await library.fetchInvoices(at('Facturen.csv'), { ...options, to: at('pdf') }));
  expectDocument('import', await library.refreshEvents(at('Verversen.csv'), options));
  const dry = { ...options, dryRun: true, as: packages } as const;
  const proposing = await library.importWorkbook(at('Eigen.csv'), dry);
  expectDocument('import', proposing);
  expect(proposing).toMatchObject({ proposals: [{ sheet: 'Eigen' }], map: expect.stringContaining('=') });
  const plan = await library.planImport(at('Pakketten.csv'), options);
  for await (const row of plan.rows()) expectDocument('row', row);
  expectDocument('import', await library.applyPlan(plan, options));
  expectDocument('undo', await library.undoRun(plan.run, { ...plain, out: at('terug.xlsx') }));
  expectDocument('runs', { runs: await library.listRuns(plain) });
  expectDocument('run', await library.readRun(plan.run, plain));
  const days = { from: '2026-10-01', to: '2027-12-31' };
  const kinds = library.resources.filter(isExported);
  for (const [name, chosen, of] of [
    ['alles.xlsx', kinds, days],
    ['pakketten.csv', packages, {}],
    ['voorraad.ndjson', kinds.filter((one) => one.name === 'stock-count'), {}],
  ] as const)
    expectDocument('export', await library.exportRecords(chosen, { ...plain, ...of, out: at(name) }));
  expectDocument(
    'finance',
    await library.exportFinance({ ...plain, ...days, all: true, out: at('een.xlsx') }),
  );
  await service.request('POST', 'api/v1/event', { PartijID: 9001, AantalGasten: 99 });
  const again = await library.exportFinance({ ...plain, ...days, all: true, out: at('twee.xlsx') });
  expectDocument('finance', again);
  expect(again.changes?.records).not.toEqual([]);
  expectDocument('calls', await library.refreshEventIds([9001, 1], plain));
  expectDocument('calls', await library.sendOrders('all', plain));
  expectDocument('template', await library.writeTemplate([packages], { ...plain, out: at('t.xlsx') }));
  expectDocument('check', await library.checkService({ ...plain, lists: true }));
  expect(wrong).toEqual([]);
});

test('the schema refuses a document of another shape', () => {
  const row = { sheet: 'Pakketten', row: 2, status: 'invalid' };
  const check = ajv.getSchema('documents#/$defs/row');
  expect(check?.(row)).toBe(true);
  for (const wrong of [{ status: 'fine' }, { row: '2' }, { changes: [{ field: 'Prijs' }] }, { more: 1 }])
    expect([wrong, check?.({ ...row, ...wrong })]).toEqual([wrong, false]);
});
