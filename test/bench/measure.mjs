// Runs the contestants of a race in turns, each in a process of its own, and sums up what came of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numbersOf } from './races.mjs';

const HERE = import.meta.dirname;
const FOLDER = join(tmpdir(), 'catersheet-bench');
/** What Node and the program keep of what they compiled, as on a machine where they ran before. */
const CODE = join(FOLDER, 'code');
/** A contestant slower than this is not run again: the next run would say the same. */
const SLOW = 20_000;
/** A short race has at most this many times the rounds asked for. */
const MORE = 5;

/**
 * Measures the named contestants of a race at one size: what each round gave, by name, a time with the peak memory or
 * why there is none. In turns, so that a slower moment of the machine meets all of them. Short races have more rounds than
 * asked for, until they took `enough` ms.
 */
export async function measure(race, size, { names, rounds, enough = 0, limit, onStep = () => {} }) {
  const numbers = numbersOf(size);
  const service = race.service && (await startService(race.service(numbers)));
  const measured = { race: race.name, size, rounds: [] };
  const placeOf = async ({ file = race.file }) => ({
    ...{ ...service, numbers },
    file: await file?.(FOLDER, numbers),
  });
  if (race.warm) {
    rmSync(CODE, { recursive: true, force: true });
    for (const name of names)
      await runOne(race, race.contestants[name], await placeOf(race.contestants[name]), limit);
  }
  const start = performance.now();
  const isEnough = (done) => done >= rounds && (done >= MORE * rounds || performance.now() - start > enough);
  try {
    for (let round = 0; !isEnough(round); round++) {
      const results = {};
      // Forth and back, so that nobody always comes after the same one.
      for (const name of round % 2 === 0 ? names : [...names].reverse()) {
        const before = measured.rounds.map((one) => one[name]).filter(Boolean);
        if (before.some(({ failure, ms }) => failure !== undefined || ms > SLOW)) continue;
        onStep(`${race.name}, ${size}, round ${round + 1}: ${name}`);
        const contestant = race.contestants[name];
        results[name] = await runOne(race, contestant, await placeOf(contestant), limit);
      }
      measured.rounds.push(results);
    }
  } finally {
    service?.stop();
  }
  return measured;
}

/** A service in a process of its own, by the words behind `node`: where it is, its token and how it is ended. */
export async function startService(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { ...JSON.parse(String(line)), stop: () => child.kill() };
}

/** One contestant, with a folder of its own for what it writes and remembers. */
async function runOne(race, { way, command, fresh }, place, limit) {
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-bench-'));
  const input = { ...place, folder, code: fresh ? join(folder, 'code') : CODE };
  const telling = race.memory === false ? [] : ['--import', join(HERE, 'tell-cpu.mjs')];
  try {
    if (way !== undefined) {
      const script = join(HERE, 'contestant.mjs');
      const args = ['--max-old-space-size=8192', script, way, JSON.stringify(input)];
      const { ms, stdout } = await run(args, input, limit);
      return { ...JSON.parse(stdout), ...(race.time === 'whole' ? { ms } : {}) };
    }
    // A service without rows, as for the one before.
    if (race.service !== undefined) await tallyOf(place.url);
    const { ms, stderr } = await run([...telling, ...command(input)], input, limit);
    const megabytes = Number(/, memory (\d+) MB/.exec(stderr)?.[1]) || undefined;
    if (race.time !== 'writes') return { ms, megabytes };
    const { writes, first, last } = await tallyOf(place.url);
    if (writes !== race.each(place.numbers)) return { failure: `${writes} writes` };
    return { ms: last - first, megabytes };
  } catch ({ message, cause }) {
    // The others go on, also where the service is gone.
    return { failure: cause === undefined ? message : `${message}: ${cause.message}` };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A process to its end: how long it took and what it said. Throws in a few words why it failed. */
async function run(args, { url, token, folder, code: kept }, limit) {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    env: environment({
      ...{ CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token, CATERSHEET_HOME: folder },
      NODE_COMPILE_CACHE: kept,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limit,
    killSignal: 'SIGKILL',
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (part) => (said[name] += part));
  const [code, signal] = await once(child, 'close');
  const ms = performance.now() - start;
  if (code === 0) return { ms, ...said };
  if (signal === 'SIGKILL' && ms >= limit) throw new Error(`not done after ${limit / 1000} s`);
  const line = /^\w*Error.*$/m.exec(said.stderr) ?? /\S.*/.exec(said.stderr);
  throw new Error((line?.[0] ?? `ended with ${code ?? signal}`).slice(0, 80));
}

/** What was written since the last time it was asked; the service is empty again. */
async function tallyOf(url) {
  return await (await fetch(`${url}/tally`)).json();
}

/** Without the settings of whoever measures. */
export function environment(own) {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('CATERSHEET_'));
  return { ...Object.fromEntries(rest), ...own };
}

/**
 * Sums up a race at one size, by contestant: the median of the times, of the ratios to the base round by round, and of the
 * memory, with the ratio of the best times; or the failure. One that read another number of rows than the others has failed.
 */
export function summary(race, { rounds }) {
  const found = Object.keys(race.contestants).filter((name) => rounds.some((round) => round[name]));
  const bases = rounds.map((round) => round[race.base]?.ms);
  const known = bases.filter(Boolean);
  const rows = rounds.flatMap((round) => Object.values(round)).find((one) => one.rows !== undefined)?.rows;
  return found.map((name) => {
    const runs = rounds.map((round) => round[name]).filter(Boolean);
    const other = runs.find((one) => one.rows !== undefined && one.rows !== rows);
    const failure = runs.find((one) => one.failure)?.failure ?? (other && `${other.rows} rows, not ${rows}`);
    if (failure !== undefined) return { name, failure };
    if (known.length === 0) return { name, failure: `nothing to be held against: ${race.base}` };
    const ratios = rounds.flatMap((round, at) =>
      round[name] === undefined ? [] : [round[name].ms / (bases[at] ?? median(known))],
    );
    const best = Math.min(...runs.map(({ ms }) => ms)) / Math.min(...known);
    const memory = runs.map(({ megabytes }) => megabytes).filter(Boolean);
    return {
      ...{ name, runs: runs.length, ms: median(runs.map(({ ms }) => ms)), ratio: median(ratios), best },
      megabytes: memory.length === 0 ? undefined : median(memory),
    };
  });
}

/** The middle one, or the mean of the two in the middle. */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
  return (sorted[low] + sorted[high]) / 2;
}
