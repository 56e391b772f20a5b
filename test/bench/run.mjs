// Measures ours beside others and beside what the work takes at least, and holds the ratios against their marks.
//   npm run bench -- [--quick | --large] [--only reading,csv] [--size '50000 x 20'] [--rounds 3] [--limit 180]
//     --write         puts the tables into docs/benchmarks.md
//     --check         measures what has a mark, and ends with 1 where a ratio is worse by more than its margin
//     --mark          sets the marks to what was measured
//     --record FILE   keeps every single measurement;  --from FILE  takes them from there and measures nothing
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judged, marked, newMarks, passes } from './marks.mjs';
import { measure } from './measure.mjs';
import { RACES } from './races.mjs';
import { conditions, markTable, raceTable, written } from './tables.mjs';

const HERE = import.meta.dirname;
/** A load above this, for each core, belongs to somebody else. */
const BUSY = 0.75;
/** A race this long has as many rounds as asked for, ms. */
const ENOUGH = 8_000;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    only: { type: 'string' },
    size: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    limit: { type: 'string', default: '180' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    mark: { type: 'boolean', default: false },
    marks: { type: 'string', default: join(HERE, 'marks.json') },
    paper: { type: 'string', default: join(HERE, '../../docs/benchmarks.md') },
    record: { type: 'string' },
    from: { type: 'string' },
  },
});

const known = RACES.map(({ name }) => name);
const wanted = options.only?.split(',') ?? known;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) stop(`There is no race ${unknown.join(', ')}; there are ${known.join(', ')}.`);
const races = RACES.filter(({ name }) => wanted.includes(name));
const marks = existsSync(options.marks) ? JSON.parse(readFileSync(options.marks, 'utf8')) : {};
const { machine, measured } = options.from ? recorded(options.from) : await measureAll();
if (options.record) save(options.record, { machine, measured });
if (options.from) for (const race of races) show(race, measured);
console.log(`\n${conditions(machine)}`);
if (machine.load > BUSY * machine.cores)
  console.log('The machine was busy with other things: look at the ratios alone.');
if (options.write)
  writeFileSync(options.paper, written(readFileSync(options.paper, 'utf8'), measured, machine));
if (options.mark) save(options.marks, newMarks(marks, measured, options.quick));
if (options.check) check();

function recorded(file) {
  const { machine, measured } = JSON.parse(readFileSync(file, 'utf8'));
  return { machine, measured: measured.filter(({ race }) => wanted.includes(race)) };
}

async function measureAll() {
  prepare();
  const rounds = Number(options.rounds);
  const [cpu] = cpus();
  const machine = {
    ...{ node: process.version, cores: cpus().length, processor: cpu?.model.trim() ?? 'unknown' },
    ...{ load: loadavg()[0], rounds },
  };
  const measured = [];
  for (const race of races) {
    for (const size of sizesOf(race)) measured.push(await measureOne(race, size, rounds));
    show(race, measured);
  }
  if (!options.check) return { machine, measured };
  // A slow moment is no loss: what is worse is measured once more, and all rounds count.
  const again = new Set(
    judged(measured, marks)
      .filter(({ verdict }) => verdict === 'worse')
      .flatMap(({ from }) => from),
  );
  for (const one of again) {
    const race = races.find(({ name }) => name === one.race);
    one.rounds.push(...(await measureOne(race, one.size, rounds)).rounds);
  }
  return { machine, measured };
}

function show(race, measured) {
  const own = measured.filter((one) => one.race === race.name);
  if (own.length > 0) console.log(`\n${raceTable(race, own)}`);
}

function sizesOf({ sizes }) {
  if (options.size !== undefined) return options.size;
  if (options.quick) return sizes.quick;
  return options.large ? [...sizes.full, ...sizes.large] : sizes.full;
}

async function measureOne(race, size, rounds) {
  // Others are measured for the tables; a mark needs only ours and the base.
  const marksAlone = (options.check || options.mark) && !options.write;
  const names = marksAlone ? marked(race) : Object.keys(race.contestants);
  const onStep = (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  };
  const limit = Number(options.limit) * 1000;
  const one = await measure(race, size, { names, rounds, enough: ENOUGH, limit, onStep });
  onStep('');
  return one;
}

/** The build that is measured, and the others' packages as the lock file has them. */
function prepare() {
  if (!existsSync(join(HERE, '../../dist/workbook/read-workbook.js')))
    stop('There is no build to measure. Run npm run build first.');
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) =>
    join(HERE, name),
  );
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const args = ['ci', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: HERE, stdio: 'inherit', shell: process.platform === 'win32' });
}

function check() {
  const judgements = judged(measured, marks);
  console.log(`\n${markTable(judgements)}`);
  const held = judgements.filter(({ verdict }) => verdict !== 'no mark');
  if (held.length === 0) stop('Nothing that was measured has a mark.');
  const bad = judgements.filter((one) => !passes(one));
  console.log(`\n${held.length - bad.length} of ${held.length} marks hold.`);
  if (bad.length > 0) process.exitCode = 1;
}

function save(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function stop(text) {
  console.error(text);
  process.exit(2);
}
