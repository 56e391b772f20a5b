import { describe, expect, it, vi } from 'vitest';
import { humanView } from '../../../../src/cli/view/human.ts';
import { jsonView } from '../../../../src/cli/view/json.ts';
import type { View } from '../../../../src/cli/view/view.ts';
import type {} from '../../../../src/run/progress.ts';
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
