import { stored } from '../../second-service/habits.ts';
import type { Commit, Entry } from '../../second-service/journal.ts';
import { plainKnobs } from '../../second-service/knobs.ts';
import type { SecondService } from '../../second-service/second-service.ts';
import type { Kind, Value, Values } from '../../second-service/types.ts';
import { AMOUNT, KEPT, MANAGER, type RowSpec } from './draw-workbook.ts';

/** What the program said of one row. */
export interface RowSaid {
  readonly sheet: string;
  readonly row: number;
  readonly status: string;
  readonly id?: number | undefined;
  readonly message?: string | undefined;
}

/** One thing that went wrong in a round. */
export interface Finding {
  /** Such as `doubled`, by which findings are counted. */
  readonly kind: string;
  readonly about: string;
}

/** What a round knows beside the journal. */
export interface Circumstances {
  /** Requests under way or answered right before one of these moments may have been lost to a kill. */
  readonly kills: readonly number[];
  /** Rows that were sent at once. */
  readonly concurrency: number;
  /** Rows that somebody else was at work on, of which a conflict can be said. */
  readonly touched: ReadonlySet<number>;
  /** Rows that are not judged. */
  readonly without?: ReadonlySet<number>;
}

const DONE = ['created', 'updated', 'unchanged', 'deleted'];

/** Holds what was said of every row against the service's own journal and records. */
export class Judge {
  readonly findings: Finding[] = [];
  readonly #service: SecondService;
  readonly #rows: readonly RowSpec[];
  readonly #said: ReadonlyMap<string, RowSaid>;
  readonly #circumstances: Circumstances;
  readonly #entries = new Map<number, Entry[]>();
  readonly #commits = new Map<number, Commit[]>();
  readonly #neverSent: string[] = [];

  constructor(
    service: SecondService,
    rows: readonly RowSpec[],
    said: readonly RowSaid[],
    circumstances: Circumstances,
  ) {
    this.#service = service;
    this.#rows = rows;
    this.#said = new Map(said.map((row) => [`${row.sheet}!${row.row}`, row]));
    this.#circumstances = circumstances;
    for (const entry of service.journal.writes) {
      const token = tokenOf(entry, rows);
      if (token !== undefined) push(this.#entries, token, entry);
    }
    for (const commit of service.journal.ours) {
      const entry = service.journal.requests[Number(commit.by) - 1];
      // What the service itself changes beside what it was asked for.
      if (commit.kind === 'stock' || (commit.kind === 'event' && entry?.endpoint.startsWith('link')))
        continue;
      const token = entry && tokenOf(entry, rows);
      if (token !== undefined) push(this.#commits, token, commit);
      else if (commit.what !== 'updated') this.#find('asked by no row', `${commit.what} ${commit.kind}`);
    }
  }

  /** Everything that is wrong. */
  judge(): Finding[] {
    for (const fault of this.#service.faults) this.#find('fault of the second service', String(fault));
    for (const row of this.#rows) {
      if (this.#circumstances.without?.has(row.token)) continue;
      const commits = this.#commits.get(row.token) ?? [];
      this.#judgeWritten(row, commits);
      const said = this.#said.get(`${row.sheet}!${row.row}`);
      if (!said) this.#find('row not told', nameOf(row));
      else if (DONE.includes(said.status)) this.#judgeDone(row, said, commits);
      else if (said.status === 'unknown') this.#judgeUnknown(row, said, commits);
      else this.#judgeNotDone(row, said, commits);
    }
    const { kills, concurrency } = this.#circumstances;
    // An intent is written before the bytes go out: a kill may come between, for all that were about to leave.
    if (this.#neverSent.length > kills.length * concurrency)
      for (const told of this.#neverSent) this.#find('unknown and never sent', told);
    return this.findings;
  }

  #find(kind: string, about: string): void {
    this.findings.push({ kind, about });
  }

  #judgeWritten(row: RowSpec, commits: readonly Commit[]): void {
    const created = commits.filter(({ what }) => what === 'created');
    const most = row.does === 'update' || row.does === 'delete' ? 0 : 1;
    if (created.length > most) {
      this.#find(`doubled ${row.kind}`, `${nameOf(row)}: ${created.map(({ id }) => id).join(', ')}`);
    }
    const own = new Set([...created.map(({ id }) => id), row.target]);
    for (const { what, kind, id } of commits) {
      const isOwn = own.has(id) || this.#circumstances.touched.has(row.token);
      if (kind !== row.kind || !isOwn) this.#find('wrong record', `${nameOf(row)}: ${what} ${kind} ${id}`);
      if (what === 'deleted' && row.does !== 'delete') this.#find('deleted', `${nameOf(row)}: ${kind} ${id}`);
    }
  }

  #judgeDone(row: RowSpec, said: RowSaid, commits: readonly Commit[]): void {
    if (this.#circumstances.touched.has(row.token)) return;
    const told = `${nameOf(row)} said ${said.status}${said.id === undefined ? '' : ` (${said.id})`}`;
    if (row.does === 'delete') {
      const record = storeOf(this.#service, row.kind).get(row.target ?? 0);
      // What a delete of a trip answers is not shown: nobody can tell an empty answer from it.
      const answers = this.#entries.get(row.token) ?? [];
      if (row.kind === 'trip' && answers.some(({ failure }) => failure === 'empty 200')) return;
      if (record && record.Actief !== false && record.DEL !== true) this.#find('lost delete', told);
      return;
    }
    if (row.does === 'count' && said.status === 'unchanged') return;
    const ids =
      row.target === undefined
        ? commits.filter(({ what }) => what === 'created').map(({ id }) => id)
        : [row.target];
    const id = ids.find((one) => one === said.id) ?? ids[0];
    if (id === undefined) this.#find(`lost ${row.kind}`, told);
    else if (said.id !== undefined && row.kind !== 'link' && !ids.includes(said.id)) {
      this.#find('wrong id', `${told}, and is ${ids.join(', ')}`);
    } else {
      this.#judgeKey(row, id, said, told);
      this.#judgeValues(row, id, told);
    }
  }

  /** A service that keeps ExternalID has it, or the row says that it could not be stored yet. */
  #judgeKey({ kind, cells }: RowSpec, id: number, { message }: RowSaid, told: string): void {
    const habit = this.#service.knobs.values.externalId;
    if (cells.ExternalID === undefined || (typeof habit === 'object' ? habit[kind] : habit) !== 'kept')
      return;
    const held = storeOf(this.#service, kind).get(id)?.ExternalID ?? null;
    // A number that loses its digits names no record: the ledger alone may remember it.
    const isNarrow = this.#stored(kind, 'ExternalID', cells.ExternalID) !== cells.ExternalID;
    if (isNarrow || held === cells.ExternalID || message?.includes('ExternalID') === true) return;
    this.#find('key not there', `${told}: ExternalID ${cells.ExternalID} is ${held}`);
  }

  /** Every value of the row is there, as the service's habits make it. */
  #judgeValues(row: RowSpec, id: number, told: string): void {
    const record = storeOf(this.#service, row.kind).get(id);
    if (!record) {
      this.#find(`lost ${row.kind}`, `${told}: ${id} is gone`);
      return;
    }
    this.#judgeKept(row, record, told);
    for (const [name, cell] of Object.entries(row.cells)) {
      if (this.#service.knobs.values.ignored.includes(name)) continue;
      if (cell === null || NOT_VALUES.has(name) || name.includes('.') || name.startsWith('#')) continue;
      // The service makes trips, and no request has their day.
      if (row.kind === 'trip' && name === 'Datum') continue;
      if (storeOf(this.#service, row.kind).kind === 'mutation' && name.startsWith('Geteld')) continue;
      const wanted = [cell, typeof cell === 'string' ? cell.trim() : cell].map((value) =>
        this.#stored(row.kind, name, value),
      );
      const actual = record[name] ?? null;
      // An update that clears what it is not sent leaves nothing, which services mean by zero too.
      const isNone = this.#service.knobs.values.updateClears && actual === null;
      if (isNone && wanted.every((value) => !value)) continue;
      if (!wanted.some((value) => value === actual)) {
        this.#find(
          'value not there',
          `${told}: ${name} ${JSON.stringify(wanted[0])} is ${JSON.stringify(actual)}`,
        );
      }
    }
  }

  /** What the row says nothing of is as it was. */
  #judgeKept(row: RowSpec, record: Readonly<Values>, told: string): void {
    if (row.does !== 'update' || (row.kind !== 'package' && row.kind !== 'recipe')) return;
    for (const [name, value] of Object.entries(KEPT)) {
      if (record[name] === value || record[name] === this.#stored(row.kind, name, value)) continue;
      this.#find('cleared', `${told}: ${name} was ${value}, and is ${record[name]}`);
    }
  }

  #stored(kind: Kind, name: string, value: Value): Value {
    return stored(kind, { [name]: value }, 'update', this.#service.knobs.values)[name] ?? null;
  }

  #judgeUnknown(row: RowSpec, said: RowSaid, commits: readonly Commit[]): void {
    const told = `${nameOf(row)}: ${said.message ?? ''}`;
    const entries = this.#entries.get(row.token) ?? [];
    const isPosting = row.does === 'post' || row.does === 'count';
    // What lists leave out nobody can tell from what is not there.
    if (!isPosting && this.#isHidden()) return;
    if (!isPosting) {
      const there = commits.length > 0 ? 'it is there' : 'it is not there';
      this.#find(`unknown ${row.kind} that could be told`, `${told} (${there})`);
    } else if (entries.length === 0 && this.#service.knobs.answers.keepAlive !== 'silently closed') {
      this.#neverSent.push(told);
    } else if (entries.length > 0 && !entries.some((entry) => this.#isDoubt(entry))) {
      this.#find(
        'unknown though it was answered',
        `${told}: ${entries.map(({ answered }) => answered).join(', ')}`,
      );
    }
  }

  /** Where a field of a lost update is kept otherwise, the others tell no more than a colleague's change would. */
  #isHalfKept({ cells }: RowSpec): boolean {
    const { values } = this.#service.knobs;
    const kept = plainKnobs().values;
    const isOther = STORING.some((knob) => values[knob] !== kept[knob]);
    return isOther || values.ignored.some((field) => cells[field] != null);
  }

  #isHidden(): boolean {
    return !this.#service.knobs.answers.inactiveInLists;
  }

  #isDoubt({ answered, answeredAt = 0, failure }: Entry): boolean {
    if (typeof answered !== 'number' || failure !== undefined) return true;
    return this.#circumstances.kills.some((kill) => Math.abs(kill - answeredAt) < 2000);
  }

  #judgeNotDone(row: RowSpec, said: RowSaid, commits: readonly Commit[]): void {
    const told = `${nameOf(row)} said ${said.status}: ${said.message ?? ''}`;
    const { touched } = this.#circumstances;
    if (touched.has(row.token) || (touched.size > 0 && said.status === 'not sent')) return;
    const { externalIdUnique } = this.#service.knobs.values;
    // A count is a fact of its moment: posted once and said to be, whatever the stock did since.
    if (row.does === 'count' && said.status === 'conflict' && commits.length === 1) return;
    if (row.does === 'update' && said.status === 'conflict' && this.#isHalfKept(row)) return;
    // The event of a link that can't be told is none to link to.
    if (
      row.kind === 'link' &&
      said.status === 'invalid' &&
      said.message?.includes('that is there or can be sent')
    )
      return;
    // What waits for a row of which nobody can tell, or that is left to its user, is not sent, as it says.
    const [, awaited] = /waits for (.+?!\d+),/.exec(said.message ?? '') ?? [];
    const before = this.#said.get(awaited ?? '')?.status;
    if (said.status === 'not sent' && (before === 'unknown' || before === 'conflict')) return;
    // Of a count whose intent alone is there nobody can tell whether the total holds it.
    const isDoubt = row.does === 'count' && said.status === 'conflict' && !this.#entries.has(row.token);
    // It names the record, whose name the program that ended did not read back, or its own request came late.
    const isNamed =
      said.status === 'conflict' &&
      (said.message?.includes('(LMT was') || commits.some(({ id }) => said.message?.includes(`${id}`)));
    const { kills } = this.#circumstances;
    if (isDoubt && kills.length > 0) this.#neverSent.push(told);
    else if (isNamed && kills.length > 0) return;
    else if (commits.some(({ what }) => what === 'created'))
      this.#find(`there, and said ${said.status}`, told);
    else if (externalIdUnique === false || said.status !== 'failed')
      this.#find(`${said.status} for no reason`, told);
  }
}

// What names a record or another, and is no value of its own.
/** Knobs by which a service stores a value otherwise than it was sent. */
const STORING = [
  ...(['rounding', 'floats', 'trim', 'foldBlanks', 'cutAt', 'escapeHtml', 'stripTags'] as const),
  ...(['characters', 'lineEnds', 'normalise', 'upperCase'] as const),
];

const NOT_VALUES = new Set(['ProductID', 'PartijID', 'ExternalID', 'ArrangementID', 'RitID']);

/** The records of a kind. */
export function storeOf(service: SecondService, kind: Kind): SecondService['packages'] {
  const stores: { [K in Kind]?: SecondService['packages'] } = {
    package: service.packages,
    recipe: service.recipes,
    event: service.events,
    link: service.links,
    mutation: service.mutations,
    trip: service.trips,
  };
  return stores[kind] ?? service.packages;
}

/** The number of the row that a request comes from, by what it says; a delete names its record alone. */
function tokenOf(entry: Entry, rows: readonly RowSpec[]): number | undefined {
  const body = (typeof entry.body === 'object' ? entry.body : null) as Values | null;
  if (entry.endpoint.endsWith('.delete')) {
    // A trip is named by the path.
    const id = body?.ProductID ?? Number(entry.path.split('/').at(-1));
    return rows.find(({ does, target }) => does === 'delete' && target === id)?.token;
  }
  if (body === null) return undefined;
  if (entry.endpoint.startsWith('trip')) return rows.find(({ target }) => target === body.RitID)?.token;
  const text = body.OmschrijvingIntern ?? body.PartijOmschrijving ?? body.MutatieReden;
  const [, inText] = /^[A-Z](\d+) /.exec(String(text ?? '')) ?? [];
  if (inText !== undefined) return Number(inText);
  if (entry.endpoint.startsWith('link')) return above(body.Aantal, AMOUNT);
  return above(body.AccountmanagerID, MANAGER) ?? keyed(body.ExternalID, rows);
}

function keyed(key: Value | undefined, rows: readonly RowSpec[]): number | undefined {
  return rows.find(({ cells }) => typeof key === 'number' && cells.ExternalID === key)?.token;
}

function above(value: Value | undefined, base: number): number | undefined {
  return typeof value === 'number' && value > base ? value - base : undefined;
}

function nameOf({ sheet, row, does, token }: RowSpec): string {
  return `${sheet}!${row} (${does} ${token})`;
}

function push<T>(groups: Map<number, T[]>, token: number, one: T): void {
  const group = groups.get(token);
  if (group) group.push(one);
  else groups.set(token, [one]);
}
