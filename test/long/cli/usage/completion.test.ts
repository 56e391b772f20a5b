import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedger } from '../../../../src/ledger/sqlite-ledger.ts';
import { removeFolder } from '../../../helpers/remove-folder.ts';
import { CLI, runCli, tempFolder } from '../../../helpers/run-cli.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const hasBash = process.platform !== 'win32' && has('bash');
const hasZsh = process.platform !== 'win32' && has('zsh');
const hasFish = process.platform !== 'win32' && has('fish');
const hasPowershell = has('pwsh');

const scripts: Record<string, string> = {};

const RUNS = ['20270401-081500-b2bb', '20270331-074512-k3vq'];
const ledgers = mkdtempSync(join(tmpdir(), 'catersheet-runs-'));
afterAll(() => removeFolder(ledgers));

beforeAll(async () => {
  // One ledger for all: it is only read.
  const ledger = openLedger(join(ledgers, 'ledger.db'));
  for (const run of RUNS.toReversed())
    await ledger.startRun({ run, service: 'sandbox', file: 'a.xlsx', startedAt: '2027-03-31 07:45:12' });
  await ledger.close();
  const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
  const made = [];
  for (const shell of shells) made.push(await runCli(['completion', shell]));
  made.forEach(({ code, stdout }, at) => {
    expect(code).toBe(0);
    scripts[shells[at] ?? ''] = stdout;
  });
});

/** A folder with files, two profiles of which one has a hostile name, and the program on its PATH. */
function workplace(shell: string): { folder: string; script: string; env: NodeJS.ProcessEnv } {
  const folder = tempFolder();
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin', 'catersheet');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'Mijn menu.xlsx'), '');
  const profiles = { keuken: {}, kelder: {}, '$(touch hacked)': {}, 'k;touch hacked': {} };
  writeFileSync(join(folder, 'catersheet.config.json'), JSON.stringify({ profiles }));
  copyFileSync(join(ledgers, 'ledger.db'), join(folder, 'ledger.db'));
  const script = join(folder, 'script');
  writeFileSync(script, scripts[shell] ?? '');
  const path = [join(folder, 'bin'), process.env.PATH].join(delimiter);
  const env = { PATH: path, HOME: folder, CATERSHEET_HOME: folder, TERM: 'xterm', LC_ALL: 'C.UTF-8' };
  return { folder, script, env };
}

test.skipIf(!hasBash)(
  'bash completes commands, flags, values, files, runs and profiles, and runs none of their names',
  () => {
    const { folder, script, env } = workplace('bash');
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['catersheet chec', ['check']],
      ['catersheet help chec', ['check']],
      ['catersheet import --on-', ['--on-conflict']],
      ['catersheet import --lang = n', ['nl']],
      // The shell offers files by itself.
      ['catersheet import --sheet Blad M', []],
      ['catersheet check --profile k', ['kelder', 'keuken']],
      ['catersheet export events arr', ['arrangements']],
      ['catersheet undo 2', RUNS],
    ];
    const run = `. "$0"; for line in "$@"; do COMP_WORDS=($line); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _catersheet 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}" ===; done`;
    const lines = cases.map(([line]) => line);
    const out = execFileSync('bash', ['--norc', '-f', '-c', run, script, ...lines], { cwd: folder, env });
    const offered = out.toString().split('===\n').slice(0, -1);
    expect(offered.map((part) => part.split('\n').filter(Boolean))).toEqual(cases.map(([, names]) => names));
    expect(spawnSync('ls', { cwd: folder }).stdout.toString()).not.toContain('hacked');
  },
);

/** Types into a zsh on a terminal of its own, presses Tab, and says what stands on its line then. */
const ZSH = `
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'PS1=; autoload -Uz compinit; compinit -u -D; . ./script; show() { print -r -- "<<$BUFFER>>"; zle .kill-whole-line }; zle -N show; bindkey "^X" show; setopt no_beep; print rea""dy'
zpty -r -m inner line '*ready*'
for typed in "$@"; do
  zpty -w -n inner "$typed"$'\\t'
  zpty -w -n inner $'\\x18'
  zpty -r -m inner line '*<<*>>*'
  print -r -- "\${\${line##*<<}%%>>*}"
done
zpty -d inner
`;

test.skipIf(!hasZsh)('zsh completes commands, flags, values, files and profiles', () => {
  const { folder, env } = workplace('zsh');
  const cases: readonly (readonly [string, string])[] = [
    ['catersheet chec', 'catersheet check '],
    ['catersheet import --on-conflict th', 'catersheet import --on-conflict theirs '],
    ['catersheet import Mij', 'catersheet import Mijn\\ menu.xlsx '],
    ['catersheet export events arr', 'catersheet export events arrangements '],
    ['catersheet runs 20270331-', `catersheet runs ${RUNS[1]} `],
  ];
  const ran = spawnSync('zsh', ['-f', '-c', ZSH, 'zsh', ...cases.map(([typed]) => typed)], {
    cwd: folder,
    env,
  });
  const typed = ran.stdout.toString().trimEnd().split('\n');
  expect(typed.map((line) => line.trimEnd())).toEqual(cases.map(([, becomes]) => becomes.trimEnd()));
});

test.skipIf(!hasFish)('fish completes commands, values, files, profiles and runs', () => {
  const { folder, env } = workplace('fish');
  const lines = ['chec', 'import --on-conflict th', 'import Mij', 'check --profile ke', 'undo 2'];
  const run = 'source script; for line in $argv; complete -C "catersheet $line"; end';
  const out = execFileSync('fish', ['-N', '-c', run, ...lines], { cwd: folder, env }).toString();
  const words = out
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0]);
  expect(words).toEqual(['check', 'theirs', 'Mijn menu.xlsx', 'kelder', 'keuken', ...RUNS]);
});

test.skipIf(!hasPowershell)('PowerShell completes commands, flags and values', () => {
  const { folder, script, env } = workplace('powershell');
  const run = `. ([scriptblock]::Create((Get-Content -Raw '${script}'))); foreach ($line in 'catersheet chec', 'catersheet import --on-', 'catersheet import --on-conflict th') { (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText }`;
  const out = execFileSync('pwsh', ['-NoProfile', '-Command', run], { cwd: folder, env });
  expect(out.toString().trim().split(/\r?\n/)).toEqual(['check', '--on-conflict', 'theirs']);
});

test('runs are listed by their names, the last one first, and a ledger that is not there is not made', async () => {
  const { folder, env } = workplace('bash');
  const names = async (home: string) =>
    await runCli(['--get-yargs-completions', 'catersheet', 'undo', ''], {
      cwd: folder,
      env: { CATERSHEET_HOME: home },
    });
  expect(await names(String(env.CATERSHEET_HOME))).toMatchObject({ code: 0, stdout: `${RUNS.join('\n')}\n` });
  expect(await names(join(folder, 'leeg'))).toMatchObject({ code: 0, stdout: '' });
  expect(existsSync(join(folder, 'leeg'))).toBe(false);
});
