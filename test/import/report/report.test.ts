import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { dataOf, HOSTILE, openReports } from './make-report.ts';

/** One file, that may run its own script and style and nothing else. */
function holdsItself(page: string): void {
  const [, rules = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const hash = (text = ''): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  expect(rules).toContain('default-src &#39;none&#39;');
  expect(rules).toContain(hash(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1]));
  expect(rules).toContain(hash(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1]));
  // Scripts: the head, one part of rows, and the page's own.
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page.match(/<\/script/g)).toHaveLength(3);
  expect(page).not.toMatch(/\s(?:src|style|on\w+)=(?!&quot;)["']|href="(?!#)|url\(|@import|<!--/);
}

describe('the reports of a dry run and of its run', () => {
  test('tell the same as the result, in a page that asks for nothing and runs nothing of the file', async () => {
    const { send, page, service, folder } = await openReports();
    const planned = await send({ dryRun: true });
    expect(planned.counts).toMatchObject({ created: 10, updated: 3, invalid: 2, unchanged: 1 });
    const before = page();
    holdsItself(before);
    const { head, rows } = dataOf(before);
    const words: Record<string, string> = { create: 'to create', update: 'to update', invalid: 'invalid' };
    expect(
      rows.map(([, row, outcome, , , , message]) => [row, head.outcomes[outcome]?.text, message]),
    ).toEqual(
      planned.rows
        .filter(({ status }) => status !== 'unchanged')
        .map(({ row, status, message = '' }) => [row, words[status], message]),
    );
    for (const name of HOSTILE) expect(rows.map((row) => row[5])).toContain(name);
    for (const text of [
      'Dry run: nothing was sent',
      `catersheet apply ${planned.run}`,
      '1 unchanged row is not listed.',
    ])
      expect(before).toContain(text);
    expect(before).toContain('<del>10,00</del> → <ins>99,50</ins>');
    for (const secret of [folder, service.token]) expect(before).not.toContain(secret);

    await send({ lang: 'nl' });
    const made = dataOf(page());
    const created = made.rows.filter((row) => made.head.outcomes[row[2]]?.text === 'aangemaakt');
    expect(created).toHaveLength(10);
    for (const [, , , id] of created) expect(id).toBeGreaterThan(0);
    expect(page()).toMatch(/<html lang="nl">[\s\S]*Verstuurd[\s\S]*catersheet undo \d{8}-/);
    await send();
    expect(page()).toContain('There was nothing to send');
  });

  test('are there for a run whose workbook is gone', async () => {
    const { file, options, page, planImport, applyPlan } = await openReports();
    const { report: _, ...planning } = options;
    const { run } = await planImport(file, planning);
    rmSync(file);
    await applyPlan(run, options);
    expect(dataOf(page()).rows).toHaveLength(15);
  });

  test('say that a run was stopped', async () => {
    const { send, service, page } = await openReports();
    const stop = new AbortController();
    const words = { en: 'Enough <b>.', nl: 'Genoeg <b>.' };
    service.at(4, () => stop.abort(new StopError(EXIT.interrupted, words)));
    await expect(send({ concurrency: 1, signal: stop.signal })).rejects.toMatchObject({
      exit: EXIT.interrupted,
    });
    for (const text of ['Stopped before the end', 'Enough &lt;b&gt;.']) expect(page()).toContain(text);
    const { head, rows } = dataOf(page());
    const outcomes = rows.map((row) => head.outcomes[row[2]]?.text);
    expect(outcomes).toEqual(expect.arrayContaining(['created', 'not sent']));
  });

  test('that can’t be written after all leave the counts', async () => {
    const { send, report } = await openReports();
    const onProgress = ({ stage }: { readonly stage: string }) => {
      if (stage === 'writing' && !existsSync(report)) mkdirSync(report);
    };
    const done = await send({ onProgress });
    expect(done).toMatchObject({ report: null, reportError: expect.stringContaining('it is a folder') });
    expect(done.counts.created).toBe(10);
    expect(existsSync(done.result ?? '')).toBe(true);
  });
});
