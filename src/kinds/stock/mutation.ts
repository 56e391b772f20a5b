import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import { shownMinute, shownMoment } from '../../core/shown-moment.ts';
import type { Value, Values } from '../../core/value.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { postedByEvidence } from '../../records/evidence.ts';
import { asksNothing, type MappedRow } from '../../records/mapped-row.ts';
import {
  NOTHING_READ,
  onConflictOf,
  type PlannerSetup,
  planInWindows,
  type RowPlanner,
  type RunOf,
  type UnplacedRow,
  WINDOW,
} from '../../records/planning.ts';
import { doubtfulText } from '../../records/posting-doubt.ts';
import { INVALID, placeDecision, type RowDecision, SKIPPED } from '../../records/row-decision.ts';
import { type GuardSetup, type RowGuard, UNGUARDED } from '../../records/row-guard.ts';
import {
  byReference,
  createFingerprints,
  findPosted,
  hashOf,
  postStep,
  sentRow,
} from '../../records/sent-before.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import type { PostingResource } from '../../schema/resource.ts';
import type { Kind } from '../kind.ts';
import {
  BOOKS,
  beforeText,
  countsFrom,
  isFree,
  isUnclear,
  keyOf,
  momentText,
  movingStep,
  namesOf,
  plannedFacts,
  readHistories,
  rememberBefore,
  type StockFact,
  takenBackBy,
  toldSince,
} from './history.ts';
import {
  checkAction,
  checkAmountGiven,
  checkRequired,
  createMutationKeys,
  createOnlyOnce,
  createProducts,
  mutationBody,
  type ProductName,
  productId,
  productNames,
  type StockProduct,
} from './products.ts';
import { amountText, toMicros } from './total.ts';
import { MOMENT, readUndoKey, UNDO_REASON, undoPosting } from './undo.ts';

/** Stock mutations: posted at most once ever, as the ledger has it. */
export const mutation: Kind<PostingResource> = {
  plan(context) {
    const shared = {
      ...context,
      fingerprints: createFingerprints(context),
      keys: createOnlyOnce(context, 'key-twice'),
      mutationKey: createMutationKeys(),
    };
    return { openSheet: (setup) => openPlanner(setup, shared), summary: () => NOTHING_READ };
  },
  foundAgain: () =>
    t(
      'Every row is posted at most once, told apart by #key, else by its content.',
      'Elke rij wordt hooguit één keer geboekt; rijen worden onderscheiden door #key, anders door hun inhoud.',
    ),
  guard: mutationGuard,
  undoPosted: undoPosting,
  keyed: true,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ sent }) => sent), alone: false }),
};

type Row = MappedRow<PostingResource>;

interface Mutations extends RunOf<PostingResource> {
  readonly fingerprints: ReturnType<typeof createFingerprints>;
  readonly keys: ReturnType<typeof createOnlyOnce>;
  /** Names each mutation that will be posted, by its product. */
  readonly mutationKey: (product: StockProduct) => string;
}

interface NamedRow {
  readonly row: Row;
  readonly product: StockProduct | null;
  /** The names of the product. */
  readonly products: readonly ProductName[];
  /** The name it is posted under, and those under which it may have been. */
  readonly names: readonly string[];
}

/** Plans rows that take place anew each time: what the ledger says was posted is not posted again. */
function openPlanner({ references, rules, revise }: PlannerSetup, shared: Mutations): RowPlanner {
  const productOf = createProducts(references);
  return planInWindows<PostingResource>({ window: WINDOW, begin: shared.keys.saved }, async (rows) => {
    const found = await Promise.all(rows.map((row) => (asksNothing(row) ? null : productOf(row))));
    const productsOf = await productNames(shared, found);
    const named: NamedRow[] = [];
    for (const [at, row] of rows.entries()) {
      const product = found[at] ?? null;
      const products = productsOf(row, product);
      const names = nameRow(row, products, shared);
      named.push({ row, product, products, names: Array.isArray(names) ? names : await names });
    }
    const revised = await shared.keys.refuse();
    if (revised.length > 0) await revise(revised);
    const sendable = named.filter(({ row }) => row.action !== 'skip' && !stopsRow(row.issues));
    const { here, unlessElsewhere } = await findPosted(
      shared,
      sendable.flatMap(({ names }) => names),
    );
    const historyOf = await readHistories(
      shared,
      sendable.flatMap(({ products }) => products.map(keyOf)),
      ['count'],
    );
    const decide = async (one: NamedRow): Promise<RowDecision> => {
      const { row, product, products, names } = one;
      if (row.action === 'skip') return SKIPPED;
      if (product === null || stopsRow(row.issues)) return INVALID;
      const step = stepOf(one, product, shared.resource);
      const posting = here(names);
      if (posting !== undefined && !(await isFree(shared, posting))) {
        const isSame = here(names.slice(1)) !== undefined;
        return { ...(await posted(shared, one, posting, isSame)), posted: namesOf(step) };
      }
      const before = postedByEvidence(row);
      if (before !== null) return before;
      const onConflict = onConflictOf(rules, row);
      const message =
        onConflict === 'mine' ? null : await countedText(shared, step, historyOf(products.map(keyOf)).counts);
      if (message !== null) return { action: onConflict === 'theirs' ? 'unchanged' : 'conflict', message };
      const needs = 'need' in product ? [product.need] : [];
      const decision: RowDecision = {
        action: 'create',
        key: shared.mutationKey(product),
        steps: [step],
        needs,
      };
      return unlessElsewhere(decision, names);
    };
    const planned: UnplacedRow[] = [];
    for (const one of named) planned.push(placeDecision(one.row, await decide(one)));
    shared.keys.planned(rows, planned);
    return planned;
  });
}

/** Names a row. Skipped and wrong rows are named too: marking one must not rename its equals. */
function nameRow(row: Row, products: readonly ProductName[], { fingerprints, keys, resource }: Mutations) {
  const contents = (products.length === 0 ? [null] : products).map((product) => contentOf(row, product));
  const key = readUndoKey(row.reference)?.name ?? row.reference;
  if (!asksNothing(row)) {
    checkAction(row);
    checkRequired(row);
    checkAmountGiven(
      row,
      resource.amounts.map(({ sent }) => sent),
    );
    if (key !== null) keys.take(row, key, { field: '#key', found: key });
  }
  // The content goes along with the key: on other values it must not pass for posted.
  if (key !== null)
    return [byReference(key), ...contents.map((content) => `${byReference(key)}=${hashOf(content)}`)];
  if (row.origin !== null) return fingerprints.ofNumbered(contents, row.origin);
  return contents.map((content) => fingerprints.of(null, content));
}

/** What a row posts, whatever program saved the file: without extra blanks and fractions of seconds. */
function contentOf(row: Row, product: ProductName | null): Values {
  const { resource } = row.mapping;
  // When and why a row takes another one back are not the user's.
  const madeUp: readonly string[] = readUndoKey(row.reference) === null ? [] : [MOMENT, UNDO_REASON];
  const content: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row.values[name];
    if (field.create === 'none' || name === resource.product || value == null || madeUp.includes(name))
      continue;
    content[name] = field.codec.type === 'datetime' ? momentText(value) : plain(value);
  }
  if (product !== null) content[product.field] = product.value;
  return content;
}

function plain(value: Value): Value {
  if (typeof value === 'string') return value.normalize('NFC').replace(/\s+/g, ' ').trim();
  return typeof value === 'number' ? value + 0 : value;
}

function stepOf(
  { row, products, names }: NamedRow,
  product: StockProduct,
  { requests, amounts }: PostingResource,
): Step {
  const moment = readUndoKey(row.reference)?.moment ?? momentText(row.values[MOMENT]);
  const moved = amounts.flatMap(({ sent: column }) => {
    const micros = toMicros(row.values[column]);
    return micros === null ? [] : [{ moment, column, micros }];
  });
  return movingStep(postStep(requests.create.name, mutationBody(row, product), names), products, moved);
}

/** What was posted before is not posted again; `isSame`: with the values that the row has now. */
async function posted(
  shared: Mutations,
  { row }: NamedRow,
  posting: Posting,
  isSame: boolean,
): Promise<RowDecision> {
  const { run, at } = posting;
  // Of equal rows each keeps the one that its result names.
  const id = row.evidence?.id ?? posting.id;
  const key = row.reference;
  if (posting.state === 'sending') {
    const before = await beforeText(
      shared,
      run,
      (await sentRow(shared, posting))?.planned.steps[0]?.body ?? {},
    );
    return { action: 'unknown', message: await doubtfulText(shared, posting, before) };
  }
  if (key !== null && !isSame) {
    const message = t(
      `#key ${key} was posted in run ${run} on ${shownMinute(at).en} with other values; what was posted can't be changed, post the difference under a #key of its own`,
      `#key ${key} is in run ${run} op ${shownMinute(at).nl} geboekt met andere waarden; wat geboekt is kan niet veranderen, boek het verschil onder een eigen #key`,
    );
    return { action: 'conflict', id, message };
  }
  if (readUndoKey(key) === null) {
    const message = t(
      `posted before, in run ${run} on ${shownMinute(at).en}; give the row a #key of its own to post it once more`,
      `al eerder geboekt, in run ${run} op ${shownMinute(at).nl}; geef de rij een eigen #key om het nog eens te boeken`,
    );
    return { action: 'unchanged', id, message };
  }
  const undone = await takenBackBy(shared, posting);
  const message = t(
    `already taken back in run ${run} on ${shownMinute(at).en}`,
    `al teruggedraaid in run ${run} op ${shownMinute(at).nl}`,
  );
  if (undone === undefined) return { action: 'unchanged', id, message };
  return {
    ...{ action: 'conflict', id },
    message: t(
      `taken back in run ${run}, and that was undone in run ${undone}: catersheet undo ${undone} takes it back again`,
      `teruggedraaid in run ${run}, en dat is ongedaan gemaakt in run ${undone}: catersheet undo ${undone} draait het weer terug`,
      t(
        `taken back in run ${run}, and that was undone in run ${undone}: take back run ${undone} to take it back again`,
        `teruggedraaid in run ${run}, en dat is ongedaan gemaakt in run ${undone}: draai run ${undone} terug om het weer terug te draaien`,
      ),
    ),
  };
}

/** Why a mutation is not posted: what was on the shelf at its moment or later is known to have been counted. */
async function countedText(
  context: Mutations | GuardSetup<PostingResource>,
  step: Step,
  counts: readonly StockFact[],
): Promise<Bilingual | null> {
  const when = plannedFacts(step).moves[0]?.moment ?? BOOKS;
  // An undo of a whole run takes its counts back too.
  const undone = readUndoKey(step.fingerprint?.slice(byReference('').length) ?? null)?.name.split(' ')[1];
  const after = counts.filter(
    ({ moment, posting }) =>
      when !== BOOKS && posting.run !== undone && (moment >= when || isUnclear(moment, when)),
  );
  const { later } = await countsFrom(context, after, '');
  if (later === undefined) return null;
  const { moment, column, micros, posting } = later;
  const [en, nl] = [
    `${column} ${amountText(micros).en} was counted on ${shownMoment(moment).en} (run ${posting.run}), which may hold this mutation of ${shownMoment(when).en} already. Is it of after the count: correct DatumTijd, with its time`,
    `${column} ${amountText(micros).nl} is geteld op ${shownMoment(moment).nl} (run ${posting.run}), en daar kan deze mutatie van ${shownMoment(when).nl} al in zitten. Is hij van na de telling: verbeter DatumTijd, met de tijd erbij`,
  ];
  return t(
    `${en}. --on-conflict mine posts it all the same, theirs leaves it`,
    `${nl}. --on-conflict mine boekt hem toch, theirs laat hem weg`,
    t(en, nl),
  );
}

/** Notes each product's total before the run first posts on it, and asks for counts that were told since the plan. */
function mutationGuard(context: GuardSetup<PostingResource>): RowGuard {
  const { run } = context;
  const note = askedOnce((product: number) => rememberBefore(context, { run, product }));
  return {
    ...UNGUARDED,
    async check({ steps: [step] }) {
      const product = await productId(context, step?.body ?? {});
      if (product === null || step === undefined) return null;
      await note(product);
      const { products } = plannedFacts(step);
      const { counts } = (await readHistories(context, products, ['count']))(products);
      const isNew = await toldSince(context, run);
      const message = await countedText(context, step, counts.filter(isNew));
      return message && { message };
    },
    describeDoubt: ({ body }) => beforeText(context, run, body),
  };
}
