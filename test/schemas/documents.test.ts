import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../helpers/run-cli.ts';
import { openTestService, type TestService } from '../helpers/test-service.ts';

const FILE = fileURLToPath(new URL('../../schemas/catersheet-1.schema.json', import.meta.url));

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
  const { stdout } = await run([...args, '--lang', 'nl']);
  return JSON.parse(stdout) as unknown;
}

test('every document that a command prints is as the schema says, and has no key that it does not tell', async () => {
  const service = await openTestService();
  const header = 'ExternalID;OmschrijvingIntern;ProductTypeID;Verkoopprijs;Actief;Vreemd';
  const lines = ['700000;Lunch;Buffet;12,50;ja;x', '700001;Kaasplank;Bufet;1.125;nee;', '5;Soep;1;3;ja;'];
  writeFileSync(join(service.folder, 'Pakketten.csv'), `${[header, ...lines].join('\n')}\n`);
  writeFileSync(join(service.folder, 'Facturen.csv'), 'id;extension\n2026001;pdf\n9999999;pdf\n');
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
  expectDocument('import', await printed(service, 'import', file, '--yes', '--json=all'));
  expectDocument('runs', await printed(service, 'runs', '--json'));
  expectDocument('run', await printed(service, 'runs', done.run, '--json'));
  expectDocument('undo', await printed(service, 'undo', done.run, '--json'));
  expectDocument('error', await printed(service, 'import', 'weg.xlsx', '--json'));
  expectDocument('import', await printed(service, 'invoices', 'Facturen.csv', '--to', 'pdf', '--json'));
  expectDocument('calls', await printed(service, 'refresh', '9001', '--yes', '--json'));
  expectDocument('calls', await printed(service, 'orders', 'send', '1', '--yes', '--json'));
  expectDocument('check', await printed(service, 'check', '--json'));
  expectDocument('template', await printed(service, 'template', 'packages', '-o', 't.xlsx', '--json'));
  expectDocument('export', await printed(service, 'export', 'packages', '-o', 'p.xlsx', '--json'));
  const period = ['--from', '2027-01-01', '--to', '2027-01-31'];
  expectDocument(
    'export',
    await printed(service, 'export', 'events', 'trips', ...period, '-o', 'w.xlsx', '--json'),
  );
  expectDocument('finance', await printed(service, 'export', 'finance', ...period, '-o', 'f.xlsx', '--json'));
  expectDocument('ledgerCheck', await printed(service, 'ledger', 'check', '--json'));
  expectDocument('ledgerBackup', await printed(service, 'ledger', 'backup', 'kopie.db', '--json'));
  const later = (await printed(service, 'import', file, '--dry-run', '--json')) as { readonly run: string };
  const restored = await printed(service, 'ledger', 'restore', 'kopie.db', '--json');
  expectDocument('ledgerRestore', restored);
  expect(restored).toMatchObject({ lost: [{ run: later.run, file }] });
  const { stdout } = await service.run(['export', 'packages', '-o', '-', '--format', 'ndjson']);
  for (const line of stdout.trimEnd().split('\n')) expectDocument('record', JSON.parse(line));
  expect(wrong).toEqual([]);
});

test('what the sandbox prints about itself is as the schema says, and leads to it', async () => {
  const script = [CLI, 'sandbox', '--data', ':memory:', '--json'];
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  let text = '';
  for await (const part of child.stdout) {
    text += String(part);
    if (text.endsWith('}\n')) break;
  }
  const document = JSON.parse(text) as { readonly baseUrl: string; readonly token: string };
  expect(faults('sandbox', document)).toEqual([]);
  const headers = { authorization: `Bearer ${document.token}` };
  const url = `${document.baseUrl}/_sandbox/log`;
  expect([(await fetch(url, { headers })).status, (await fetch(url)).status]).toEqual([200, 401]);
});

test('the schema refuses a document of another shape', () => {
  const row = { sheet: 'Pakketten', row: 2, status: 'invalid' };
  const check = ajv.getSchema('documents#/$defs/row');
  expect(check?.(row)).toBe(true);
  for (const wrong of [{ status: 'fine' }, { row: '2' }, { changes: [{ field: 'Prijs' }] }, { more: 1 }])
    expect([wrong, check?.({ ...row, ...wrong })]).toEqual([wrong, false]);
});
