import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../helpers/run-cli.ts';

const BENCH = fileURLToPath(new URL('../bench/', import.meta.url));
const SIZE = '100000 x 20';
const READING = `reading, ${SIZE}: catersheet`;

type Round = Readonly<Record<string, object>>;

/** A round of reading: the base takes `base` ms, and ours `ms`. */
const round = (ms: number, base = 300): Round => ({
  'inflating alone': { ms: base, megabytes: 90 },
  '**catersheet**': { ms, megabytes: 95, rows: 100_000 },
});
const alone: Round = { ...round(600), 'inflating alone': { failure: 'ended with 1' } };
/** A dry run whose peak memory is this many MB. */
const dryRun = (megabytes: number): Round => ({
  'reading the same file': { ms: 900, megabytes: 90, rows: 9 },
  '`import --dry-run`': { ms: 1800, megabytes },
});
const dryRuns = (little: number, much: number) => [
  { race: 'dry-run', size: '25000 x 20', rounds: [dryRun(little)] },
  { race: 'dry-run', size: SIZE, rounds: [dryRun(much)] },
];
const reading = (...rounds: Round[]) => [{ race: 'reading', size: SIZE, rounds }];

const mark = (ratio: number, margin: number) => ({ ratio, margin, says: 'made up' });
const MARKS = {
  [READING]: mark(2, 0.25),
  [`dry-run, memory of ${SIZE} against 25000 x 20: import --dry-run`]: mark(1.2, 0.1),
};
const MACHINE = { node: 'v20.19.0', cores: 2, processor: 'Made up', load: 0.1, rounds: 3 };

/** Runs the bench on what was recorded. */
function bench(measured: readonly object[], ...flags: string[]) {
  const folder = tempFolder();
  const [record, marks] = ['record.json', 'marks.json'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(record, JSON.stringify({ machine: MACHINE, measured }));
  writeFileSync(marks, JSON.stringify(MARKS));
  const args = [join(BENCH, 'run.mjs'), '--from', record, '--marks', marks, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, said: stdout + stderr, marks: JSON.parse(readFileSync(marks, 'utf8')) };
}

const verdictOf = (said: string, name: string): string | undefined =>
  said
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))
    ?.split(' | ')[5];

describe('a check of the bench', () => {
  it.each([
    ['a ratio within its margin', reading(round(740), round(745), round(735)), 'holds'],
    ['slow moments that the best time does not have', reading(round(900), round(900), round(620)), 'holds'],
  ])('passes for %s', (_, measured, verdict) => {
    const { status, said } = bench(measured, '--check');
    expect([status, verdictOf(said, READING)]).toEqual([0, verdict]);
    expect(said).toContain('1 of 1 marks hold.');
  });

  it.each([
    ['a ratio worse by more than its margin', reading(round(760), round(780), round(770)), 'worse'],
    ['a base that failed', reading(alone), 'nothing to be held against: inflating alone'],
  ])('fails for %s', (_, measured, verdict) => {
    const { status, said } = bench(measured, '--check');
    expect([status, verdictOf(said, READING)]).toEqual([1, verdict]);
    expect(said).toContain('0 of 1 marks hold.');
  });

  it.each([[150, 200, 1]])('of memory that goes from %i to %i MB ends with %i', (little, much, status) => {
    expect(bench(dryRuns(little, much), '--check').status).toBe(status);
  });
});

it('A bench writes its table between the marks of the paper, and leaves the rest', () => {
  const paper = join(tempFolder(), 'paper.md');
  const text = (table: string) =>
    `# Bench\n\nBefore.\n\n<!-- bench: reading -->\n${table}<!-- /bench -->\n\nAfter.\n\n<!-- bench: csv -->\nOld.\n<!-- /bench -->\n`;
  writeFileSync(paper, text('Old.\n'));
  bench(reading(round(600)), '--write', '--paper', paper);
  const table = [
    '| reading |  | median | × inflating alone | peak memory |',
    '| --- | --- | ---: | ---: | ---: |',
    '| 100,000 × 20 | inflating alone | 300 ms | 1.00 | 90 MB |',
    '|  | **catersheet** | 600 ms | 2.00 | 95 MB |',
    '',
    'Node v20.19.0, 2 × Made up; medians of 3 rounds or more, with a load of 0.1 before them.\n',
  ];
  expect(readFileSync(paper, 'utf8')).toBe(text(table.join('\n')));
});

it('Each ratio of a quick and a full bench that is held has a mark, and no mark is of nothing', async () => {
  const { markNames } = (await import(join(BENCH, 'marks.mjs'))) as { markNames(): string[] };
  const marks = JSON.parse(readFileSync(join(BENCH, 'marks.json'), 'utf8')) as Record<string, object>;
  expect(Object.keys(marks).sort()).toEqual([...new Set(markNames())].sort());
});
