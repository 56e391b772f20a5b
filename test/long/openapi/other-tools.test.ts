import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { EXIT } from '../../../src/core/errors.ts';
import { interfaceDocument } from '../../../src/index.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { endWithTest } from '../../helpers/programs.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { tryable } from '../../openapi/tryable.ts';

const TOOLS = fileURLToPath(new URL('../../openapi/tools', import.meta.url));
const REDOCLY = join(TOOLS, 'node_modules/@redocly/cli/bin/cli.js');
const PRISM = join(TOOLS, 'node_modules/@stoplight/prism-cli/dist/index.js');
const GENERATOR = join(TOOLS, 'node_modules/openapi-typescript/bin/cli.js');
const COMPILER = join(TOOLS, 'node_modules/typescript/bin/tsc');
/** `npm ci --prefix test/openapi/tools` installs them. */
const lacking = (...tools: readonly string[]): boolean => tools.some((tool) => !existsSync(tool));

const execute = promisify(execFile);
/** Nothing of these tools asks or tells anyone on the network. */
const SILENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
const env = { PATH: process.env.PATH ?? '', ...SILENT };

function writtenDocument(folder: string, language: 'en' | 'nl' = 'en'): string {
  const file = join(folder, `interface-${language}.json`);
  writeFileSync(file, JSON.stringify(interfaceDocument(language)));
  return file;
}

test.skipIf(lacking(REDOCLY))(
  'the OpenAPI document has no error by the rules that Redocly recommends, and the one warning that the interface itself gives',
  async () => {
    const folder = tempFolder();
    const file = writtenDocument(folder, 'nl');
    const lint = async (which: string) => {
      const args = [REDOCLY, 'lint', which, '--extends=recommended', '--format=json'];
      const done = await execute(process.execPath, args, { cwd: folder, env }).catch((error) => error);
      const { totals, problems } = JSON.parse(String(done.stdout));
      return { totals, rules: problems.map(({ ruleId }: { ruleId: string }) => ruleId) };
    };
    // Of event/package/{ID} and event/{ID}/processevent only the numbers tell which is meant.
    expect(await lint(file)).toEqual({
      totals: { errors: 0, warnings: 1, ignored: 0 },
      rules: ['no-ambiguous-paths'],
    });
    const bare = interfaceDocument() as { paths: Record<string, Record<string, object>> };
    const path = bare.paths['/api/v1/event'];
    writeFileSync(
      file,
      JSON.stringify({ ...bare, paths: { '/api/v1/event': { put: { ...path?.put, summary: '' } } } }),
    );
    expect((await lint(file)).totals.errors).toBe(1);
  },
);

test.skipIf(lacking(GENERATOR, COMPILER))(
  'a client that openapi-typescript makes compiles, refuses what is wrong, and reads what the sandbox answers',
  async () => {
    const service = await openTestService();
    const { folder } = service;
    symlinkSync(join(TOOLS, 'node_modules'), join(folder, 'node_modules'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    copyFileSync(join(TOOLS, 'use-client.ts'), join(folder, 'use-client.ts'));
    const node = async (...args: readonly string[]) =>
      await execute(process.execPath, args, { cwd: folder, env }).catch((error) => {
        throw new Error(`${args[0]}: ${error.stdout}${error.stderr}`);
      });
    await node(GENERATOR, writtenDocument(folder), '-o', 'interface.d.ts');
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];
    await node(
      COMPILER,
      ...strict,
      ...target,
      '--types',
      'node',
      '--skipLibCheck',
      '--rewriteRelativeImportExtensions',
      'use-client.ts',
    );
    const { stdout } = await node('use-client.js', service.url, service.token);
    expect(JSON.parse(stdout)).toEqual({
      ...{ price: 4.5, name: 'Soep van de dag', listed: true, guests: 40, linked: 2 },
      ...{ departments: 5, sent: true, gone: true, missing: 404 },
    });
    expect(await service.records('document')).toHaveLength(1);
  },
  180_000,
);

/** What was answered to a request, with what Prism found wrong with either. */
interface Judged {
  readonly request: string;
  readonly violations: string | null;
  /** Prism passes on no GET with a body: its answer is judged here. */
  readonly past?: { readonly body: unknown; readonly answer: unknown };
}

/** Starts Prism before a service, with a server before it that keeps what Prism says of each request. */
async function judgedService(url: string, document: string): Promise<{ url: string; judged: Judged[] }> {
  const prism = spawn(process.execPath, [PRISM, 'proxy', document, url, '--port', '0', '--errors', 'false'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTest(prism);
  let told = '';
  const listening = new Promise<string>((resolve, reject) => {
    prism.stdout.on('data', (chunk: Buffer) => {
      told = `${told.slice(-4000)}${chunk}`;
      const [, address] = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(told) ?? [];
      if (address !== undefined) resolve(address);
    });
    prism.once('exit', () => reject(new Error(`Prism ended: ${told}`)));
  });
  const judge = await listening;
  const judged: Judged[] = [];
  let own = '';
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const past = request.method === 'GET' && body.length > 0;
    const to = new URL(request.url ?? '/', past ? url : judge);
    const { host: _, connection: __, ...headers } = request.headers;
    const out = httpRequest(to, { method: request.method, headers });
    out.end(body);
    const [answer] = (await once(out, 'response')) as [IncomingMessage];
    // Links to further pages are to the address that the program knows.
    const content = (await buffer(answer)).toString('latin1').replaceAll(new URL(url).origin, own);
    const { 'sl-violations': violations, 'content-length': _length, ...others } = answer.headers;
    const said = Array.isArray(violations) ? violations.join() : (violations ?? null);
    const one = { request: `${request.method} ${request.url} ${body}`.slice(0, 300), violations: said };
    judged.push(
      past ? { ...one, past: { body: JSON.parse(String(body)), answer: JSON.parse(content) } } : one,
    );
    response.writeHead(answer.statusCode ?? 500, others).end(Buffer.from(content, 'latin1'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: own, judged };
}

test.skipIf(lacking(PRISM))(
  'Prism between the program and the sandbox finds nothing that is not by the OpenAPI document, whatever the command',
  async () => {
    const service = await openTestService({ pageSize: 20 });
    const { folder } = service;
    const { url, judged } = await judgedService(service.url, writtenDocument(folder));
    const run = async (...args: readonly string[]): Promise<string> => {
      const done = await service.run([...args, '--lang', 'en'], { env: { CATERSHEET_BASE_URL: url } });
      const told = `${done.stdout}${done.stderr}`;
      expect([args, done.code, told]).toEqual([args, EXIT.ok, told]);
      return done.stdout;
    };
    const day = '2027-03-04';
    await makeWorkbook(join(folder, 'alles.xlsx'), {
      Pakketten: packageRows(2),
      Recepten: [
        [
          'ExternalID',
          'OmschrijvingIntern',
          'ProductCategorieID',
          'ProductEenheidWaardeID',
          'Gewicht',
          'OPK',
        ],
        [710001, 'Soep', 1, 201, 1.5, 4],
      ],
      Evenementen: [
        [
          '#key',
          'ExternalID',
          'RelatieID',
          'ContactpersoonID',
          'Datum',
          'Starttijd',
          'Eindtijd',
          'AantalGasten',
        ],
        ['e1', 700001, 1, 1, day, `${day} 12:00`, `${day} 15:00`, 40],
      ],
      Arrangementen: [
        ['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'],
        [700001, 1, 40, day],
      ],
      Ritten: [
        ['RitID', 'Chauffeur'],
        [8001, 'Kim'],
      ],
      Voorraadmutaties: [
        [
          '#key',
          'ProductID',
          'WerknemerID',
          'DatumTijd',
          'AantalRekeneenheid',
          'MutatieCategorieID',
          'MutatieReden',
        ],
        ['m1', 5001, 12, '2026-03-31 08:00', 2.5, 4901, 'Inkoop'],
      ],
    });
    writeFileSync(join(folder, 'menu.txt'), 'menu');
    await makeWorkbook(join(folder, 'bestanden.xlsx'), {
      Documenten: [
        ['PartijID', 'Submap', 'Document'],
        [9001, 'offertes', 'menu.txt'],
      ],
      Facturen: [['id'], [2026001]],
    });
    const { run: made } = JSON.parse(await run('import', 'alles.xlsx', '--yes', '--json')) as { run: string };
    const days = ['--from', '2027-02-15', '--to', '2027-03-31'];
    const kinds = ['events', 'arrangements', 'trips', 'packages', 'recipes', 'stock'];
    await Promise.all([
      run('check'),
      run('template'),
      run('export', ...kinds, ...days, '--declaration', '-o', 'uit.xlsx'),
      run('export', 'trips', '--since', 'last'),
      run('export', 'events', '--definitive', '-o', 'definitief.csv'),
      run('export', 'finance', ...days),
    ]);
    await run('documents', 'bestanden.xlsx', '--yes');
    await run('invoices', 'bestanden.xlsx', '--to', 'facturen');
    await run('refresh', '9001', '--yes');
    await run('orders', 'send', '4501', '--yes');
    await run('undo', made, '-o', 'terug.xlsx');
    await run('import', 'terug.xlsx', '--yes', '--allow-delete');
    expect(judged.filter(({ violations }) => violations !== null)).toEqual([]);
    const { body, answer } = currentTotal();
    const past = judged.flatMap((one) => one.past ?? []);
    const isGood = (one: (typeof past)[number]): boolean =>
      body.safeParse(one.body).success && answer.safeParse(one.answer).success;
    expect(past.filter((one) => !isGood(one))).toEqual([]);
    const wrong = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"Verkoopprijs":"4,50"}',
    };
    await fetch(new URL('api/v1/product/pakket/create', url), wrong);
    expect(judged.at(-1)?.violations).toContain('Verkoopprijs');
    const asked = new Set(judged.map(({ request }) => request.replace(/ .*/s, '')));
    expect([asked, judged.length > 100, past.length > 10]).toEqual([
      new Set(['GET', 'POST', 'PUT', 'DELETE']),
      true,
      true,
    ]);
  },
  180_000,
);

/** What Prism does not pass on, held against the same document: the one GET with a body. */
function currentTotal(): { readonly body: z.ZodType; readonly answer: z.ZodType } {
  type Content = { readonly content: Readonly<Record<string, { readonly schema: Record<string, unknown> }>> };
  const { paths } = interfaceDocument() as {
    paths: Record<string, { get: { requestBody: Content; responses: Record<string, Content> } }>;
  };
  const { get } = paths['/api/v1/product/voorraadmutatie/currenttotal/{id}'] ?? {};
  const schemaOf = (of: Content | undefined) =>
    tryable(of?.content['application/json']?.schema ?? { not: {} });
  return { body: schemaOf(get?.requestBody), answer: schemaOf(get?.responses['200']) };
}
