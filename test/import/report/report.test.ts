import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { checkReport } from '../../../src/import/report/write-report.ts';
import { applyPlan, importWorkbook, planImport } from '../../../src/index.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { hasLinks } from '../../helpers/symlinks.ts';
import { openTestService } from '../../helpers/test-service.ts';
import { dataOf, FILE, HOSTILE, mixedWorkbook, optionsFor, readPage } from './make-report.ts';

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
  test('tell the same as the result', async () => {
    const service = await openTestService();
    const options = {
      ...optionsFor(service),
      lang: 'en',
      report: join(service.folder, 'verslag.html'),
    } as const;
    const file = await mixedWorkbook(service);
    const planned = await importWorkbook(file, { ...options, dryRun: true, allRows: true });
    expect(planned).toMatchObject({
      report: options.report,
      counts: { created: 10, updated: 3, invalid: 2, unchanged: 1 },
    });
    const before = readPage(service);
    const { head, rows } = dataOf(before);
    const told = rows.map(([sheet, row, outcome, id, , , message]) => ({
      ...{ sheet: head.sheets[sheet], row, outcome: head.outcomes[outcome]?.text },
      ...{ id: id ?? undefined, message: message === '' ? undefined : message },
    }));
    const words: Record<string, string> = { create: 'to create', update: 'to update', invalid: 'invalid' };
    const expected = planned.rows.filter(({ status }) => status !== 'unchanged');
    expect(told).toEqual(
      expected.map(({ sheet, row, status, id, message }) => ({
        sheet,
        row,
        outcome: words[status],
        id,
        message,
      })),
    );
    expect(before).toContain('<p class="state dryRun">Dry run: nothing was sent</p>');
    expect(before).toContain(`catersheet apply ${planned.run}`);
    expect(before).toContain(
      `<h1>Import of ${FILE.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}</h1>`,
    );
    expect(before).toContain('1 unchanged row is not listed.');
    expect(before).toContain('found &quot;twaalf&quot;, expected a number such as 1.234,50');
    expect(before).toContain('<del>10,00</del> → <ins>99,50</ins>');
    holdsItself(before);
    expect(before).not.toContain(service.folder);
    expect(before).not.toContain(service.token);
    for (const name of HOSTILE) expect(rows.map((row) => row[5])).toContain(name);

    const done = await importWorkbook(file, { ...options, lang: 'nl' });
    expect(done.counts).toMatchObject({ created: 10, updated: 3 });
    const after = readPage(service);
    expect(after).toContain('<html lang="nl">');
    expect(after).toContain('<p class="state sent">Verstuurd</p>');
    expect(after).not.toContain('catersheet apply');
    expect(after).toMatch(/catersheet undo \d{8}-\d{6}-/);
    const made = dataOf(after);
    const created = made.rows.filter((row) => made.head.outcomes[row[2]]?.text === 'aangemaakt');
    expect(created).toHaveLength(10);
    for (const [, , , id] of created) expect(id).toBeGreaterThan(0);

    await importWorkbook(file, options);
    const last = readPage(service);
    expect(last).toContain('<p class="state nothing">There was nothing to send</p>');
    expect(last).toContain('14 unchanged rows are not listed.');
    expect(dataOf(last).rows).toHaveLength(2);
  });

  test('are there for a run whose workbook is gone, and can be had again', async () => {
    const service = await openTestService();
    const options = { ...optionsFor(service), lang: 'en' } as const;
    const file = await makeWorkbook(join(service.folder, 'in.xlsx'), { Pakketten: packageRows(3) });
    const plan = await planImport(file, options);
    rmSync(file);
    const applied = await service.runJson([
      'apply',
      plan.run,
      '--yes',
      '--report',
      'verslag.html',
      '--ledger',
      join(service.folder, 'ledger.db'),
    ]);
    const result = join(service.folder, 'in.result.xlsx');
    expect(applied.document).toMatchObject({ result, report: 'verslag.html', counts: { created: 3 } });
    expect(dataOf(readPage(service)).rows).toHaveLength(3);
    await applyPlan(plan, { ...options, report: join(service.folder, 'nog eens.HTM') });
    expect(dataOf(readPage(service, 'nog eens.HTM')).rows).toHaveLength(3);
  });

  test('say that a run was stopped, and how it goes on', async () => {
    const service = await openTestService({ faults: { latencyMs: 20 } });
    const file = await makeWorkbook(join(service.folder, 'in.xlsx'), { Pakketten: packageRows(60) });
    const stop = new AbortController();
    const running = importWorkbook(file, {
      ...optionsFor(service),
      ...{ lang: 'en', concurrency: 2, report: join(service.folder, 'verslag.html'), signal: stop.signal },
      onProgress: ({ stage, done }) => {
        if (stage === 'sending' && done > 3)
          stop.abort(new StopError(EXIT.interrupted, { en: 'Enough <b>.', nl: 'Genoeg <b>.' }));
      },
    });
    await expect(running).rejects.toMatchObject({ exit: EXIT.interrupted });
    const page = readPage(service);
    expect(page).toContain('<p class="state stopped">Stopped before the end</p>');
    expect(page).toContain('<p class="stop">Enough &lt;b&gt;.</p>');
    const { head, rows } = dataOf(page);
    const outcomes = new Set(rows.map((row) => head.outcomes[row[2]]?.text));
    expect(outcomes).toEqual(new Set(['created', 'not sent']));
    expect(rows).toHaveLength(60);
  });

  test('that can’t be written after all leave the counts', async () => {
    const service = await openTestService();
    const report = join(service.folder, 'verslag.html');
    const file = await makeWorkbook(join(service.folder, 'in.xlsx'), { Pakketten: packageRows(3) });
    const done = await importWorkbook(file, {
      ...optionsFor(service),
      report,
      onProgress: ({ stage }) => {
        if (stage === 'writing' && !existsSync(report)) mkdirSync(report);
      },
    });
    expect(done).toMatchObject({ report: null, counts: { created: 3 } });
    expect(done.reportError).toContain('it is a folder');
    expect(existsSync(done.result ?? '')).toBe(true);
  });
});

describe('a report that is refused before anything is sent', () => {
  const input = (folder: string, name = 'in.xlsx'): string => {
    writeFileSync(join(folder, name), 'x');
    return join(folder, name);
  };
  type Refusal = [string, (folder: string) => Parameters<typeof checkReport>, RegExp];
  const BY_A_LINK: Refusal = [
    'the input by a link',
    (at) => {
      symlinkSync(input(at), join(at, 'link.html'));
      return [join(at, 'link.html'), join(at, 'in.xlsx'), join(at, 'r.xlsx')];
    },
    /overwrite the input/,
  ];
  test.each<Refusal>([
    ['another ending', (at) => [join(at, 'uit.pdf'), input(at), join(at, 'r.xlsx')], /ends in \.html/],
    ['no ending', (at) => [join(at, 'uit'), input(at), join(at, 'r.xlsx')], /ends in \.html/],
    [
      'the input',
      (at) => [join(at, 'sub', '..', 'in.html'), input(at, 'in.html'), join(at, 'r.csv')],
      /overwrite the input/,
    ],
    ...(hasLinks ? [BY_A_LINK] : []),
    [
      'the result by a second name',
      (at) => {
        linkSync(input(at, 'r.xlsx'), join(at, 'r.html'));
        return [join(at, 'r.html'), input(at), join(at, 'r.xlsx')];
      },
      /overwrite the result/,
    ],
    [
      'a folder',
      (at) => {
        mkdirSync(join(at, 'map.html'));
        return [join(at, 'map.html'), input(at), join(at, 'r.xlsx')];
      },
      /folder/,
    ],
    [
      'a folder that is not there',
      (at) => [join(at, 'weg', 'uit.html'), input(at), join(at, 'r.xlsx')],
      /weg/,
    ],
  ])('is one whose place is %s', async (_, make, says) => {
    const refused = checkReport(...make(tempFolder()));
    await expect(refused).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringMatching(says),
    });
  });

  test('is refused on the command line too', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(join(service.folder, 'in.xlsx'), { Pakketten: packageRows(2) });
    const { code, stderr } = await service.run(['import', file, '--yes', '--report', 'uit.xlsx']);
    expect(code).toBe(EXIT.usage);
    expect(stderr).toContain('Choose a name that ends in .html for --report.');
    expect((await service.log()).counts['packages.create'] ?? 0).toBe(0);
  });
});
