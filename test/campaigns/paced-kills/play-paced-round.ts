import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { Random } from '../../second-service/random.ts';
import { type SecondService, startSecondService } from '../../second-service/second-service.ts';
import { type RowSpec, sheetsOf } from '../any-service/draw-workbook.ts';
import { type Finding, Judge, type RowSaid, tokenOf } from '../any-service/judge.ts';
import { pacedRows } from './paced-rows.ts';

/** How a round is paced, and how often it is killed. */
export interface PacedWishes {
  /** Requests a second: the program's own pace, or what the service bears before it answers 429. */
  readonly pace: { readonly rate: number } | { readonly perSecond: number };
  readonly kills: number;
  /** 25 rows for each. */
  readonly size: number;
}

/** What came of a round. */
export interface PacedEnd {
  readonly round: number;
  readonly kills: number;
  readonly rows: number;
  readonly unknown: number;
  /** Rows said to be unknown of which the service never got a request. */
  readonly neverReceived: number;
  readonly findings: readonly Finding[];
  /** The journal, to read what happened. */
  readonly journal: readonly string[];
  readonly ms: number;
}

interface Document {
  readonly rows: readonly RowSaid[];
}

const CONCURRENCY = 8;

/** Kills an import that waits for its pace, lets it go on each time, and holds its end against the journal. */
export async function playPacedRound(round: number, wishes: PacedWishes): Promise<PacedEnd> {
  const started = performance.now();
  const random = new Random(round);
  const perSecond = 'perSecond' in wishes.pace ? wishes.pace.perSecond : undefined;
  const service = await startSecondService({
    seed: round,
    company: 'lookups',
    speed: { beforeMs: [2, 40], clientGone: random.pick(['done', 'not done']) },
    failures: { perSecond },
  });
  const folder = await mkdtemp(join(tmpdir(), 'catersheet-paced-'));
  try {
    const rows = pacedRows(service, wishes.size);
    const file = await makeWorkbook(join(folder, 'a.xlsx'), sheetsOf(rows));
    return { ...(await new Play(service, rows, { folder, file, random, wishes }).play(round)), ms: since() };
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  function since(): number {
    return performance.now() - started;
  }
}

interface Setting {
  readonly folder: string;
  readonly file: string;
  readonly random: Random;
  readonly wishes: PacedWishes;
}

class Play {
  readonly #service: SecondService;
  readonly #rows: readonly RowSpec[];
  readonly #set: Setting;
  readonly #kills: number[] = [];

  constructor(service: SecondService, rows: readonly RowSpec[], setting: Setting) {
    this.#service = service;
    this.#rows = rows;
    this.#set = setting;
  }

  async play(round: number): Promise<Omit<PacedEnd, 'ms'>> {
    const { file, wishes } = this.#set;
    const again = ['import', file];
    let args: readonly string[] = again;
    for (let time = 0; time < wishes.kills; time += 1) {
      await this.#killOnTheWay(args, wishes.kills - time);
      args = await this.#goOn(again);
    }
    const first = await this.#toItsEnd(args);
    const unknown = first.rows.filter(({ status }) => status === 'unknown');
    const received = new Set(this.#service.journal.writes.map((entry) => tokenOf(entry, this.#rows)));
    const neverReceived = this.#rows.filter(
      ({ sheet, row, token }) =>
        !received.has(token) && unknown.some((one) => one.sheet === sheet && one.row === row),
    );
    const findings = [...this.#judged(first), ...(await this.#again(first, neverReceived))];
    for (const { sheet, row } of neverReceived)
      findings.push({ kind: 'unknown and never sent', about: `${sheet}!${row}` });
    return {
      ...{ round, kills: this.#kills.length, rows: this.#rows.length, unknown: unknown.length },
      ...{ neverReceived: neverReceived.length, findings },
      journal: this.#service.journal.lines(),
    };
  }

  /**
   * Kills the program at one of its next writes: right before it is done, right after, or some time later,
   * while the next ones wait for the pace. `left`: kills that are still to come in the writes that are.
   */
  async #killOnTheWay(args: readonly string[], left: number): Promise<void> {
    const { random, wishes } = this.#set;
    const done = new Set(this.#service.journal.ours.map(({ by }) => by)).size;
    // A row comes to some two writes at most.
    const most = Math.max(2, (1.4 * this.#rows.length - done) / (left + 1));
    const at = 1 + Math.floor(random.between(0, most));
    const [when, pause] = [random.pick(['before', 'after', 'between'] as const), random.between(5, 450)];
    const { rate } = { rate: 5, ...wishes.pace };
    let kill: (signal: NodeJS.Signals) => void = () => {};
    let timer: NodeJS.Timeout | undefined;
    const now = (): void => {
      kill('SIGKILL');
      this.#kills.push(Date.now());
    };
    const later = (): void => {
      timer = setTimeout(now, (pause * 5) / rate);
    };
    const away = this.#service.at(at, when === 'between' ? later : now, {
      side: when === 'before' ? 'before' : 'after',
    });
    await this.#program(args, (send) => {
      kill = send;
    });
    clearTimeout(timer);
    away();
  }

  /** By importing the file once more or, where the run was planned, by applying it. */
  async #goOn(again: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await this.#program(['runs', '--json']);
    const [newest] = (JSON.parse(stdout) as { runs: { run: string; state: string }[] }).runs;
    const isApplied = this.#set.random.chance(0.5);
    return !isApplied || !newest || newest.state === 'planning' ? again : ['apply', newest.run];
  }

  async #toItsEnd(args: readonly string[]): Promise<Document> {
    const { code, stdout, stderr } = await this.#program([...args, '--json=all']);
    if (!stdout.startsWith('{')) throw new Error(`ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Document;
  }

  async #program(args: readonly string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void) {
    const { folder, wishes } = this.#set;
    const { url, token } = this.#service;
    const env = { CATERSHEET_BASE_URL: url, CATERSHEET_TOKEN: token, CATERSHEET_HOME: folder };
    const pace = 'rate' in wishes.pace ? ['--rate', String(wishes.pace.rate)] : [];
    const sends = ['--yes', '--out', 'r.xlsx', '--doubt', '1', '--concurrency', String(CONCURRENCY), ...pace];
    const more = args[0] === 'runs' ? [] : sends;
    return await runCli([...args, ...more], { cwd: folder, env, ...(onStart && { onStart }) });
  }

  #judged(first: Document): readonly Finding[] {
    const circumstances = { kills: this.#kills, concurrency: CONCURRENCY, touched: new Set<number>() };
    return new Judge(this.#service, this.#rows, first.rows, circumstances).judge();
  }

  /**
   * The file once more: what was done needs nothing, and what is unknown is not sent, unless it never was: then
   * its doubt may be over by now.
   */
  async #again(first: Document, neverReceived: readonly RowSpec[]): Promise<Finding[]> {
    const isUnsent = (place: Pick<RowSaid, 'sheet' | 'row'>): boolean =>
      neverReceived.some(({ sheet, row }) => sheet === place.sheet && row === place.row);
    const { writes } = this.#service.journal;
    const second = await this.#toItsEnd(['import', this.#set.file]);
    const findings: Finding[] = first.rows.flatMap(({ sheet, row, status }) => {
      const now = second.rows.find((one) => one.sheet === sheet && one.row === row)?.status;
      const wanted =
        status === 'unknown'
          ? [
              ...[status, ...(sheet === 'Voorraadtelling' ? ['unchanged'] : [])],
              ...(isUnsent({ sheet, row }) ? ['created'] : []),
            ]
          : ['unchanged'];
      return wanted.includes(now ?? '')
        ? []
        : [{ kind: `again: ${status}, then ${now}`, about: `${sheet}!${row}` }];
    });
    const tokens = new Set<number | undefined>(neverReceived.map(({ token }) => token));
    const written = this.#service.journal.writes
      .slice(writes.length)
      .filter((entry) => !tokens.has(tokenOf(entry, this.#rows)));
    if (written.length > 0)
      findings.push({ kind: 'again: written', about: written.map(({ path }) => path).join(', ') });
    return findings;
  }
}
