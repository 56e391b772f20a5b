import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/api/start-sandbox.ts';
import { applyPlan, importWorkbook, listRuns, readRun } from '../../../src/index.ts';
import { type Asked, startLiar } from '../../campaigns/answers/liar.ts';
import { playAnswers } from '../../campaigns/answers/play-answers.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { optionsFor } from '../../helpers/test-service.ts';
import { MUTATION_HEADER } from '../../kinds/stock/stock-fixtures.ts';

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let liar: Awaited<ReturnType<typeof startLiar>>;
beforeAll(async () => {
  sandbox = await startSandbox();
  liar = await startLiar(sandbox.url);
});
afterAll(async () => {
  await liar.close();
  await sandbox.close();
});

const isCreate = ({ method }: Asked): boolean => method === 'PUT';

/** An answer of a service that is no answer, after the request was or was not handed on. */
const instead = (body: string, { status = 200, headers = '', forward = true } = {}) => ({
  forward,
  lie: () => ({
    ...{ name: 'told', end: 'keep' as const, definite: false },
    parts: [
      Buffer.from(
        `HTTP/1.1 ${status} X\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    ],
  }),
});

const DEEP = `{"data":${'['.repeat(90_000)}${']'.repeat(90_000)}}`;

let first = 700_000;

/** An import of new packages by a service of its own folder. */
async function packagesOf(count: number) {
  first += 100;
  const folder = tempFolder();
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(count, first) });
  return { file, options: optionsFor({ folder, url: liar.url, token: sandbox.token }) };
}

const created = () => liar.told.filter((one) => isCreate(one) && one.forwarded).length;

describe('an answer that can not be read', () => {
  it('leaves a posting unknown, never not sent, as no look tells', async () => {
    const folder = tempFolder();
    const row = [7001, 12, '2026-03-31 08:00', 1.5, 4901, 'Gebroken'];
    const file = await makeWorkbook(`${folder}/a.xlsx`, { Voorraadmutaties: [[...MUTATION_HEADER], row] });
    liar.decide((asked) => (isCreate(asked) ? instead(DEEP) : { forward: true }));
    const end = await importWorkbook(file, optionsFor({ folder, url: liar.url, token: sandbox.token }));
    expect(end.counts).toMatchObject({ unknown: 1, notSent: 0, failed: 0 });
    expect(end.rows[0]?.message).toContain('nested more than 64 levels');
  });
});

describe('a pause of years that the service asks for', () => {
  it('stops a run with what to do, and nothing is lost or doubled when it goes on', async () => {
    const { file, options } = await packagesOf(4);
    let seen = 0;
    const years = { status: 429, headers: 'retry-after: 1000000000\r\n', forward: false };
    liar.decide((asked) => (isCreate(asked) && ++seen > 2 ? instead('{}', years) : { forward: true }));
    const { ledger } = options;
    const stop = { exit: 4, message: expect.stringContaining('asks for a pause') };
    await expect(importWorkbook(file, { ...options, concurrency: 1 })).rejects.toMatchObject(stop);
    const [{ run = '' } = {}] = await listRuns({ ledger });
    expect((await readRun(run, { ledger })).counts).toMatchObject({
      created: 2,
      notSent: 2,
      failed: 0,
      unknown: 0,
    });
    expect(created()).toBe(2);
    liar.decide(() => ({ forward: true }));
    const rest = await applyPlan(run, options);
    expect(rest.counts).toMatchObject({ created: 4, notSent: 0 });
    expect(created()).toBe(2);
  });
});

/** What was wrong in these rounds of the campaign. */
async function faultsIn(rounds: readonly number[], kind?: string): Promise<string[]> {
  const faults: string[] = [];
  for await (const end of playAnswers(rounds, kind))
    faults.push(...end.faults.map((fault) => `${end.round}: ${fault}`));
  return faults;
}

it('no command ends in a crash or loses a row, whatever answers come: the short form of the campaign', async () => {
  // The first ones ended in a stack trace, with rows "not sent" that were created.
  const deep = faultsIn([5, 18], 'deep');
  expect(await Promise.all([deep, faultsIn([309, 323, 343, 362, 379, 397])])).toEqual([[], []]);
});
