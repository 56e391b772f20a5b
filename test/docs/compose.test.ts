import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { COMMAND_LIST } from '../../src/options/commands.ts';
import { wrongWith } from './command-lines.ts';
import { paper, ROOT } from './papers.ts';

const text = readFileSync(join(ROOT, 'docs/compose/compose.yaml'), 'utf8');

test('the compose file starts a worker on the database that it starts, with no secret in it and a health that the worker serves', async () => {
  const parsed = parseDocument(text, { strict: true, uniqueKeys: true });
  expect([parsed.errors, parsed.warnings]).toEqual([[], []]);
  const { database, worker } = parsed.toJS().services;
  const command = worker.command as string[];
  expect(await wrongWith(`catersheet ${command.join(' ')}`)).toBeNull();
  const after = (flag: string) => command[command.indexOf(flag) + 1] ?? '';
  const url = new URL(after('--ledger'));
  const { POSTGRES_USER: user, POSTGRES_DB: name } = database.environment;
  expect([url.hostname, url.username, url.password, url.pathname]).toEqual([
    'database',
    user,
    '',
    `/${name}`,
  ]);
  expect(worker.healthcheck.test.at(-1)).toContain(`http://127.0.0.1:${after('--metrics')}/metrics`);
  expect(text).not.toMatch(/(?:PASSWORD|TOKEN): /);
  for (const variable of text.match(/CATERSHEET_[A-Z_]+/g) ?? [])
    expect(paper('docs/settings.md').text + paper('docs/operations.md').text).toContain(variable);
});

test('the image of a worker installs the package on the Node that it asks for, and starts a command that there is', () => {
  const image = readFileSync(join(ROOT, 'docs/compose/Dockerfile'), 'utf8');
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(engines.node).toContain(`>=${/^FROM node:(\d+)/m.exec(image)?.[1]}.`);
  const [command = ''] = JSON.parse(/^CMD (.*)$/m.exec(image)?.[1] ?? '[]') as string[];
  expect(COMMAND_LIST.map(([name]) => name)).toContain(command);
  expect(image).toMatch(/^USER node$/m);
});
