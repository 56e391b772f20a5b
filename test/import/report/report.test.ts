import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { visibleText } from '../../../src/core/visible-text.ts';
import { HOSTILE, openReports, rowsOf } from './make-report.ts';

/** One file with its own style and nothing else: it runs nothing and asks for nothing. */
function holdsItself(page: string): void {
  const [, rules = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  expect(rules).toContain('default-src &#39;none&#39;');
  expect(rules).toContain(`sha256-${createHash('sha256').update(style).digest('base64')}`);
  expect(page).not.toMatch(
    /<script|<img|\s(?:src|style|on\w+)=(?!&quot;)["']|href="(?!#)|url\(|@import|<!--/,
  );
}

describe('the reports of a dry run and of its run', () => {
  test('tell the same as the result, in a page that asks for nothing and runs nothing of the file', async () => {
    const { send, page, service, folder } = await openReports();
    const planned = await send({ dryRun: true });
    expect(planned.counts).toMatchObject({ created: 10, updated: 3, invalid: 2, unchanged: 1 });
    const before = page();
    holdsItself(before);
    const rows = rowsOf(before);
    const words: Record<string, string> = { create: 'to create', update: 'to update', invalid: 'invalid' };
    const listed = planned.rows.filter(({ status }) => status !== 'unchanged');
    expect(rows).toHaveLength(listed.length);
    for (const { row, status, message = '', label = '' } of listed) {
      const shown = rows.find((one) => one.row === row);
      expect(shown?.outcome).toBe(words[status]);
      for (const text of [message, visibleText(label)]) expect(shown?.text).toContain(text);
    }
    // What needs work comes first.
    expect(rows[0]?.outcome).toBe('invalid');
    for (const name of HOSTILE) expect(rows.some(({ text }) => text.includes(visibleText(name)))).toBe(true);
    for (const text of [
      'Dry run: nothing was sent',
      `catersheet apply ${planned.run}`,
      'Unchanged rows that are not listed: 1.',
    ])
      expect(before).toContain(text);
    expect(before).toContain('<del>10,00</del> → <ins>99,50</ins>');
    for (const secret of [folder, service.token]) expect(before).not.toContain(secret);

    await send({ lang: 'nl' });
    const created = rowsOf(page()).filter(({ outcome }) => outcome === 'aangemaakt');
    expect(created).toHaveLength(10);
    for (const { text } of created) expect(text).toMatch(/ id [1-9]\d*/);
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
    expect(rowsOf(page())).toHaveLength(15);
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
    const outcomes = rowsOf(page()).map(({ outcome }) => outcome);
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

  test('list the first 2,000 rows of an outcome, and say how many more there are', async () => {
    const { send, page } = await openReports(2100);
    await send({ dryRun: true });
    expect(rowsOf(page()).filter(({ outcome }) => outcome === 'to create')).toHaveLength(2000);
    expect(page()).toContain('More, which stand in the result: 106');
  });
});
