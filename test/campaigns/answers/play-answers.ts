import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startSandbox } from '../../../src/api/start-sandbox.ts';
import { CLI } from '../../helpers/run-cli.ts';
import { Random } from '../../second-service/random.ts';
import { Forked } from '../fuzz/forked.ts';
import { hostileAnswer } from './hostile.ts';
import { type Asked, type Fate, startLiar, type Told } from './liar.ts';
import { drawTask, type Task } from './tasks.ts';

const PROGRAM = join(import.meta.dirname, 'program.mjs');
/** Seconds that a command may take, and megabytes that it may hold. */
const MOST_SECONDS = 60;
const MOST_MEGABYTES = 500;
/** The true service and the program are started anew after so many rounds. */
const ROUNDS_EACH = 60;

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  readonly megabytes: number;
  readonly loose: readonly string[];
}

/** What came of a round. */
export interface RoundEnd {
  readonly round: number;
  readonly name: string;
  readonly answers: readonly string[];
  readonly code: number | null;
  readonly ms: number;
  readonly megabytes: number;
  readonly faults: readonly string[];
}

/** Plays rounds one after another, all with the one kind of answers that is given, if any. */
export async function* playAnswers(rounds: Iterable<number>, kind?: string): AsyncGenerator<RoundEnd> {
  let stage: Stage | undefined;
  let left = 0;
  try {
    for (const round of rounds) {
      if (stage === undefined || left-- <= 0 || stage.program.ended) {
        await stage?.close();
        [stage, left] = [await openStage(), ROUNDS_EACH];
      }
      yield await play(stage, round, kind);
    }
  } finally {
    await stage?.close();
  }
}

type Stage = Awaited<ReturnType<typeof openStage>>;

/** A true service, a liar before it, and the program, which is run in one process again and again. */
async function openStage() {
  const sandbox = await startSandbox({ data: ':memory:' });
  const liar = await startLiar(sandbox.url);
  const program = new Forked<Ended>(PROGRAM);
  const close = async (): Promise<void> => {
    program.end();
    await liar.close();
    await sandbox.close();
  };
  return { liar, program, token: sandbox.token, close };
}

async function play({ liar, program, token }: Stage, round: number, kind?: string): Promise<RoundEnd> {
  const random = new Random(round);
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-answers-'));
  try {
    const task = await drawTask(random, round, folder);
    const service = { CATERSHEET_BASE_URL: liar.url, CATERSHEET_TOKEN: token };
    const env = { ...service, CATERSHEET_HOME: folder, LANG: 'en_US.UTF-8' };
    const files = ['--ledger', `${folder}/l.db`, '--log', `${folder}/l.log`];
    const common = ['--timeout', '300', '--retries', '1', '--no-color', ...files];
    const run = (args: readonly string[]) => {
      const doubts = ['import', 'apply', 'undo'].includes(args[0] ?? '') ? ['--doubt', '0.2'] : [];
      const asked = { program: pathToFileURL(CLI).href, args: [...args, ...common, ...doubts], env };
      return program.ask(asked, 2 * MOST_SECONDS);
    };
    let newest = '';
    if (task.before !== undefined) {
      liar.decide(() => ({ forward: true }));
      const earlier = await run(task.before);
      newest = typeof earlier === 'string' ? '' : (JSON.parse(earlier.out).run as string);
    }
    const mood = drawMood(random);
    liar.decide((asked) => fateOf(random, mood, asked, kind));
    const end = await run(task.args.map((word) => (word === 'RUN' ? newest : word)));
    const told = [...liar.told];
    const answers = told.flatMap(({ lie }) => (lie === null ? [] : [lie.name]));
    const of = { round, name: `${task.name} (${mood.share} of ${mood.of})`, answers };
    if (typeof end === 'string') return { ...of, code: null, ms: 0, megabytes: 0, faults: [end] };
    const { code, ms, megabytes } = end;
    return { ...of, code, ms, megabytes, faults: faultsOf(end, task, told, mood) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Which answers are hostile. */
interface Mood {
  readonly of: 'all' | 'writes' | 'reads' | 'one address';
  readonly share: number;
}

const drawMood = (random: Random): Mood => ({
  of: random.pick(['all', 'writes', 'writes', 'writes', 'reads', 'one address'] as const),
  share: random.pick([0.1, 0.4, 1]),
});

const isWrite = ({ method, path }: Pick<Asked, 'method' | 'path'>): boolean =>
  method === 'PUT' ||
  method === 'DELETE' ||
  /purchaseorder|processevent|uploaddocument/.test(path) ||
  (method === 'POST' && !/\/(all|allkassa|allByLMT|allModified)(\?|$)/.test(path));

function fateOf(random: Random, { of, share }: Mood, asked: Asked, kind?: string): Fate {
  const hit = random.below(1000) < share * 1000;
  const meant =
    of === 'all' ||
    (of === 'writes' && isWrite(asked)) ||
    (of === 'reads' && !isWrite(asked)) ||
    (of === 'one address' && asked.path.length % 3 === 0);
  if (!hit || !meant) return { forward: true };
  return { forward: !random.oneIn(4), lie: (honest) => hostileAnswer(random, honest, kind) };
}

const TRACE = /\n\s+at .*:\d+:\d+/;

function faultsOf(
  { code, out, err, ms, megabytes, loose }: Ended,
  task: Task,
  told: readonly Told[],
  mood: Mood,
): string[] {
  const faults = [...loose];
  if (![0, 3, 4, 5, 6].includes(code)) faults.push(`exit ${code}: ${err.slice(0, 1500)}`);
  if (TRACE.test(err) || TRACE.test(out)) faults.push(`trace: ${(err + out).slice(0, 1500)}`);
  const failed = /reading it failed[^"\n]*/.exec(err + out)?.[0];
  if (failed !== undefined) faults.push(failed);
  if (ms > MOST_SECONDS * 1000) faults.push(`slow: ${Math.round(ms)} ms`);
  if (megabytes > MOST_MEGABYTES) faults.push(`memory: ${Math.round(megabytes)} MB`);
  return [...faults, ...(task.marks.size === 0 ? [] : rowFaults(out, task, told, mood))];
}

interface Said {
  readonly sheet: string;
  readonly row: number;
  readonly status: string;
  readonly message?: string;
}

function rowFaults(out: string, { marks }: Task, told: readonly Told[], mood: Mood): string[] {
  if (!out.startsWith('{')) return [`no document: ${out.slice(0, 300)}`];
  const { rows = [] } = JSON.parse(out) as { rows?: readonly Said[] };
  const writes = told.filter(isWrite);
  return rows.flatMap(({ sheet, row, status, message }) => {
    const mark = marks.get(`${sheet}!${row}`);
    const own = mark === undefined ? [] : writes.filter(({ body }) => body.includes(mark));
    // What a definite no was said to last was not done then.
    const open = own.filter(({ lie }) => lie !== null && !lie.definite);
    const isOpen = open.length > 0 && own.at(-1)?.lie?.definite !== true;
    const names = own.map(({ lie, honest }) => `${lie?.name}/${honest}`).join(' ');
    const about = `${sheet}!${row} (${names}): ${message}`;
    if (isOpen && status === 'not sent') return [`not sent: ${about}`];
    const isDone = isOpen && open.some(({ honest }) => honest === 200) && !/bend|long|deep|wide/.test(names);
    return mood.of === 'writes' && isDone && status === 'failed' ? [`failed, but done: ${about}`] : [];
  });
}
