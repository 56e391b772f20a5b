import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemTime, type Time } from '../../../src/core/time.ts';
import { type ImportDocument, listRuns } from '../../../src/index.ts';
import { OPTIONS } from '../../../src/options/option-table.ts';
import { atCommits } from '../../helpers/ledger-writes.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { programAt } from '../../helpers/program-at.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { VirtualTime } from '../../helpers/virtual-time.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import {
  openSecondServiceInMemory,
  type SecondService,
  startSecondService,
} from '../../second-service/second-service.ts';
import { type DrawnService, drawService } from './draw-service.ts';
import { type Cell, otherValues, type RowSpec, sheetsOf, WorkbookDraw } from './draw-workbook.ts';
import { Draws, type GroupWishes } from './draws.ts';
import { type Finding, Judge, type RowSaid, storeOf } from './judge.ts';
import { disturb, touchBetween } from './others.ts';

/** What came of a round. */
export interface RoundEnd {
  readonly round: number;
  readonly groups: readonly string[];
  readonly drawn: Omit<DrawnService, 'choose'>;
  readonly how: string;
  readonly findings: readonly Finding[];
  readonly rows: number;
  readonly sheets: readonly string[];
  readonly unknown: number;
  readonly ms: number;
  /** The journal, to read what happened. */
  readonly journal: readonly string[];
}

interface Document {
  readonly run: string;
  readonly rows: readonly RowSaid[];
}

interface Wishes extends GroupWishes {
  /** A few rows of a sheet or two. */
  readonly small?: boolean;
  /** An address of a database, for a round in memory; else a file is its ledger. */
  readonly ledger?: string;
}

/** Plays the round with this number over real sockets: always the same service, workbook and events. */
export async function playRound(round: number, wishes: Wishes = {}): Promise<RoundEnd> {
  const draws = new Draws(round, wishes);
  return await playAt(systemTime, draws, (knobs) => startSecondService(knobs), wishes);
}

/** The same in memory, in a time that passes by itself. */
export async function playInMemory(round: number, wishes: Wishes = {}): Promise<RoundEnd> {
  const draws = new Draws(round, wishes);
  const time = new VirtualTime();
  return await playAt(time, draws, (knobs) => openSecondServiceInMemory(knobs, { time }), wishes);
}

async function playAt(
  time: Time,
  draws: Draws,
  open: (knobs: KnobChanges) => SecondService | Promise<SecondService>,
  { ledger, small = false }: Wishes,
): Promise<RoundEnd> {
  const started = performance.now();
  const { seed: round } = draws;
  const { choose, ...drawn } = drawService(draws);
  const service = await open({ seed: round, ...drawn.knobs });
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-round-'));
  try {
    const { rows } = new WorkbookDraw(draws, service, small);
    const file = await writeRows(folder, 'a', rows);
    service.set({ failures: { choose } });
    const played = new Play({
      draws,
      drawn,
      service,
      folder,
      file,
      rows,
      choose,
      time,
      ledger,
      isSmall: small,
    });
    const findings = await played.play();
    const { how, unknown } = played;
    const ms = performance.now() - started;
    const { groups } = draws;
    return {
      round,
      groups,
      drawn,
      how,
      findings,
      rows: rows.length,
      sheets: [...new Set(rows.map(({ sheet }) => sheet))],
      unknown,
      ms,
      journal: service.journal.lines(),
    };
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Setting {
  readonly draws: Draws;
  readonly drawn: Omit<DrawnService, 'choose'>;
  readonly service: SecondService;
  readonly folder: string;
  readonly file: string;
  readonly rows: readonly RowSpec[];
  readonly choose: DrawnService['choose'];
  readonly time: Time;
  readonly ledger: string | undefined;
  readonly isSmall: boolean;
}

type Options = ReturnType<typeof optionsOf> & { readonly signal?: AbortSignal };

/** The rows as a workbook; of one sheet as a CSV, which costs less and is named as its sheet is. */
async function writeRows(folder: string, name: string, rows: readonly RowSpec[]): Promise<string> {
  const [first, ...others] = Object.entries(sheetsOf(rows));
  if (first === undefined || others.length > 0)
    return await makeWorkbook(join(folder, `${name}.xlsx`), sheetsOf(rows));
  const [sheet, table] = first;
  mkdirSync(join(folder, name));
  const file = join(folder, name, `${sheet}.csv`);
  writeFileSync(file, table.map((row) => row.map(csvCell).join(';')).join('\r\n'));
  return file;
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  if (typeof cell === 'boolean') return cell ? 'Ja' : 'Nee';
  return cell === null ? '' : `"${cell.replaceAll('"', '""')}"`;
}

/** After how many requests, or writes to its ledger, a program ends. */
interface End {
  readonly after: number;
  readonly side: 'before' | 'after';
  readonly at: 'request' | 'commit';
}

/** What a program is to do. */
type Work = (program: ReturnType<typeof programAt>, options: Options) => Promise<ImportDocument>;

/** One round while it is played. */
class Play {
  how = 'undisturbed';
  unknown = 0;
  readonly #set: Setting;
  readonly #program: ReturnType<typeof programAt>;
  /** Where the program that lives has its files. */
  #folder: string;
  /** What programs that ended in the middle still do, which reaches nobody. */
  readonly #ended: Promise<unknown>[] = [];
  readonly #kills: number[] = [];
  readonly #findings: Finding[] = [];
  readonly #touched = new Set<number>();

  constructor(setting: Setting) {
    this.#set = setting;
    const { time, service, folder } = setting;
    this.#folder = service.isInMemory ? join(folder, 'first') : folder;
    this.#program = programAt(service.isInMemory ? { time, connect: service.connect } : { time });
  }

  async play(): Promise<Finding[]> {
    const { draws, drawn, service, rows } = this.#set;
    if (drawn.jump)
      service.at(drawn.jump.atWrite, () => service.jump(drawn.jump?.ms ?? 0), { side: 'after' });
    if (draws.has('colleague')) disturb(draws.random('colleague'), service, rows);
    const first = await this.#first();
    // Some import again at once, before a list that lags shows what they made.
    const impatient = draws.random('again').chance(0.5);
    await this.#quiet(impatient);
    this.#checkOthers();
    if (!first) return this.#findings;
    this.unknown = first.rows.filter(({ status }) => status === 'unknown').length;
    const { concurrency } = drawn;
    const circumstances = { kills: this.#kills, concurrency, touched: this.#touched };
    const judge = new Judge(service, rows, first.rows, circumstances);
    this.#findings.push(...judge.judge());
    await this.#again(first, impatient && drawn.knobs.speed.lagMs !== undefined);
    // Not after the changed file: another value in a row that was left is its user's answer to the conflict.
    this.#checkOthers();
    if (draws.has('changed')) await this.#changed(first);
    return this.#findings;
  }

  async #first(): Promise<Document | undefined> {
    const { draws, file, service } = this.#set;
    if (draws.has('kill')) return await (service.isInMemory ? this.#endedInMemory() : this.#killed());
    if (draws.has('between')) {
      this.how = 'somebody at work between plan and apply';
      const { allowDelete: _, ...options } = this.#options();
      let run: string | undefined;
      return await this.#untilTold(async () => {
        if (run === undefined) {
          ({ run } = await this.#program.planImport(file, this.#options()));
          await this.#between();
        }
        return await this.#program.applyPlan(run, options);
      });
    }
    return await this.#untilTold(() => this.#program.importWorkbook(file, this.#options()));
  }

  /** What somebody else does while a plan waits; a list that lags behind shows it before the plan is sent. */
  async #between(): Promise<void> {
    const { draws, service, rows, drawn } = this.#set;
    const touched = touchBetween(draws.random('between'), service, rows);
    for (const token of touched.keys()) this.#touched.add(token);
    await this.#set.time.sleep((drawn.knobs.speed.lagMs as number | undefined) ?? 0);
    this.#checks.push(...touched.values());
  }

  readonly #checks: (() => Finding | undefined)[] = [];

  /** Runs that a failing service stopped are begun again, as their users would. */
  async #untilTold(work: () => Promise<unknown>): Promise<Document | undefined> {
    let stopped: unknown;
    for (let time = 0; time < 4; time += 1) {
      try {
        return (await work()) as Document;
      } catch (error) {
        stopped = error;
        this.how = `${this.how}; stopped (${wordsOf(error)})`;
      }
    }
    this.#findings.push({ kind: 'stopped', about: wordsOf(stopped) });
    return undefined;
  }

  /** Kills the built program at some requests, and lets it go on by importing again or by apply. */
  async #killed(): Promise<Document | undefined> {
    const { draws, rows } = this.#set;
    const random = draws.random('kill');
    const times = random.pick([1, 1, 2, 3]);
    this.how = `killed ${times} times`;
    let args: readonly string[] = ['import', this.#set.file];
    for (let time = 0; time < times; time += 1) {
      const after = 1 + Math.floor(random.between(0, 4 + rows.length * 2));
      const side = random.pick(['before', 'after'] as const);
      if (!(await this.#killAfter(args, after, side))) break;
      args = await this.#goOn(random.chance(0.5));
    }
    for (let time = 0; time < 4; time += 1) {
      const { code, stdout, stderr } = await this.#command([...args, '--json=all']);
      if (code !== 4 && stdout.startsWith('{')) return JSON.parse(stdout) as Document;
      this.how = `${this.how}; ended with ${code} (${stderr.slice(0, 300)})`;
      args = ['import', this.#set.file];
    }
    this.#findings.push({ kind: 'stopped', about: this.how });
    return undefined;
  }

  async #killAfter(args: readonly string[], after: number, side: 'before' | 'after'): Promise<boolean> {
    const { service } = this.#set;
    const until = service.journal.requests.length + after;
    let isKilled = false;
    let kill: (signal: NodeJS.Signals) => void = () => {};
    const away = service.at(
      ({ n }) => n === until,
      () => {
        isKilled = true;
        kill('SIGKILL');
        this.#kills.push(this.#set.time.now());
      },
      { side },
    );
    await this.#command(args, (send) => {
      kill = send;
    });
    away();
    return isKilled;
  }

  /**
   * Ends the world of the program at some requests or some writes to the ledger, as a kill does: what is on disk
   * then is all that the next one has, and nothing that the old one does still reaches anybody.
   */
  async #endedInMemory(): Promise<Document | undefined> {
    const { draws, rows, file, isSmall } = this.#set;
    const random = draws.random('kill');
    const times = random.pick([1, 1, 2, 3]);
    this.how = `ended ${times} times`;
    let work: Work = (program, given) => program.importWorkbook(file, given);
    for (let time = 0; time < times; time += 1) {
      // Of a few rows most requests are those of the plan.
      const [least, most] = isSmall ? [2, 9] : [0, 4];
      const after = 1 + Math.floor(random.between(least, most + rows.length * 2));
      const side = random.pick(['before', 'after'] as const);
      const at = random.pick(['request', 'commit'] as const);
      if (!(await this.#endAfter(work, { after, side, at }))) break;
      this.how = `${this.how}, ${side} a ${at}`;
      const [newest] = await listRuns({ ledger: join(this.#folder, 'ledger.db') });
      const byApply = random.chance(0.5) && newest !== undefined && newest.state !== 'planning';
      if (byApply) this.how = `${this.how}, apply`;
      work = byApply
        ? async (program, { allowDelete, ...given }) => {
            try {
              return await program.applyPlan(newest.run, given);
            } catch (error) {
              // Its plan was not whole: its user is told to import the file again.
              if (!wordsOf(error).includes('was never completed')) throw error;
              return await program.importWorkbook(file, { ...given, allowDelete });
            }
          }
        : (program, given) => program.importWorkbook(file, given);
    }
    const told = await this.#untilTold(() => work(this.#program, this.#options()));
    await Promise.all(this.#ended);
    return told;
  }

  async #endAfter(work: Work, { after, side, at }: End): Promise<boolean> {
    const { service, time, folder } = this.#set;
    const until = service.journal.requests.length + after;
    const sockets = new Set<{ destroy(): void }>();
    let isOver = false;
    const connect: typeof service.connect = (where, connected) => {
      if (isOver) {
        process.nextTick(() => connected(new Error('the program is over'), null));
        return;
      }
      service.connect(where, (error, socket) => {
        // One that was on its way when the program ended reaches nobody.
        if (isOver) socket?.destroy();
        if (isOver) connected(new Error('the program is over'), null);
        else if (error !== null) connected(error, null);
        else {
          sockets.add(socket);
          connected(null, socket);
        }
      });
    };
    let end = (): void => {};
    const ended = new Promise<true>((resolve) => {
      end = () => resolve(true);
    });
    // What is over would go on looking what became of its rows, for itself alone.
    const gone = new AbortController();
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      gone.abort();
      const next = join(folder, `after-${this.#kills.length}`);
      cpSync(this.#folder, next, { recursive: true });
      this.#folder = next;
      for (const socket of sockets) socket.destroy();
      this.#kills.push(time.now());
      end();
    };
    let commits = 0;
    const away =
      at === 'request'
        ? service.at(({ n }) => n === until, over, { side })
        : atCommits((now) => {
            if (now === side && ++commits === after) over();
          });
    const given = { ...this.#options(), signal: gone.signal };
    const working = work(programAt({ time, connect }), given).catch(() => {});
    this.#ended.push(working);
    const isEnded = await Promise.race([ended, working.then(() => false)]);
    away();
    return isEnded;
  }

  async #goOn(byApply: boolean): Promise<readonly string[]> {
    const again = ['import', this.#set.file];
    const { stdout } = await this.#command(['runs', '--json']);
    const [newest] = (JSON.parse(stdout) as { runs: { run: string; state: string }[] }).runs;
    if (!byApply || !newest || newest.state === 'planning') return again;
    this.how = `${this.how}, apply`;
    return ['apply', newest.run];
  }

  async #command(args: readonly string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void) {
    const { service, folder, drawn } = this.#set;
    const { timeout, concurrency, dialect, doubt } = drawn;
    const profile = {
      dialect: { externalId: dialect },
      timeout,
      concurrency,
      ...doubtOf(doubt),
    };
    const config = { profiles: { default: profile } };
    writeFileSync(join(folder, 'catersheet.config.json'), JSON.stringify(config));
    const env = {
      CATERSHEET_BASE_URL: service.url,
      CATERSHEET_TOKEN: service.token,
      CATERSHEET_HOME: folder,
    };
    const isRun = args[0] !== 'runs';
    const more = isRun
      ? [
          '--yes',
          '--out',
          this.#set.file.endsWith('.csv') ? 'r.csv' : 'r.xlsx',
          ...(args[0] === 'import' ? ['--allow-delete'] : []),
        ]
      : [];
    return await runCli([...args, ...more], { cwd: folder, env, ...(onStart && { onStart }) });
  }

  /** Nothing fails any more, late writes are done, and lists show what is there. */
  async #quiet(impatient = false): Promise<void> {
    const { service, drawn } = this.#set;
    service.set({ failures: { choose: undefined } });
    await service.settled();
    if (!impatient) await this.#set.time.sleep((drawn.knobs.speed.lagMs as number | undefined) ?? 0);
  }

  /** Holds what somebody else did against what is there now. */
  #checkOthers(): void {
    for (const check of this.#checks) {
      const found = check();
      if (found) this.#findings.push(found);
    }
  }

  /** The same file once more: what was done needs nothing, and nothing is sent for it. */
  async #again(first: Document, tooSoon: boolean): Promise<void> {
    const { service, file, drawn, draws } = this.#set;
    const { length } = service.journal.requests;
    const keyless = new Set(first.rows.filter((row) => this.#lacksKey(row)).map(nameOfRow));
    // Of what is all done nothing is sent, as its plan says already.
    const isPlanned = this.#set.isSmall && first.rows.every(isDone) && draws.random('again by').chance(0.7);
    const second = await this.#untilTold(() =>
      isPlanned
        ? this.#program.planImport(file, this.#options())
        : this.#program.importWorkbook(file, this.#options()),
    );
    if (!second) return;
    const said = new Map(second.rows.map((row) => [`${row.sheet}!${row.row}`, asDone(row)]));
    const wrong = new Set<string>();
    for (const row of first.rows.filter(isDone)) {
      const name = nameOfRow(row);
      const now = said.get(name);
      if (now?.status === 'unchanged' || (now && this.#isMovedCount(now))) continue;
      // Nobody can see yet that it was done, and doing it once more changes nothing.
      if (tooSoon && !['created', 'failed', 'unknown'].includes(now?.status ?? '')) {
        wrong.add(name);
        continue;
      }
      // What it holds in a field that it does not keep may be what a colleague put back, or was not sent yet.
      if (now?.status === 'updated' && this.#isOverIgnored(row)) {
        wrong.add(name);
        continue;
      }
      // What the service made of it was not read back any more, as the program ended: it is sent once more.
      const isUnread = this.#kills.length > 0 || drawn.knobs.speed.lagMs !== undefined;
      if (isUnread && ['updated', 'conflict'].includes(now?.status ?? '')) {
        wrong.add(name);
        continue;
      }
      // The service had not taken its ExternalID, and that alone is sent.
      const isKeyed = now?.status === 'updated' && isKeyAlone(now) && keyless.has(name);
      wrong.add(name);
      if (isKeyed) continue;
      // What the delete of a trip answers is not shown: one that was empty and not done is done now.
      if (row.sheet === 'Ritten' && row.status === 'deleted' && now?.status === 'deleted') continue;
      const about = `${name} ${row.status}, then ${now?.status}: ${now?.message ?? ''} ${changesOf(now)}`;
      this.#findings.push({ kind: `again ${row.sheet}: ${now?.status}`, about });
    }
    const accounted = wrong.size + first.rows.filter((row) => !isDone(row)).length;
    const written = service.journal.requests.slice(length).filter(({ write }) => write);
    if (accounted === 0 && written.length > 0) {
      this.#findings.push({ kind: 'again: written', about: written.map(({ path }) => path).join(', ') });
    }
  }

  #isOverIgnored({ sheet, row }: RowSaid): boolean {
    const spec = this.#set.rows.find((one) => one.sheet === sheet && one.row === row);
    const { ignored = [] } = this.#set.drawn.knobs.values;
    const isLate = spec?.does === 'update' || spec?.kind === 'event';
    return isLate && ignored.some((field) => spec.cells[field] != null);
  }

  #lacksKey({ sheet, row, id }: RowSaid): boolean {
    const spec = this.#set.rows.find((one) => one.sheet === sheet && one.row === row);
    if (spec?.cells.ExternalID === undefined || id === undefined) return false;
    return !storeOf(this.#set.service, spec.kind).get(id)?.ExternalID;
  }

  /** A second run: the file with other values in the rows that were done, while the service fails again. */
  async #changed(first: Document): Promise<void> {
    const { service, folder, choose } = this.#set;
    const rows = this.#set.rows.map(otherValues);
    const file = await writeRows(folder, 'b', rows);
    service.set({ failures: { choose } });
    const second = await this.#untilTold(() => this.#program.importWorkbook(file, this.#options()));
    await this.#quiet();
    if (!second) return;
    const wasDone = new Set(first.rows.filter(isDone).map(({ sheet, row }) => `${sheet}!${row}`));
    const left = rows.filter(({ sheet, row }) => !wasDone.has(`${sheet}!${row}`));
    const judge = new Judge(service, rows, second.rows, {
      kills: this.#kills,
      concurrency: this.#set.drawn.concurrency,
      touched: this.#touched,
      without: new Set(left.map(({ token }) => token)),
    });
    const before = new Set(this.#findings.map(({ kind }) => kind));
    for (const { kind, about } of judge.judge()) {
      if (!before.has(kind)) this.#findings.push({ kind: `changed: ${kind}`, about });
    }
  }

  /** A count that was posted and whose stock a colleague has moved since may be refused, as it is no news. */
  #isMovedCount({ sheet, row, status }: RowSaid): boolean {
    const { draws, rows } = this.#set;
    const spec = rows.find((one) => one.sheet === sheet && one.row === row);
    return status === 'conflict' && spec?.does === 'count' && draws.has('colleague');
  }

  #options(): Options {
    return optionsOf(this.#set, this.#folder);
  }
}

function optionsOf({ service, drawn, ledger, file }: Setting, folder: string) {
  const { timeout, concurrency, dialect, doubt } = drawn;
  return {
    baseUrl: service.url,
    token: service.token,
    ledger: ledger ?? join(folder, 'ledger.db'),
    log: join(folder, 'run.log'),
    out: join(folder, file.endsWith('.csv') ? 'r.csv' : 'r.xlsx'),
    lang: 'en',
    allRows: true,
    allowDelete: true,
    timeout,
    concurrency,
    dialect: { externalId: dialect },
    ...doubtOf(doubt),
  } as const;
}

const isDone = ({ status }: RowSaid): boolean =>
  ['created', 'updated', 'unchanged', 'deleted'].includes(status);

/** The doubt time as an option, where the program has one. */
function doubtOf(doubt: number): { doubt?: number } {
  return Object.hasOwn(OPTIONS, 'doubt') ? { doubt } : {};
}

/** What a plan says of a row, as its outcome would be. */
const PLANNED: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' };
const asDone = (row: RowSaid): RowSaid => ({ ...row, status: PLANNED[row.status] ?? row.status });

const nameOfRow = ({ sheet, row }: RowSaid): string => `${sheet}!${row}`;

function changesOf(row: RowSaid | undefined): string {
  const { changes } = (row ?? {}) as { changes?: unknown };
  return changes === undefined ? '' : JSON.stringify(changes);
}

const isKeyAlone = (row: RowSaid): boolean =>
  ((row as { changes?: { field: string }[] }).changes ?? []).every(({ field }) => field === 'ExternalID');

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : String(error);
}
