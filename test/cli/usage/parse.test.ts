import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readWords } from '../../../src/cli/parse.ts';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import type { Language } from '../../../src/core/language.ts';
import { COMMAND_LIST } from '../../../src/options/commands.ts';
import { runCli, tempFolder } from '../../helpers/run-cli.ts';

/** In an empty folder, where no word is the name of a file. */
function inEmptyFolder(): string {
  const [before, folder] = [process.cwd(), tempFolder()];
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  return folder;
}

const wordsOf = (line: string): string[] => line.split(' ').filter((word) => word !== '');

/** What a command line gives to its command; the stop where it is wrong usage. */
async function taken(line: string, language: Language = 'en'): Promise<Record<string, unknown> | StopError> {
  try {
    const asked = await readWords(wordsOf(line), language);
    return 'shown' in asked ? {} : { name: asked.name, ...(asked.given as object) };
  } catch (error) {
    if (error instanceof StopError) return error;
    throw error;
  }
}

describe('a command line becomes what its command takes', () => {
  test.each<[string, object]>([
    [
      'import a.xlsx',
      { name: 'import', file: ['a.xlsx'], dryRun: false, yes: false, set: [], onConflict: 'skip' },
    ],
    ['--yes import a.xlsx --dryRun', { name: 'import', file: ['a.xlsx'], dryRun: true, yes: true }],
    ['import a.xlsx --set A=1 --set=B=2 b.csv', { file: ['a.xlsx', 'b.csv'], set: ['A=1', 'B=2'] }],
    ['import a.xlsx --as Pakketten', { as: 'Pakketten' }],
    ['import -yo - a.xlsx', { yes: true, out: '-', file: ['a.xlsx'] }],
    ['orders send 881 882 --yes', { name: 'orders', action: 'send', ids: ['881', '882'] }],
    ['runs 2027 --no-color --json=all', { run: '2027', color: false, json: 'all' }],
    ['import a.xlsx --rate=2.5 --retries 0', { rate: 2.5, retries: 0 }],
    ['desk --no-open', { open: false }],
    ['template -o a.xlsx', { resource: [], out: 'a.xlsx' }],
  ])('catersheet %s', async (line, expected) => {
    inEmptyFolder();
    expect(await taken(line)).toMatchObject(expected);
  });
});

/** A wrong command line, and what is said of it in either language. */
const WRONG: readonly (readonly [string, RegExp, RegExp])[] = [
  ['import', /^Name a file\./, /^Noem een bestand\./],
  ['apply', /^Name the run/, /^Noem de run/],
  ['export', /packages, recipes/, /packages, recipes/],
  ['', /^Name a command\./, /^Noem een opdracht\./],
  ['imprt a.xlsx', /mean import/, /Bedoel je import/],
  ['zzz', /zzz/, /zzz/],
  ['import a.xlsx --dryrun', /dryrun.*mean --dry-run/, /dryrun.*Bedoel je --dry-run/],
  ['import a.xlsx --xyzzy', /xyzzy/, /xyzzy/],
  ['check --out a.xlsx', /out/, /out/],
  [
    'import a.xlsx --on-conflict thiers',
    /^on-conflict: "thiers" is not.*"theirs"\. Did you mean theirs\?$/,
    /^on-conflict: "thiers" is niet.*Bedoel je theirs\?$/,
  ],
  ['import a.xlsx --lang=fr', /fr.*en.*nl/, /fr.*en.*nl/],
  ['import a.xlsx --out --yes', /--out lacks its value/, /De waarde van --out ontbreekt/],
  ['import a.xlsx --out=', /--out/, /--out/],
  ['invoices a.csv', /--to/, /--to/],
  ['sandbox --port vier', /--port must be a number/, /--port moet een getal/],
  [
    'import a.xlsx --retries 101',
    /--retries must be at most 100/,
    /--retries mag hoogstens 100|--retries moet hoogstens 100/,
  ],
  ['import a.xlsx --dry-run=ja', /--dry-run takes no value/, /--dry-run krijgt geen waarde/],
  ['import a.xlsx --dryRun=ja', /--dry-run takes no value/, /--dry-run krijgt geen waarde/],
  ['import a.xlsx -y=nee', /--yes takes no value/, /--yes krijgt geen waarde/],
  ['import a.xlsx --no-out', /no-out|--out/, /no-out|--out/],
  ['export events -o a.csv --out b.csv', /--out is given more than once/, /--out is meer dan eens/],
  ['runs a b', /: b\./, /: b\./],
  ['orders snd 881', /"snd" is not one of "send"\./, /"snd" is niet een van "send"\./],
  ['import a.xlsx --as packages --as recipes', /^--as is given more than once/, /^--as is meer dan eens/],
  [
    'import --dryrun a.xlsx',
    /^Not known here: --dryrun\. Did you mean --dry-run\?$/,
    /^Hier niet bekend: --dryrun/,
  ],
  ['import a.xlsx -n', /^Not known here: -n\.$/, /^Hier niet bekend: -n\.$/],
  ['--versie', /^Name a command\./, /^Noem een opdracht\./],
  ['orders send 881 --limit 3', /limit/, /limit/],
  ['runs 2027 --json=some', /--json=all/, /--json=all/],
  ['check --token geheim', /A token is no flag/, /Een token is geen vlag/],
  ['check --token=geheim', /A token is no flag/, /Een token is geen vlag/],
];

describe('wrong usage is told in both languages, with the help that tells more, and runs nothing', () => {
  test.each(WRONG)('catersheet %s', async (line, en, nl) => {
    inEmptyFolder();
    const stops = [await taken(line, 'en'), await taken(line, 'nl')] as StopError[];
    for (const stop of stops) expect([stop instanceof StopError, stop.exit]).toEqual([true, EXIT.usage]);
    expect(stops[0]?.texts.message.en).toMatch(en);
    expect(stops[1]?.texts.message.nl).toMatch(nl);
    if (!line.includes('token')) expect(stops[0]?.texts.next?.en).toMatch(/^See catersheet .*--help\.$/);
    expect(JSON.stringify(stops.map(({ texts }) => texts))).not.toMatch(/geheim|undefined/);
  });
});

test('a file in the place of a command is imported by the command that is told', async () => {
  writeFileSync(join(inEmptyFolder(), 'week.xlsx'), '');
  expect((await taken('week.xlsx')) as StopError).toMatchObject({
    exit: EXIT.usage,
    next: 'To import it: catersheet import week.xlsx',
  });
  expect(((await taken('improt week.xlsx')) as StopError).message).toMatch(/mean import\?/);
});

test('an empty word is no file', async () => {
  expect(await runCli(['import', '', '--lang', 'nl'])).toMatchObject({
    ...{ code: EXIT.usage, stderr: 'Noem een bestand.\nZie catersheet import --help.\n' },
  });
});

test('with --json wrong usage is a document, in the language that is asked for', async () => {
  const { code, stdout, stderr } = await runCli(['import', '--json', '--lang', 'nl']);
  const next = 'Zie catersheet import --help.';
  expect(JSON.parse(stdout)).toEqual({ error: { exit: EXIT.usage, message: 'Noem een bestand.', next } });
  expect([code, stderr]).toEqual([EXIT.usage, `Noem een bestand.\n${next}\n`]);
});

test('help is asked for by a word or a flag, of the program and of each command, in both languages', async () => {
  for (const [word, flag] of [
    ['help import', 'import --help'],
    ['help', '--help'],
    ['--lang nl help import', 'import -h --lang nl'],
  ] as const) {
    const [first, second] = [await runCli(word.split(' ')), await runCli(flag.split(' '))];
    expect([first.code, first.stdout]).toEqual([0, second.stdout]);
  }
  const own = await runCli(['import', '--help', '--lang', 'nl']);
  expect(own.stdout).toMatch(/bestand .*\s+.*\s+\[mag vaker\] \[verplicht\]\n/);
  const { stdout: invoices } = await runCli(['invoices', '--help', '--lang', 'nl']);
  expect(invoices).toMatch(/--to .* komen +\[tekst\] \[verplicht\]\n/);
  expect(own.stdout).toMatch(/--json=all noemt elke rij\n/);
  for (const { stdout: said } of [own, await runCli(['apply', '--help', '--lang', 'nl'])])
    expect(said).not.toMatch(/mag vaker\W+mag vaker/);
  const { stdout } = await runCli(['--help', '--lang', 'nl']);
  expect(stdout).toMatch(/\n {2}3 {4}het bestand .*\n {7}\S/);
  for (const [name, { help }] of COMMAND_LIST)
    expect(stdout.replace(/\s+/g, ' ')).toMatch(new RegExp(`catersheet ${name}.*${help.nl.slice(0, 12)}`));
});
