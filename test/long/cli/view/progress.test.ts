import { expect, it, vi } from 'vitest';
import { humanView } from '../../../../src/cli/view/human.ts';
import { jsonView } from '../../../../src/cli/view/json.ts';
import type { View } from '../../../../src/cli/view/lines.ts';
import type {} from '../../../../src/run/progress.ts';
import { makeWorkbook, packageRows } from '../../../helpers/make-workbook.ts';
import { hasTerminals, runOnTerminal } from '../../../helpers/run-on-terminal.ts';
import { openTestService } from '../../../helpers/test-service.ts';

it.skipIf(!hasTerminals)(
  'how far a slow service is stands on a terminal until the end (by way of python3)',
  async () => {
    const { folder, url, token } = await openTestService({ faults: { latencyMs: 400 } });
    await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(40) });
    const env = { CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token, CATERSHEET_HOME: folder };
    const { shown } = await runOnTerminal(['import', 'a.xlsx', '--dry-run', '--lang', 'nl'], [], {
      cwd: folder,
      env,
    });
    const words = /(?:Pakketten|Lijsten met namen) lezen: \d|Rijen plannen: \d/;
    expect(shown).toMatch(words);
    expect(shown).not.toMatch(/\d{5,}\/s/);
    // What is erased is seen no more.
    const left = shown.split('\n').map((line) => line.replaceAll('\x1b[2K', '\r').split('\r').at(-1) ?? '');
    expect(left.join('\n')).not.toMatch(words);
  },
);

/** What a view writes to stderr, which is a pipe, of some work that takes long. */
function toldOnPipe(view: View): string {
  const { stderr } = process;
  const { isTTY } = stderr;
  let shown = '';
  const write = vi.spyOn(stderr, 'write').mockImplementation((part) => {
    shown += part;
    return true;
  });
  vi.useFakeTimers();
  stderr.isTTY = false;
  try {
    view.progress({ stage: 'sending', done: 3, total: 9 });
    vi.advanceTimersByTime(5_000);
    view.close();
  } finally {
    vi.useRealTimers();
    stderr.isTTY = isTTY;
    write.mockRestore();
  }
  return shown;
}

it('how far a long run is stands on a line of its own on a pipe, but for -q and --json', () => {
  const given = { language: 'en', quiet: false, color: false, given: {} } as const;
  expect(toldOnPipe(humanView(given))).toMatch(/^(Sending rows: 3 of 9.*\n)+$/);
  expect(toldOnPipe(humanView({ ...given, quiet: true }))).toBe('');
  expect(toldOnPipe(jsonView({ language: 'en', quiet: false, all: false }))).toBe('');
});
