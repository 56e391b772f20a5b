import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { humanView } from '../../../../src/cli/view/human.ts';
import { jsonView } from '../../../../src/cli/view/json.ts';
import type { View } from '../../../../src/cli/view/view.ts';
import { WORDS } from '../../../../src/cli/view/words.ts';
import { EXIT, StopError } from '../../../../src/core/errors.ts';
import { t } from '../../../../src/core/language.ts';
import type { Progress } from '../../../../src/run/progress.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { hasTerminals, runOnTerminal } from '../../../helpers/run-on-terminal.ts';
import { openTestService } from '../../../helpers/test-service.ts';

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

/** What a view writes to stderr, which is a pipe, of some work that takes long. */
function toldOnPipe(view: View, work: (view: View) => void): string {
  const { stderr } = process;
  const { isTTY } = stderr;
  let shown = '';
  const write = vi.spyOn(stderr, 'write').mockImplementation((part) => {
    shown += part;
    return true;
  });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  stderr.isTTY = false;
  try {
    work(view);
  } finally {
    stderr.isTTY = isTTY;
    write.mockRestore();
    clock.mockRestore();
  }
  return shown;
}

it('how far a long run is stands on a line of its own on a pipe, but for -q and --json', () => {
  const given = { language: 'en', quiet: false, color: false, given: {} } as const;
  const work = (view: View): void => view.progress({ stage: 'sending', done: 3, total: 9 });
  expect(toldOnPipe(humanView(given), work)).toMatch(/^Sending rows: 3 of 9.*\n$/);
  expect(toldOnPipe(humanView({ ...given, quiet: true }), work)).toBe('');
  expect(toldOnPipe(jsonView({ language: 'en', quiet: false, all: false }), work)).toBe('');
});

it('that the sandbox answers is no news before a wrong file or flag, and is told before all else', () => {
  const line = WORDS.embedded.nl;
  const stopped = (exit: StopError['exit']) =>
    toldOnPipe(humanView({ language: 'nl', quiet: false, color: false, given: {} }), (view) => {
      view.tellFirst(WORDS.embedded);
      view.stop(new StopError(exit, t('It went wrong.', 'Het ging mis.')), null);
    });
  expect(stopped(EXIT.file)).toBe('Het ging mis.\n');
  expect(stopped(EXIT.usage)).toBe('Het ging mis.\n');
  expect(stopped(EXIT.service)).toBe(`${line}\nHet ging mis.\n`);
  expect(line).toContain('de ingebouwde proefomgeving');
});

it('nothing of it is told on a pipe', async () => {
  const service = await slowService(400);
  const { code, stderr } = await service.run(['import', 'a.xlsx', '--dry-run']);
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/Reading|Planning/);
});
