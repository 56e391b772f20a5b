import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../src/cli/parse.ts';
import { checkUsage } from '../../../src/cli/usage/check-usage.ts';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { COMMAND_LIST } from '../../../src/options/commands.ts';
import { kebab, kindOf } from '../../../src/options/option.ts';
import { OPTION_LIST } from '../../../src/options/options.ts';
import { runCli, tempFolder } from '../../helpers/run-cli.ts';

/** What is said of a command line; undefined where nothing is wrong with it. */
async function saidOf(line: string | readonly string[]): Promise<StopError['texts'] | undefined> {
  const words = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
  const stop = await checkUsage(words).then(
    () => undefined,
    (error: unknown) => error as StopError,
  );
  if (stop !== undefined) expect([stop instanceof StopError, stop.exit]).toEqual([true, EXIT.usage]);
  return stop?.texts;
}

/** In an empty folder, where no word is the name of a file. */
function inEmptyFolder(): string {
  const [before, folder] = [process.cwd(), tempFolder()];
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  return folder;
}

/** A wrong command line, what is said of it in either language, and the whole command as it should be. */
const WRONG: readonly (readonly [string, RegExp, RegExp, string])[] = [
  ['import', /missing behind import/, /achter import/, 'catersheet import FILE'],
  ['apply', /missing behind apply/, /achter apply/, 'catersheet apply RUN'],
  ['export', /behind export: packages, recipes/, /achter export: packages/, 'catersheet export WHAT'],
  ['imprt a.xlsx --dryrun', /no command imprt/, /geen opdracht imprt/, 'catersheet import a.xlsx --dry-run'],
  ['--verison', /no flag --verison/, /geen vlag --verison/, 'catersheet --version'],
  ['import a.xlsx --dryrun', /no flag --dryrun/, /geen vlag --dryrun/, 'catersheet import a.xlsx --dry-run'],
  ['import a.xlsx --ouput=b.xlsx', /no flag --ouput/, /--ouput/, 'catersheet import a.xlsx --out=b.xlsx'],
  [
    'import a.xlsx --on-conflict thiers',
    /not thiers/,
    /niet thiers/,
    'catersheet import a.xlsx --on-conflict theirs',
  ],
  [
    'import a.xlsx --lang=fr',
    /en or nl, not fr/,
    /en of nl, niet fr/,
    'catersheet import a.xlsx --lang VALUE',
  ],
  [
    'import a.xlsx --out --yes',
    /--out lacks/,
    /--out ontbreekt/,
    'catersheet import a.xlsx --out FILE --yes',
  ],
  ['invoices a.csv', /invoices needs --to/, /niet zonder --to/, 'catersheet invoices a.csv --to DIR'],
  ['sandbox --port vier', /whole number from 0 to 65535/, /geheel getal/, 'catersheet sandbox --port N'],
  ['check --out a.xlsx', /check takes no --out; import/, /check kent geen --out/, 'catersheet check'],
  [
    'import a.xlsx --since last',
    /takes no --since; export does/,
    /export wel/,
    'catersheet import a.xlsx --dry-run',
  ],
  [
    'check --token geheim',
    /A token is no flag/,
    /Een token is geen vlag/,
    'catersheet check --token-file FILE',
  ],
  [
    'export events -o a.csv --out b.csv',
    /--out is given more than once/,
    /meer dan eens/,
    'catersheet export events --out b.csv',
  ],
  ['runs a b', /a word too many behind runs: b\./, /een woord te veel achter runs: b\./, 'catersheet runs a'],
  ['orders snd 881', /snd is not known here/, /snd is hier niet bekend/, 'catersheet orders send 881'],
  ['export pakages', /no sheet pakages/, /geen werkblad pakages/, 'catersheet export packages'],
  [
    'template week.xlsx',
    /no sheet week.xlsx\. It takes/,
    /werkblad week.xlsx\. Wel/,
    'catersheet template --out week.xlsx',
  ],
  ['week.xlsx', /week.xlsx is no command/, /geen opdracht/, 'catersheet import week.xlsx'],
  ['import --yes.xlsx', /begins as a flag does/, /begint zoals een vlag/, 'catersheet import ./--yes.xlsx'],
  ['import a.xlsx --xyzzy', /no flag --xyzzy/, /geen vlag --xyzzy/, 'catersheet import a.xlsx --dry-run'],
  ['orders send --all --dry-run', /takes no --dry-run/, /kent geen --dry-run/, ''],
  [
    'orders send 881 --colour',
    /no flag --colour/,
    /geen vlag --colour/,
    'catersheet orders send 881 --color',
  ],
  ['apply 20261123 -y --dry-run', /takes no --dry-run/, /kent geen/, 'catersheet runs 20261123'],
  ['refresh f.csv --only 3 -y', /takes no --only/, /kent geen/, 'catersheet refresh f.csv -y --dry-run'],
  ['zzz', /no command zzz/, /geen opdracht zzz/, ''],
  ['', /Name a command/, /Noem een opdracht/, ''],
];

describe('wrong usage is told in both languages, with the whole command as it should be', () => {
  test.each(WRONG)('catersheet %s', async (line, en, nl, command) => {
    inEmptyFolder();
    const texts = await saidOf(line);
    expect(texts?.message.en).toMatch(en);
    expect(texts?.message.nl).toMatch(nl);
    expect(texts?.command?.en ?? '').toBe(command);
    expect(texts?.next?.en).toMatch(command === '' ? /See catersheet .*--help\.$/ : /: catersheet .+$/);
    expect(JSON.stringify(texts)).not.toContain('geheim');
    if (line === 'import') expect(texts?.next?.nl).toBe('Noem het bestand: catersheet import BESTAND');
    if (command !== '' && !/\b[A-Z]+\b/.test(command))
      expect(await saidOf(command.slice(11))).toBeUndefined();
  });
});

test('a flag with a value has no --no- before it, and none is said of it that was not typed', async () => {
  inEmptyFolder();
  for (const { flag, commands, type, typed = type } of OPTION_LIST) {
    const [command] = commands;
    if (kindOf(typed) === 'boolean' || command === undefined) continue;
    const texts = await saidOf([command, `--no-${kebab(flag)}`]);
    expect(texts?.message.en).toBe(`There is no flag --no-${kebab(flag)}.`);
    expect(JSON.stringify(texts)).not.toContain('undefined');
  }
});

test('a name with blanks that lost its quotes gets them back', async () => {
  const folder = inEmptyFolder();
  writeFileSync(join(folder, 'Mijn menu week 12.xlsx'), '');
  const texts = await saidOf('import Mijn menu week 12.xlsx --yes');
  expect(texts?.message.en).toBe('The name of the file "Mijn menu week 12.xlsx" has blanks in it.');
  expect(texts?.command?.en).toBe('catersheet import "Mijn menu week 12.xlsx" --yes');
});

test('a word that is a file is taken for no misspelt word', async () => {
  const folder = inEmptyFolder();
  mkdirSync(join(folder, 'imprt'));
  writeFileSync(join(folder, 'pakages'), '');
  expect((await saidOf('imprt'))?.command?.en).toBe('catersheet import imprt');
  expect((await saidOf('export pakages'))?.command?.en).toBe('catersheet export WHAT --out pakages');
});

test('with --json wrong usage is a document, in the language that is asked for', async () => {
  const { code, stdout, stderr } = await runCli(['imprt', 'a.xlsx', '--json', '--lang', 'nl']);
  const next = 'Misschien bedoel je: catersheet import a.xlsx --json --lang nl';
  expect(JSON.parse(stdout)).toEqual({
    error: { exit: EXIT.usage, message: 'Er is geen opdracht imprt.', next },
  });
  expect([code, stderr]).toEqual([EXIT.usage, `Er is geen opdracht imprt.\n${next}\n`]);
});

test('what passes here is taken by yargs, so that it has nothing to say of its own', async () => {
  inEmptyFolder();
  const words =
    'a.xlsx - -5 true --yes -yq --no-color --out -o --sheet --lang nl --lang=en --json=all --retries 3 --rate=2 packages send 881 --all --set Actief=Ja --set=Actief=Nee x --dryRun';
  const line = fc.tuple(
    fc.constantFrom(...COMMAND_LIST.map(([name]) => name)),
    fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 6 }),
  );
  const isTaken = fc.asyncProperty(line, async ([name, behind]) => {
    const end = await runCommand([name, ...behind], async () => EXIT.ok).catch((stop: unknown) => stop);
    if (end !== EXIT.ok) expect(String(end)).not.toContain("can't be read");
  });
  const examples: [[(typeof COMMAND_LIST)[number][0], string[]]][] = [
    [['import', ['a.xlsx', '--set', '-']]],
    [['import', ['--no-color', 'true', 'a.xlsx']]],
  ];
  await fc.assert(isTaken, { seed: 39, numRuns: 60, examples });
});
