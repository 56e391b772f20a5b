import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { humanView } from '../../../src/cli/view/human.ts';
import { t } from '../../../src/core/language.ts';
import type { Progress } from '../../../src/run/progress.ts';
import { makeWorkbook, packageRows } from '../../helpers/make-workbook.ts';
import { hasTerminals, runOnTerminal } from '../../helpers/run-on-terminal.ts';
import { openTestService } from '../../helpers/test-service.ts';

/** A service that takes its time over every answer, with a workbook for it. */
async function slowService(latencyMs: number) {
  const service = await openTestService({ faults: { latencyMs } });
  await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(40) });
  const env = {
    ...{ CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token },
    CATERSHEET_HOME: service.folder,
  };
  const onTerminal = (args: string) =>
    runOnTerminal(args.split(' '), [], { cwd: service.folder, env: { ...env, CATERSHEET_LANG: 'en' } });
  return { ...service, onTerminal };
}

const READING: Progress = { stage: 'listing', done: 0, total: null, of: t('lists', 'lijsten') };
const NO_SPEED = /\d{5,}\/s/;

describe.skipIf(!hasTerminals)('how far a slow service is, on a terminal (by way of python3)', () => {
  it.each([
    ['export packages -o b.xlsx', 900, /Reading packages(?: …|: \d)/],
    ['check --lang nl', 40, /Uit het systeem lezen: \d/],
    ['template packages -o s.xlsx', 700, /Reading lists to choose from: \d+ of \d+/],
    ['import a.xlsx --dry-run --lang nl', 400, /(?:Pakketten|Lijsten met namen) lezen …|Rijen plannen: 40/],
  ])('is told by %s, and is gone at its end', async (args, latencyMs, words) => {
    const { onTerminal } = await slowService(latencyMs);
    const { shown } = onTerminal(args);
    expect(shown).toMatch(words);
    expect(shown).not.toMatch(NO_SPEED);
    const left = shown.split('\n').map((line) => line.split('\r').at(-1) ?? '');
    expect(left.join('\n')).not.toMatch(words);
  });
});

it('a question on a terminal stands alone on its line while more is read', async () => {
  const { stderr } = process;
  const { isTTY } = stderr;
  let shown = '';
  const write = vi.spyOn(stderr, 'write').mockImplementation((part) => {
    shown += part;
    return true;
  });
  onTestFinished(() => {
    write.mockRestore();
    stderr.isTTY = isTTY;
  });
  stderr.isTTY = true;
  const view = humanView({ language: 'en', quiet: false, color: false, given: {} });
  const told = (done: number) => view.progress({ ...READING, done });
  told(1);
  await sleep(600);
  told(2);
  expect(shown).toMatch(/Reading lists: 1/);
  const asked = new AbortController();
  const answer = view.askText(t('Which category?', 'Welke categorie?'), asked.signal);
  const before = shown.length;
  for (const done of [3, 4, 5]) {
    told(done);
    await sleep(60);
  }
  expect(shown.slice(before)).toBe('');
  expect(shown).toContain('Which category?');
  asked.abort();
  await expect(answer).rejects.toThrow('Interrupted');
  told(6);
  expect(shown.slice(before)).toMatch(/Reading lists: 6/);
  view.close();
});

it('nothing of it is told on a pipe', async () => {
  const service = await slowService(400);
  const { code, stderr } = await service.run(['import', 'a.xlsx', '--dry-run']);
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/Reading|Planning/);
});
