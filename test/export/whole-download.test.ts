import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { exportRecords } from '../../src/index.ts';
import { packages } from '../../src/resources/packages.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import type { AnswerKnobs } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

async function opened(answers: Partial<AnswerKnobs>, records: number) {
  const service = await startSecondService({ company: 'lookups', answers });
  onTestFinished(() => service.close());
  for (let at = 0; at < records; at += 1) service.add.package({ OmschrijvingIntern: `Pakket ${at}` });
  const folder = tempFolder();
  const { baseUrl, token, ledger, log } = optionsFor({ folder, url: service.url, token: service.token });
  const out = `${folder}/uit.ndjson`;
  const exported = async () => {
    const before = service.journal.requests.length;
    const done = await exportRecords(packages, { baseUrl, token, ledger, log, out, overwrite: true });
    const ids = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { ProductID: number }).ProductID);
    return { done, ids: ids.sort((a, b) => a - b), requests: service.journal.requests.length - before };
  };
  return { service, exported, all: [...service.packages.entries()].map(([id]) => id) };
}

it.each(['records', 'array with data', 'data'] as const)(
  'a list of many pages is exported from one request where the service gives it as %s',
  async (whole) => {
    const { exported, all } = await opened({ whole, pageSize: 10 }, 150);
    const { done, ids, requests } = await exported();
    expect([ids, done.complete, done.records, requests]).toEqual([all, true, 150, 2]);
  },
);

it.each(['refused', 'pages'] as const)(
  'a service that gives no whole lists (%s) is asked for one once, and its pages are read',
  async (whole) => {
    const { exported, all } = await opened({ whole, pageSize: 10 }, 150);
    const first = await exported();
    expect([first.ids, first.done.complete]).toEqual([all, true]);
    const second = await exported();
    expect([second.ids, second.requests]).toEqual([all, first.requests - 1]);
  },
);

it('a short list is read by its pages', async () => {
  const { exported, all, service } = await opened({ pageSize: 10 }, 60);
  const { ids } = await exported();
  expect(ids).toEqual(all);
  const bodies = service.journal.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies.some((body) => body?.includes('downloadResponseAsJSON'))).toBe(false);
});
