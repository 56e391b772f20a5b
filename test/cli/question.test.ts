import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importIn } from '../../src/api/import-workbook.ts';
import { withSession } from '../../src/session/open-session.ts';
import { makeWorkbook, PACKAGE_HEADER, readBack } from '../helpers/make-workbook.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { hasTerminals, runOnTerminal, type TerminalResult } from '../helpers/run-on-terminal.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { openTestService, optionsFor } from '../helpers/test-service.ts';

const QUESTION = '[y/N]';

interface Answered extends TerminalResult {
  readonly folder: string;
}

/** Imports one package into the embedded sandbox and answers the question. */
async function answer(keys: string, ...flags: string[]): Promise<Answered> {
  const folder = tempFolder();
  const file = await makeWorkbook(`${folder}/a.xlsx`, {
    Pakketten: [[...PACKAGE_HEADER], [600_000, 'Lunchbuffet', 1, 12.5, true]],
  });
  const wanted = flags.includes('nl') ? '[j/N]' : QUESTION;
  const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
  return { folder, ...runOnTerminal(['import', file, '--no-color', ...flags], { wanted, keys }, options) };
}

const afterQuestion = ({ shown }: Answered): string =>
  shown.slice(shown.indexOf(QUESTION) + QUESTION.length).replaceAll('\r', '');

describe.skipIf(!hasTerminals)('the question before sending (on a terminal by way of python3)', () => {
  it('ends with 130 and one sentence at Ctrl-C', async () => {
    const answered = await answer('\x03');
    expect(answered.code).toBe(130);
    const said = afterQuestion(answered)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    expect(said.at(-1)).toBe('Interrupted: nothing was sent.');
    expect(answered.shown).not.toMatch(/AbortError|at .*\.js/);
    expect(existsSync(`${answered.folder}/a.result.xlsx`)).toBe(false);
  });

  it('says in Dutch that nothing was sent, at Ctrl-C', async () => {
    const { code, shown } = await answer('\x03', '--lang', 'nl');
    expect(code).toBe(130);
    expect(shown).toContain('Onderbroken: er is niets verstuurd.');
  });

  it.each([
    ['the end of input', '\x04'],
    ['n', 'n\r'],
    ['only Enter', '\r'],
    ['anything else', 'misschien\r'],
  ])('takes %s for no: nothing sent, and the result says so', async (_, keys) => {
    const answered = await answer(keys);
    expect(answered.code).toBe(0);
    expect(afterQuestion(answered)).toMatch(/Nothing was sent\..*requests/);
    // The plan was told before the question, and no is no problem.
    expect(afterQuestion(answered)).not.toMatch(/not sent|What needs attention|created/);
    expect(afterQuestion(answered)).toContain('To send it after all:');
    const result = await readBack(`${answered.folder}/a.result.xlsx`);
    expect(result.get('Pakketten')?.get(2)?.get(6)).not.toBe('created');
  });

  it('tells the plan once, before the question', async () => {
    const folder = tempFolder();
    const rows = [
      [600_000, 'Lunchbuffet', 1, 12.5, true],
      [600_001, 'Soepbuffet', 1, 'veel', true],
    ];
    await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: [[...PACKAGE_HEADER], ...rows] });
    const press = { wanted: QUESTION, keys: 'y\r' };
    const options = { cwd: folder, env: { CATERSHEET_HOME: folder } };
    const { shown } = runOnTerminal(['import', 'a.xlsx', '--no-color'], press, options);
    expect(shown.match(/D3 Verkoopprijs: found/g)).toHaveLength(1);
    expect(shown).toContain('will be sent');
    expect(shown).toMatch(/Correct the red cells in a\.result\.xlsx and import that file:/);
  });

  it.each(['y', 'JA'])('sends when it is answered with %s', async (word) => {
    const answered = await answer(`${word}\r`);
    expect(answered.code).toBe(0);
    const result = await readBack(`${answered.folder}/a.result.xlsx`);
    expect(result.get('Pakketten')?.get(2)?.get(6)).toBe('created');
  });
});

it('the time of a run leaves out the wait for an answer', async () => {
  const service = await openTestService();
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, {
    Pakketten: [[...PACKAGE_HEADER], [600_000, 'Lunchbuffet', 1, 12.5, true]],
  });
  const options = optionsFor(service);
  const began = performance.now();
  let waited = 0;
  const { result } = await withSession(serviceOnly(options), undefined, (session) =>
    importIn(session, file, { out: options.out }, async () => {
      const asked = performance.now();
      // As long as all before it, so that it would show.
      const until = asked + (asked - began);
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
      waited = performance.now() - asked;
      return false;
    }),
  );
  expect(result.declined).toBe(true);
  expect(result.ms).toBeLessThanOrEqual(Math.ceil(performance.now() - began - waited));
});
