import { type Bilingual, composed, t } from '../core/language.ts';
import type { Value, Values } from '../core/value.ts';
import type { Posting, Resend } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, type KeyedResource, LISTED, readExisting } from './existing-record.ts';
import { mayShow } from './locate.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import { findMark, type Mark, madeSince } from './mark.ts';
import type { ContextOf, UnplacedRow } from './planning.ts';
import { storedValues } from './stored-values.ts';
import type { SameField } from './three-way.ts';

/**
 * Remembers, before a create is sent again, what the try of a run sent that was not answered; with `late`
 * what is known to have come of it.
 */
export async function rememberResend(
  { ledger, serviceKey, resource }: ContextOf<Resource>,
  { fingerprint, run, body }: Omit<Resend, 'late'>,
  late: readonly number[] = [],
): Promise<void> {
  await ledger.rememberResend(serviceKey, resource.name, { fingerprint, run, body, late });
}

/** A create that was sent again and went through then. */
export interface SentAgain extends Resend {
  /** The row that sent it again, and what it made. */
  readonly posting: Posting;
}

/** The creates of a resource that were sent again and went through then. */
export async function findSentAgain(context: ContextOf<Resource>): Promise<SentAgain[]> {
  const { ledger, serviceKey, resource } = context;
  const resends = await ledger.findResends(serviceKey, resource.name);
  const names = resends.map(({ fingerprint }) => fingerprint);
  const postings = await ledger.findPostings(serviceKey, resource.name, names);
  return resends.flatMap((resend) => {
    const posting = postings.get(resend.fingerprint);
    return posting?.state === 'done' ? [{ ...resend, posting }] : [];
  });
}

interface Sought extends Omit<SentAgain, 'late'> {
  readonly late: Set<number>;
  readonly mark: Mark | null;
  readonly candidates: Map<number, ExistingRecord>;
}

/** A record that came late. */
interface LateDouble {
  /** Rows with these keys are about it, or about the one that was sent again. */
  readonly keys: readonly string[];
  readonly text: Bilingual;
  /** Else it may be somebody else's. */
  readonly isSure: boolean;
}

/** What is said of a double that stands on no row; one that is sure is a conflict. */
export interface DoubleNote {
  readonly text: Bilingual;
  readonly isSure: boolean;
}

const ofSession = new WeakMap<object, Map<string, Promise<LateDoubles>>>();

/** What a session's reads of a resource told of late doubles so far. */
export function lateDoubles(context: ContextOf<Resource>): Promise<LateDoubles> {
  const { service, resource } = context;
  const all = ofSession.get(service) ?? new Map<string, Promise<LateDoubles>>();
  ofSession.set(service, all);
  const known = all.get(resource.name) ?? LateDoubles.open(context);
  all.set(resource.name, known);
  return known;
}

/** Takes listed records of an export. */
export async function compareListed(
  context: ContextOf<KeyedResource>,
  records: readonly AnswerRecord[],
): Promise<void> {
  const late = await lateDoubles(context);
  if (late.sought.length === 0) return;
  for (const record of records) {
    const existing = readExisting(context.resource, record, LISTED);
    if (existing !== null) late.saw(existing);
  }
}

/** The late doubles that a session read and that stand on no row of it, each said once. */
export async function lateDoubleNotes({ service }: Context): Promise<DoubleNote[]> {
  const notes: DoubleNote[] = [];
  for (const opened of ofSession.get(service)?.values() ?? []) notes.push(...(await (await opened).notes()));
  return notes;
}

/** Whether a record shows the ExternalID that was sent, or what is left of it. */
const isKeyed = (sent: Values[string] | undefined, shown: number | null): boolean =>
  typeof sent === 'number' && mayShow(sent, shown);

/**
 * Compares the records that a session reads anyway with the creates that were sent again: a second one with
 * what was sent is the first try, which arrived after all.
 */
export class LateDoubles {
  /** The creates that were sent again. */
  readonly sought: readonly Sought[];
  readonly #context: ContextOf<Resource>;
  readonly #seen = new Set<number>();
  readonly #doubles = new Map<string, LateDouble>();
  readonly #told = new Set<string>();

  private constructor(context: ContextOf<Resource>, sought: readonly Sought[]) {
    this.#context = context;
    this.sought = sought;
  }

  static async open(context: ContextOf<Resource>): Promise<LateDoubles> {
    const sought: Sought[] = [];
    for (const one of await findSentAgain(context)) {
      const mark = await findMark(context, one.run);
      sought.push({ ...one, late: new Set(one.late), mark, candidates: new Map() });
    }
    if (sought.length > 0) await storedValues(context).load();
    return new LateDoubles(context, sought);
  }

  /** Of the creates that were sent again, those of rows with these names, or whose record has such an id. */
  about(names: ReadonlySet<unknown>): readonly Pick<Sought, 'body' | 'mark'>[] {
    return this.sought.filter(({ fingerprint, posting: { id } }) => names.has(fingerprint) || names.has(id));
  }

  /** Takes a record that was read. */
  saw(record: ExistingRecord): void {
    const { id } = record;
    if (id === null) return;
    for (const one of this.sought) {
      if (one.posting.id === id) this.#seen.add(id);
      else if (this.#mayBeLate(one, record)) one.candidates.set(id, record);
    }
  }

  #mayBeLate({ mark, body }: Sought, record: ExistingRecord): boolean {
    const { resource } = this.#context;
    const hasKey = record.external !== null;
    if (hasKey && !('external' in resource && isKeyed(body[resource.external], record.external)))
      return false;
    const isNew = madeSince(mark, record);
    return (isNew === true || (isNew === null && hasKey)) && this.mayHold(record.values, body);
  }

  /** Whether a record may hold what was sent, as far as it was read. */
  mayHold(values: Readonly<Record<string, Value>>, body: Values): boolean {
    return this.#holds(values, body, storedValues(this.#context).mayBe);
  }

  /** Whether it holds that, or what the service is known to make of it: no colleague's is taken for it. */
  holds(values: Readonly<Record<string, Value>>, body: Values): boolean {
    return this.#holds(values, body, storedValues(this.#context).isAsSeen);
  }

  #holds(values: Readonly<Record<string, Value>>, body: Values, alike: SameField): boolean {
    const { resource } = this.#context;
    const told = Object.entries(body).filter(
      ([field]) => values[field] !== undefined && !resource.keys.includes(field),
    );
    const isDay = (field: string): boolean => 'date' in resource && field === resource.date;
    return (
      told.length > 0 &&
      told.every(([field, sent]) => {
        const held = values[field];
        if (isDay(field) && typeof held === 'string' && typeof sent === 'string')
          return held.slice(0, DAY) === sent.slice(0, DAY);
        return alike(field, held, sent);
      })
    );
  }

  /** Tells which of the records seen so far are doubles: to be asked when the ledger knows what rows made. */
  async settle(): Promise<void> {
    const { ledger, serviceKey, resource } = this.#context;
    for (const one of this.sought) {
      const { late, candidates, posting } = one;
      const own = posting.id;
      if (candidates.size === 0 || own === null || !this.#seen.has(own)) continue;
      const known = await ledger.findKnownIds(serviceKey, resource.name, [...candidates.keys()]);
      const before = late.size;
      for (const [id, { external, values }] of candidates) {
        // What has the row's own ExternalID is no other row's, though the ledger may have met it.
        if (external === null && known.has(id)) continue;
        const keys = [`id:${own}`, `id:${id}`];
        const isSure = external !== null || late.has(id) || this.holds(values, one.body);
        if (isSure) late.add(id);
        const text = isSure ? lateText(resource, posting, id) : guessText(resource, posting, id);
        this.add(`${id}`, { keys, text, isSure });
      }
      candidates.clear();
      if (late.size > before) await rememberResend(this.#context, one, [...late]);
    }
  }

  /** Of records with one ExternalID, those that are no late doubles. */
  readonly inTime = async (ids: readonly (number | null)[]): Promise<readonly (number | null)[]> => {
    await this.settle();
    return ids.filter((id) => !this.#doubles.has(`${id}`));
  };

  /** Takes a double, by its name. */
  add(found: string, double: LateDouble): void {
    this.#doubles.set(found, double);
  }

  /**
   * Makes rows that are about a late double, or about the record beside it, a conflict, but for those that
   * delete it; a warning where it only may be one.
   */
  async warn(planned: readonly UnplacedRow[], rows: readonly MappedRow[]): Promise<void> {
    await this.settle();
    const told = new Set<UnplacedRow>();
    if (this.#doubles.size > 0) for (const [at, one] of planned.entries()) this.#warnOne(one, rows[at], told);
  }

  #warnOne(planned: UnplacedRow, row: MappedRow | undefined, told: Set<UnplacedRow>): void {
    for (const [name, { keys, text, isSure }] of this.#doubles) {
      if (row === undefined || planned.key === null || !keys.includes(planned.key)) continue;
      const isOpen = planned.action === 'unchanged' || planned.action === 'update';
      if (isSure && (planned.action === 'conflict' ? !told.has(planned) : !isOpen)) continue;
      this.#told.add(name);
      if (isSure) {
        const message = told.has(planned) && planned.message !== null ? both(planned.message, text) : text;
        // In place, as the row is the planner's own and not saved yet.
        Object.assign(planned, { action: 'conflict', changes: [], steps: [], message, plain: false });
        told.add(planned);
        continue;
      }
      const { columnOf, resource } = row.mapping;
      const fields = [...resource.keys, ...columnOf.keys()];
      const field = fields.find((one) => columnOf.has(one) && row.values[one] != null) ?? '';
      const found = String(row.values[field] ?? '');
      const issue = issueOn(row, field, { code: 'late-double', found, hint: text });
      // In place, as the row is the planner's own and not saved yet.
      Object.assign(planned, { issues: [...planned.issues, issue] });
    }
  }

  /** The doubles that stand on no row, each said once. */
  async notes(): Promise<DoubleNote[]> {
    await this.settle();
    const { sheet } = this.#context.resource;
    const untold = [...this.#doubles].filter(([found]) => !this.#told.has(found));
    for (const [found] of untold) this.#told.add(found);
    return untold.map(([, { text, isSure }]) => ({
      text: composed([text], ({ en, nl }) => t(`${sheet}: ${en}.`, `${sheet}: ${nl}.`)),
      isSure,
    }));
  }
}

const both = (one: Bilingual, other: Bilingual): Bilingual =>
  composed([one, other], (first, second) => t(`${first.en}; ${second.en}`, `${first.nl}; ${second.nl}`));

/** Of a moment, its day. */
const DAY = 10;

/** Says of a late double (`late`) what it stands beside, and the way to be rid of it. */
export function lateText(resource: Resource, { id: own, run }: Posting, late: number): Bilingual {
  const [id = ''] = resource.keys;
  const deletes = 'remove' in resource.requests;
  const out = deletes
    ? t(
        `catersheet undo ${run} offers to delete ${late}: keep that row alone, and import it with --allow-delete`,
        `catersheet undo ${run} biedt aan ${late} te verwijderen: houd alleen die rij over, en importeer haar met --allow-delete`,
        t(`take back run ${run} to delete ${late}`, `draai run ${run} terug om ${late} te verwijderen`),
      )
    : t(
        `the service can't delete these, so remove ${late} there by hand`,
        `het systeem kan ze niet verwijderen, dus haal ${late} daar met de hand weg`,
      );
  return composed([out], ({ en, nl }) =>
    t(
      `${id} ${late} came late beside ${own}, which run ${run} sent again: ${en}`,
      `${id} ${late} kwam laat naast ${own}, dat run ${run} opnieuw verstuurde: ${nl}`,
    ),
  );
}

/** Says of a record that only may be a late double, as it holds something else, that somebody must look. */
function guessText({ keys: [id = ''] }: Resource, { id: own, run }: Posting, late: number): Bilingual {
  return t(
    `${id} ${late} may have come late beside ${own}, which run ${run} sent again, or be somebody else's: it holds nearly the same, so look at it there`,
    `${id} ${late} is misschien laat gekomen naast ${own}, dat run ${run} opnieuw verstuurde, of is van iemand anders: er staat bijna hetzelfde in, dus kijk er in het systeem naar`,
  );
}
