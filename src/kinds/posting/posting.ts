import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { Value, Values } from '../../core/value.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { postedByEvidence } from '../../records/evidence.ts';
import { addressOf, asksNothing, issueOn, type MappedRow } from '../../records/mapped-row.ts';
import {
  type ContextOf,
  NOTHING_READ,
  onConflictOf,
  type PlannerSetup,
  type PlanRules,
  planInWindows,
  type RowPlanner,
  type UnplacedRow,
  WINDOW,
} from '../../records/planning.ts';
import { doubtfulText } from '../../records/posting-doubt.ts';
import { INVALID, placeDecision, type RowDecision, SKIPPED } from '../../records/row-decision.ts';
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import {
  createFingerprints,
  type Fingerprints,
  findPosted,
  neverSent,
  postStep,
  sentRow,
} from '../../records/sent-before.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { PostingResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import type { Kind } from '../kind.ts';
import { isUndoOf } from '../stock/later-mutations.ts';
import {
  answered,
  checkAction,
  checkRequired,
  createMutationKeys,
  createProducts,
  mutationBody,
  type ProductName,
  productId,
  productNames,
  type StockProduct,
} from '../stock/stock-row.ts';
import {
  createTotals,
  lookAtTotal,
  rememberBefore,
  type StockTotals,
  tellTotals,
} from '../stock/stock-total.ts';
import { isUndoKey, UNDO_MOMENT, UNDO_REASON, undoPosting, undosOf } from '../stock/stock-undo.ts';
import { findCountsAfter } from './counted-after.ts';
import { createKeys, type Keys } from './keys.ts';

/** Stock mutations: posted at most once ever, as the ledger has it. */
export const posting: Kind<PostingResource> = {
  plan(context) {
    const shared = {
      ...context,
      fingerprints: createFingerprints(context),
      keys: createKeys(context),
      mutationKey: createMutationKeys(),
      totals: createTotals(context),
    };
    return { openSheet: (setup) => openPlanner(setup, shared), summary: () => NOTHING_READ };
  },
  foundAgain: () =>
    t(
      'Every row is posted at most once, told apart by #key, else by its content.',
      'Elke rij wordt hooguit één keer geboekt; rijen worden onderscheiden door #key, anders door hun inhoud.',
    ),
  guard: postingGuard,
  undoPosted: undoPosting,
  keyed: true,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ sent }) => sent), alone: false }),
};

type Row = MappedRow<PostingResource>;

interface PostingShared extends ContextOf<PostingResource> {
  readonly fingerprints: Fingerprints;
  readonly keys: Keys;
  /** Names each mutation that will be posted, by its product. */
  readonly mutationKey: (product: StockProduct) => string;
  readonly totals: ReturnType<typeof createTotals>;
}

/** Plans rows that take place anew each time: what the ledger says was posted is not posted again. */
function openPlanner({ references, rules, revise }: PlannerSetup, shared: PostingShared): RowPlanner {
  const productOf = createProducts(references);
  return planInWindows<PostingResource>({ window: WINDOW, begin: shared.keys.saved }, async (rows) => {
    const found = await Promise.all(rows.map((row) => (asksNothing(row) ? null : productOf(row))));
    const namesOf = await productNames(shared, found);
    const named: Pick<KnownRow, 'row' | 'product' | 'called' | 'names'>[] = [];
    for (const [at, row] of rows.entries()) {
      const product = found[at] ?? null;
      const called = namesOf(row, product);
      const names = nameRow(row, called, shared);
      named.push({ row, product, called, names: Array.isArray(names) ? names : await names });
    }
    const revised = await shared.keys.refuse();
    if (revised.length > 0) await revise(revised);
    const sendable = named.filter(({ row }) => row.action !== 'skip' && !stopsRow(row.issues));
    const asked = sendable.flatMap(({ names }) => names);
    const { here, unlessElsewhere } = await findPosted(shared, asked);
    const countAfter = await findCountsAfter(
      shared,
      sendable.flatMap(({ called }) => called),
    );
    const planned: UnplacedRow[] = [];
    for (const one of named) {
      const known = { shared, ...one, posting: here(one.names), countAfter, rules };
      const decision = unlessElsewhere(await decide(known), one.names);
      const posted = known.posting === undefined ? {} : { posted: one.names };
      planned.push(placeDecision(one.row, { ...decision, ...posted }));
    }
    shared.keys.planned(rows, planned);
    return planned;
  });
}

/** Names a row. Skipped and wrong rows are named too: marking one must not rename its equals. */
function nameRow(
  row: Row,
  products: readonly ProductName[],
  { fingerprints, keys }: PostingShared,
): string[] | Promise<string[]> {
  const contents = (products.length === 0 ? [null] : products).map((product) => contentOf(row, product));
  const names =
    row.origin === null || row.reference !== null
      ? contents.map((content) => fingerprints.of(row.reference, content))
      : fingerprints.ofNumbered(contents, row.origin);
  if (asksNothing(row)) return names;
  checkAction(row);
  checkRequired(row);
  checkAmounts(row);
  if (row.reference !== null) keys.take(row, row.reference);
  return names;
}

/** One of the two amounts is required, both are allowed (interface 2.6). */
function checkAmounts(row: Row): void {
  const columns = row.mapping.resource.amounts.map(({ sent }) => sent);
  if (columns.some((name) => answered(row, name))) return;
  const there = columns.filter((name) => row.mapping.columnOf.has(name));
  for (const field of there.length === 0 ? columns.slice(0, 1) : there)
    row.issues.push(issueOn(row, field, { code: 'amount-missing', found: '', hint: columns.join(' / ') }));
}

/** What a row posts, whatever program saved the file: without extra blanks and fractions of seconds. */
function contentOf(row: Row, product: ProductName | null): Values {
  const { resource } = row.mapping;
  const content: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row.values[name];
    if (field.create === 'none' || name === resource.product || value == null) continue;
    content[name] = field.codec.type === 'datetime' ? String(value).slice(0, 19) : plain(value);
  }
  if (product !== null) content[product.field] = product.value;
  return content;
}

function plain(value: Value): Value {
  if (typeof value === 'string') return value.normalize('NFC').replace(/\s+/g, ' ').trim();
  return typeof value === 'number' ? value + 0 : value;
}

interface KnownRow {
  readonly shared: PostingShared;
  readonly row: Row;
  readonly product: StockProduct | null;
  /** The names of the product. */
  readonly called: readonly ProductName[];
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
  readonly posting: Posting | undefined;
  readonly countAfter: Awaited<ReturnType<typeof findCountsAfter>>;
  readonly rules: PlanRules;
}

async function decide(known: KnownRow): Promise<RowDecision> {
  const { shared, row, product, names, posting } = known;
  if (row.action === 'skip') return SKIPPED;
  if (product === null || stopsRow(row.issues)) return INVALID;
  const body = mutationBody(row, product);
  if (posting?.state === 'done') return await posted(known, posting, body);
  if (posting !== undefined && !(await neverSent(shared, posting)))
    return { action: 'unknown', message: await inDoubt(shared, posting, body) };
  const before = postedByEvidence(row);
  if (before !== null) return before;
  const onConflict = onConflictOf(known.rules, row);
  const isUndo = row.reference !== null && isUndoKey(row.reference);
  const cellOf = (field: string): string | null => addressOf(row.mapping, field, row.row);
  const counted =
    isUndo || onConflict === 'mine' ? null : await known.countAfter(known.called, { body, cellOf });
  if (counted !== null)
    return { action: onConflict === 'theirs' ? 'unchanged' : 'conflict', message: counted };
  return {
    action: 'create',
    key: shared.mutationKey(product),
    steps: [postStep(shared.resource.requests.create.name, body, names)],
    needs: 'need' in product ? [product.need] : [],
  };
}

/** The user's `#key` may stand on other values than it was posted with, which must not pass for unchanged. */
async function posted(known: KnownRow, posting: Posting, body: Step['body']): Promise<RowDecision> {
  const { shared, row } = known;
  const { run, at } = posting;
  // Of equal rows each keeps the one that its result names.
  const id = row.evidence?.id ?? posting.id;
  const key = row.reference;
  if (key !== null) {
    const sent = (await sentRow(shared, posting))?.planned;
    const before = sent?.steps[0]?.body;
    const differs = before !== undefined && !(await same(known, before, body));
    if (isUndoKey(key)) return await takenBack(shared, posting, sent, differs);
    const message = t(
      `#key ${key} was posted in run ${run} on ${shownMinute(at).en} with other values; what was posted can't be changed, post the difference under a #key of its own`,
      `#key ${key} is in run ${run} op ${shownMinute(at).nl} geboekt met andere waarden; wat geboekt is kan niet veranderen, boek het verschil onder een eigen #key`,
    );
    if (differs) return { action: 'conflict', id, message };
  }
  shared.log.debug({ resource: shared.resource.name, run }, 'posted before');
  const message = t(
    `posted before, in run ${run} on ${shownMinute(at).en}; give the row a #key of its own to post it once more`,
    `al eerder geboekt, in run ${run} op ${shownMinute(at).nl}; geef de rij een eigen #key om het nog eens te boeken`,
  );
  return { action: 'unchanged', id, message };
}

/** Whether two bodies post the same; when and why a row takes another one back are not the user's. */
async function same({ shared, row }: KnownRow, a: Step['body'], b: Step['body']): Promise<boolean> {
  const { resource } = shared;
  const madeUp = row.reference !== null && isUndoKey(row.reference) ? [UNDO_MOMENT, UNDO_REASON] : [];
  const apart: readonly string[] = [resource.product, ...madeUp];
  const names = new Set([...Object.keys(a), ...Object.keys(b)].filter((name) => !apart.includes(name)));
  if ([...names].some((name) => (a[name] ?? null) !== (b[name] ?? null))) return false;
  const ids = await Promise.all([a, b].map((body) => productId(shared, body)));
  return ids[0] === ids[1];
}

async function inDoubt(shared: PostingShared, posting: Posting, body: Step['body']): Promise<Bilingual> {
  const product = await productId(shared, body);
  if (product === null) return await doubtfulText(shared, posting);
  const now = await shared.totals(product, true).catch((error: unknown): StockTotals | null => {
    // The total is only told: the rest is planned without it.
    if (error instanceof RequestError) return null;
    throw error;
  });
  const told = await tellTotals(shared, { run: posting.run, product }, body, now);
  return await doubtfulText(shared, posting, told);
}

/**
 * Decides a row that takes another one back and was posted before: it is taken back already, unless that was
 * undone in its turn; then the undo of that undo takes it back again. `differs`: it would post other amounts.
 */
async function takenBack(
  shared: PostingShared,
  posting: Posting,
  sent: PlannedRow | undefined,
  differs: boolean,
): Promise<RowDecision> {
  const { id, run, at } = posting;
  const otherwise = t(
    `already taken back in run ${run} on ${shownMinute(at).en}, by another amount than stands here; book the difference as an ordinary mutation if it is meant`,
    `al teruggedraaid in run ${run} op ${shownMinute(at).nl}, met een ander aantal dan hier staat; boek het verschil als gewone mutatie als dat de bedoeling is`,
  );
  if (differs) return { action: 'conflict', id, message: otherwise };
  const undos = sent === undefined ? [] : await undosOf(shared, posting, sent);
  const last = undos.at(-1)?.run;
  if (last === undefined || undos.length % 2 === 0) {
    const message = t(
      `already taken back in run ${run} on ${shownMinute(at).en}`,
      `al teruggedraaid in run ${run} op ${shownMinute(at).nl}`,
    );
    return { action: 'unchanged', id, message };
  }
  const message = t(
    `taken back in run ${run}, and that was undone in run ${last}: catersheet undo ${last} takes it back again`,
    `teruggedraaid in run ${run}, en dat is ongedaan gemaakt in run ${last}: catersheet undo ${last} draait het weer terug`,
    t(
      `taken back in run ${run}, and that was undone in run ${last}: take back run ${last} to take it back again`,
      `teruggedraaid in run ${run}, en dat is ongedaan gemaakt in run ${last}: draai run ${last} terug om het weer terug te draaien`,
    ),
  );
  return { action: 'conflict', id, message };
}

/**
 * Notes each product's total once, before the run posts on it: nothing else tells whether a posting took
 * effect.
 */
function postingGuard(context: GuardSetup<PostingResource>): RowGuard {
  const { run } = context;
  const note = askedOnce((product: number) => rememberBefore(context, { run, product }));
  const countsOf = askedOnce((product: number) => findCountsAfter(context, [nameOf(product)]));
  const nameOf = (value: number): ProductName => ({ field: context.resource.product, value });
  return {
    ...UNGUARDED,
    async check({ steps: [step] }) {
      const product = await productId(context, step?.body ?? {});
      if (product === null || step === undefined) return null;
      await note(product);
      // What was counted before the plan was made, the plan knows.
      const began = isUndoOf(step.fingerprint ?? '') ? undefined : await context.ledger.findRun(run);
      const held = { body: step.body, cellOf: () => null, since: began };
      const counted = began === undefined ? null : await (await countsOf(product))([nameOf(product)], held);
      return counted === null ? null : { message: counted };
    },
    async describeDoubt({ body }) {
      const product = await productId(context, body);
      if (product === null) return null;
      const now = await lookAtTotal(context, product);
      return await tellTotals(context, { run, product }, body, now);
    },
  };
}
