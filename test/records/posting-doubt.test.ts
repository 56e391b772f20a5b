import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { applyPlan, importWorkbook, listRuns } from '../../src/index.ts';
import { stockCount } from '../../src/resources/stock-count.ts';
import { stockMutations } from '../../src/resources/stock-mutations.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { startSecondService } from '../second-service/second-service.ts';
import { openRows, resources, rowsOf, writeRows } from './keyed-rows.ts';

const COUNT = 'ProductID;WerknemerID;DatumTijd;GeteldRekeneenheid;MutatieCategorieID;MutatieReden';
const MUTATION = COUNT.replace('Geteld', 'Aantal');
const UNTIL = /it may still arrive until (?:\S+ )?(\d\d:\d\d:\d\d)/;

/** A product with 24 in stock, and imports of one posting on it of which the first is not answered. */
async function open(header: string, sent: number) {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const { url, token } = service;
  const folder = tempFolder();
  const product = service.add.product();
  service.add.stock(product, 24);
  const file = `${folder}/voorraad.csv`;
  writeFileSync(file, [header, `${product};12;2026-10-01 08:00:00;${sent};4901;Bederf`].join('\r\n'));
  const as = header === COUNT ? stockCount : stockMutations;
  const options = { ...optionsFor({ folder, url, token }), as, locale: 'en' as const };
  service.failNext({ kind: 'answer', when: 'before', status: 504, body: {} });
  const run = async (doubt = 60) => {
    const done = await importWorkbook(file, { ...options, doubt });
    const [row] = done.rows;
    return { run: done.run, status: row?.status, message: row?.message ?? '' };
  };
  const resend = async (id: string, doubt?: number) => {
    const { as: _, locale: __, ...own } = options;
    return (await applyPlan(id, { ...own, resend: ['2'], doubt })).counts;
  };
  return { service, run, resend, file, folder, ledger: options.ledger };
}

/** In how many seconds what a message speaks of can no longer arrive. */
const until = (message: string): number => {
  const [, time = ''] = UNTIL.exec(message) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const now = new Date();
  const apart =
    (hours - now.getHours()) * 3600 + (minutes - now.getMinutes()) * 60 + seconds - now.getSeconds();
  return (apart + 86_400) % 86_400;
};

it('a stock mutation that may still arrive says until when, and how its run is told what came of it', async () => {
  const { run } = await open(MUTATION, -2);
  const first = await run();
  expect(first.status).toBe('unknown');
  expect(until(first.message)).toBeGreaterThan(50);
  expect(until(first.message)).toBeLessThanOrEqual(60);
  const place = first.message.match(/--resend "(.+?)"/)?.[1];
  expect(first.message).toContain(`catersheet apply ${first.run} --resend "${place}"`);
  expect(first.message).toContain(`--done "${place}"`);
  const second = await run();
  expect(second.message.match(UNTIL)).toEqual(expect.arrayContaining([UNTIL.exec(first.message)?.[1]]));
  expect(second.message).toContain(`catersheet apply ${first.run} --resend "${place}"`);
});

it('a count that may still arrive is to be counted again after that moment, and at once when it is over', async () => {
  const early = await open(COUNT, 30);
  const first = await early.run();
  expect(first).toMatchObject({ status: 'unknown', message: expect.stringMatching(UNTIL) });
  expect(first.message).toContain(`catersheet apply ${first.run} --resend`);
  const second = await early.run();
  const [, time] = UNTIL.exec(first.message) ?? [];
  expect(second.message).toContain(`${time}: count again after that`);
  expect(second.message).not.toContain('Count again');
  const late = await open(COUNT, 30);
  await late.run(0.1);
  await new Promise((resolve) => setTimeout(resolve, 150));
  const after = await late.run(0.1);
  expect(after).toMatchObject({ status: 'unknown', message: expect.stringContaining('Count again') });
  expect(after.message).not.toContain('arrive');
});

it('a posting that may still arrive is not sent again before that moment, unless --doubt 0 says that it can not', async () => {
  const { service, run, resend } = await open(MUTATION, -2);
  const first = await run(60);
  const writes = service.journal.writes.length;
  const refused = resend(first.run);
  await expect(refused).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining(UNTIL.exec(first.message)?.[1] ?? 'no moment'),
    next: expect.stringContaining('--doubt 0'),
  });
  expect(service.journal.writes).toHaveLength(writes);
  expect((await run(60)).status).toBe('unknown');
  expect(await resend(first.run, 0)).toMatchObject({ created: 1, unknown: 0 });
  expect(service.mutations.size).toBe(1);
});

it('a posting that can no longer arrive is sent again as it is asked for', async () => {
  const { service, run, resend } = await open(MUTATION, -2);
  const first = await run(0);
  expect(await resend(first.run)).toMatchObject({ created: 1, unknown: 0 });
  expect(service.mutations.size).toBe(1);
});

it('a posting that was out when its program was killed is not sent again before it can no longer arrive', async () => {
  const { service, resend, file, folder, ledger } = await open(MUTATION, -2);
  service.set({
    failures: { choose: ({ write }) => (write ? { kind: 'hang', when: 'before' } : undefined) },
  });
  let kill: (signal: NodeJS.Signals) => void = () => {};
  service.at(
    ({ write }) => write,
    () => kill('SIGKILL'),
  );
  const env = { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: folder };
  const args = ['import', file, '--yes', '--as', 'stock-mutations', '--ledger', ledger];
  await runCli(args, { cwd: folder, env, onStart: (send) => (kill = send) });
  service.set({ failures: { choose: undefined } });
  const [{ run = '' } = {}] = await listRuns({ ledger });
  await expect(resend(run, 60)).rejects.toMatchObject({ exit: 2 });
  expect(await resend(run, 0)).toMatchObject({ created: 1, unknown: 0 });
  expect(service.mutations.size).toBe(1);
});

it.each([301, 302, 303, 307, 308])(
  'what a service did and answered by %i is not sent again: a mutation is unknown, a create is found',
  async (status) => {
    const { service, folder, options } = await openRows();
    const product = service.add.product();
    service.add.stock(product, 24);
    const mutations = writeRows(`${folder}/voorraad.csv`, [
      {
        ...{ ProductID: product, WerknemerID: 12, DatumTijd: '2026-10-01 08:00:00', AantalRekeneenheid: -2 },
        ...{ MutatieCategorieID: 4901, MutatieReden: 'Bederf' },
      },
    ]);
    const packages = writeRows(`${folder}/pakketten.csv`, [{ ExternalID: 901, ...rowsOf.packages(1) }]);
    service.set({
      failures: {
        choose: ({ method }) => (method === 'PUT' ? { kind: 'redirect', when: 'after', status } : undefined),
      },
    });
    const both = async () => [
      (await importWorkbook(mutations, { ...options, as: stockMutations })).rows[0]?.status,
      (await importWorkbook(packages, { ...options, as: resources.packages })).rows[0]?.status,
    ];
    expect(await both()).toEqual(['unknown', 'created']);
    expect(await both()).toEqual(['unknown', 'unchanged']);
    expect(service.journal.doubled()).toEqual([]);
    expect(service.journal.ours.filter(({ what }) => what === 'created')).toHaveLength(2);
  },
);
