import { foldName } from '../../core/header.ts';
import { type Issue, issueAt, stopsRow } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-catalogue.ts';
import { type Bilingual, composed, t, withFlag } from '../../core/language.ts';
import type { PlannedRow, Step } from '../../core/plan.ts';
import { shownMinute, shownMoment } from '../../core/shown-moment.ts';
import type { Value, Values } from '../../core/value.ts';
import { eachRow, type Posting } from '../../ledger/ledger.ts';
import { plainValues } from '../../records/existing-record.ts';
import { addressOf, asksNothing, bothRowsText, rowPlaceText } from '../../records/mapped-row.ts';
import {
  INVALID,
  type OnConflict,
  onConflictOf,
  type PlannerSetup,
  placeDecision,
  planInWindows,
  type ResourcePlanning,
  type RevisedRow,
  type RowDecision,
  type RunOf,
  refusedRow,
  rowName,
  SKIPPED,
  type UnplacedRow,
  unsentRow,
} from '../../records/planning.ts';
import { referredId } from '../../records/references.ts';
import type { GuardSetup, RowGuard } from '../../records/row-guard.ts';
import {
  byReference,
  createNaming,
  doubtfulText,
  findPosted,
  hashOf,
  postedByEvidence,
  postStep,
} from '../../records/sent-before.ts';
import { cannot, NO_ID, type UndoneRecord, type UndoTools } from '../../records/undo.ts';
import type { PostingResource } from '../../schema/resource.ts';
import { checkAsked } from '../command-rows.ts';
import { type Kind, ofKind } from '../kind.ts';
import { refuseParent } from '../row-parent.ts';
import { createProducts } from './articles.ts';
import {
  BOOKS,
  countsFrom,
  isUnclear,
  momentText,
  plannedFacts,
  plannedParts,
  readHistories,
  readUndoKey,
  type StockFact,
  stockName,
  takenBackBy,
  undoKey,
} from './history.ts';
import {
  amountText,
  checkAmountGiven,
  createMutationKeys,
  mutationBody,
  productNames,
  type StockProduct,
  type StockResource,
  type StockRow,
  toMicros,
} from './products.ts';

/** Stock mutations: posted at most once ever, as the ledger has it. */
export const mutation: Kind<PostingResource> = {
  plan: (context) => planStock(context, openMutations(context)),
  guard: (setup) => guardStock(setup, openMutations(setup)),
  foundAgain: () =>
    t(
      'Every row is posted at most once, told apart by #key, else by its content.',
      'Elke rij wordt hooguit één keer geboekt; rijen worden onderscheiden door #key, anders door hun inhoud.',
    ),
  undoPosted: undoPosting,
  keyed: true,
  amounts: ({ amounts }) => ({ columns: amounts.map(({ sent }) => sent), alone: false }),
};

function openMutations(context: RunOf<PostingResource>): Way {
  const { resource } = context;
  const columns = resource.amounts.map(({ sent }) => sent);
  const nameContent = createNaming();
  const keyOf = createMutationKeys();
  return {
    ...{ twice: 'key-twice', kinds: ['count'], unasked },
    read({ row, products }, end, { rules }) {
      const undo = readUndoKey(row.reference);
      const key = undo?.name ?? row.reference;
      if (end === undefined) {
        checkAsked(row, resource.product);
        checkAmountGiven(row, columns);
      }
      const all = (products.length === 0 ? [null] : products).map((one) => contentOf(row, one));
      // Skipped and wrong rows are named too: marking one must not rename its equals.
      const own = key !== null ? [byReference(key)] : all.map((content) => nameContent(null, content));
      const [name = ''] = own;
      const contents = key === null ? own : all.map((content) => `${name}=${hashOf(content)}`);
      const moment = undo?.moment ?? momentText(row.values[MOMENT]);
      const moves = columns.flatMap((column) => {
        const micros = toMicros(row.values[column]);
        if (micros === null) return [];
        return products.map((one) => stockName(one, { kind: 'move', moment, column, micros }, name));
      });
      const names = [...new Set([...own, ...contents, ...moves])];
      return {
        ...{ names, contents, end },
        said: key === null || end !== undefined ? null : { name: key, field: '#key', found: key },
        async decide(product, history) {
          const before = postedByEvidence(row);
          if (before !== null) return before;
          const onConflict = onConflictOf(rules, row);
          const step = postStep(resource.requests.create.name, mutationBody(row, product), names);
          const message = onConflict === 'mine' ? null : await countedText(context, step, history);
          if (message !== null) return leftOpen(onConflict, message);
          const needs = 'need' in product ? [product.need] : [];
          return { action: 'create', key: keyOf(products[0] ?? ''), steps: [step], needs };
        },
      };
    },
    check: async ({ steps: [step] }, _product, _history, told) =>
      step === undefined ? null : await countedText(context, step, told),
  };
}

/** What a row posts, whatever program saved the file: without extra blanks and fractions of seconds. */
function contentOf({ values, reference, mapping: { resource } }: StockRow, product: string | null): Values {
  // When and why a row takes another one back are not the user's.
  const madeUp = readUndoKey(reference) === null ? [] : [MOMENT, REASON];
  const content: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = values[name];
    const isLeftOut = field.create === 'none' || name === resource.product || madeUp.includes(name);
    if (isLeftOut || value == null) continue;
    const text = field.codec.type === 'datetime' ? momentText(value) : value;
    content[name] = typeof text === 'string' ? text.normalize('NFC').replace(/\s+/g, ' ').trim() : text;
  }
  const [field = '', id] = product?.split(':') ?? [];
  if (id !== undefined) content[field] = Number(id);
  return content;
}

/** Why a mutation is not posted: what was on the shelf at its moment or later is known to have been counted. */
async function countedText(
  context: RunOf<PostingResource>,
  step: Step,
  history: readonly StockFact[],
): Promise<Bilingual | null> {
  const { moment: when = BOOKS } = plannedFacts(step).moves[0] ?? {};
  // An undo of a whole run takes its counts back too.
  const [, undone] = /^key:undo (\S+)/.exec(step.fingerprint ?? '') ?? [];
  const after = history.filter(
    ({ moment, posting }) =>
      when !== BOOKS && posting.run !== undone && (moment >= when || isUnclear(moment, when)),
  );
  const { later } = await countsFrom(context, after, '');
  if (later === undefined) return null;
  const { moment, column, micros, posting } = later;
  return openText(
    `${column} ${amountText(micros).en} was counted on ${shownMoment(moment).en} (run ${posting.run}), which may hold this mutation of ${shownMoment(when).en} already. Is it of after the count: correct DatumTijd, with its time`,
    `${column} ${amountText(micros).nl} is geteld op ${shownMoment(moment).nl} (run ${posting.run}), en daar kan deze mutatie van ${shownMoment(when).nl} al in zitten. Is hij van na de telling: verbeter DatumTijd, met de tijd erbij`,
  );
}

/** A row as it is planned, with the product that it is about and the names of that. */
interface FoundRow {
  readonly row: StockRow;
  readonly product: StockProduct | null;
  readonly products: readonly string[];
}

/** What a row says. */
interface ReadRow {
  /** The name it is posted under, and all others by which it may be known. */
  readonly names?: readonly string[];
  /** Those of them that hold what it says: where none is known and its `#key` is, that was with other values. */
  readonly contents?: readonly string[];
  readonly said?: Said | null;
  /** What becomes of a row that posts nothing. */
  readonly end?: RowDecision | undefined;
  /** Decides a row that was not posted before; absent for one that says nothing, or not what it takes. */
  decide?(product: StockProduct, history: readonly StockFact[]): Promise<RowDecision>;
}

/** What only one row of a run may say, by a name, and the field in which it says so. */
interface Said {
  readonly name: string;
  readonly field: string;
  readonly found: string;
  /** What several may say, each of a place of its own: these are added up. */
  readonly place?: string | null;
  /** It may be said of its place several times: what is counted there is added up too. */
  readonly repeats?: boolean;
  /** How it was counted, which is the same in all of them; null for a row that counts nothing there. */
  readonly like?: string | null;
}

/** The two ways to say how much stock moves: by that itself, and by what was counted. */
export interface Way {
  /** The issue of two rows that say the same. */
  readonly twice: IssueCode;
  /** What is to be known of the products. */
  readonly kinds: readonly StockFact['kind'][];
  /** What becomes of a row that asks for nothing. */
  unasked(row: StockRow): RowDecision | undefined;
  read(found: FoundRow, end: RowDecision | undefined, setup: PlannerSetup): ReadRow;
  /** Why a row may not be sent after all; `told`: the counts that other runs told since the plan. */
  check(
    planned: PlannedRow,
    product: number,
    history: readonly StockFact[],
    told: readonly StockFact[],
  ): Promise<Bilingual | null>;
}

/** What becomes of a row that is marked, or can't be read at all. */
export const unasked = (row: StockRow): RowDecision | undefined =>
  asksNothing(row) ? (row.action === 'skip' ? SKIPPED : INVALID) : undefined;

/** Plans rows that take place anew each time: what the ledger says was posted is not posted again. */
export function planStock(
  context: RunOf<StockResource>,
  { twice, kinds, unasked, read }: Way,
): ResourcePlanning {
  const { resource } = context;
  const once = createOnlyOnce(context, twice);
  return {
    settle: once.settle,
    openSheet(setup) {
      const parentOf = createProducts(context, setup);
      const productOf = async (row: StockRow): Promise<StockProduct | null> => {
        const isIdle = unasked(row) !== undefined || stopsRow(row.issues);
        // Equal mutations are told apart by how many there are: one that is marked or wrong is one of them. So is a
        // place that lacks in the sum of a product.
        const isTold =
          resource.kind === 'count'
            ? row.values[resource.place] != null || stopsRow(row.issues)
            : row.reference === null;
        if (isIdle && !isTold) return null;
        const found = await parentOf(row);
        if (!('code' in found)) return found;
        if (!isIdle) refuseParent(row, found);
        return null;
      };
      return planInWindows({}, async (given) => {
        const rows = given as readonly StockRow[];
        const found = await Promise.all(rows.map(productOf));
        const productsOf = await productNames(context, found);
        const reads: (FoundRow & ReadRow)[] = [];
        for (const [at, row] of rows.entries()) {
          const product = found[at] ?? null;
          const one = { row, product, products: productsOf(row, product) };
          reads.push({ ...one, ...read(one, unasked(row), setup) });
        }
        // Here the rows of one product meet.
        for (const { row, said } of reads) if (said != null) once.take(row, said);
        const sendable = reads.filter(({ row, end }) => end === undefined && !stopsRow(row.issues));
        const all = (of: 'names' | 'products'): string[] => sendable.flatMap((one) => one[of] ?? []);
        const { here, unlessElsewhere } = await findPosted(context, all('names'));
        const historyOf = await readHistories(context, all('products'), kinds);
        const decided = reads.map(async (one) => {
          const { row, said, product, products, names = [], contents = names, end, decide } = one;
          // A page checks the rows of one product together.
          const key = resource.kind === 'count' ? said?.name : undefined;
          const place = (decision: RowDecision) =>
            placeDecision(row, decision, key === undefined ? {} : { key });
          if (end !== undefined) return place(end);
          if (product === null || decide === undefined || stopsRow(row.issues)) return place(INVALID);
          const posting = await here(names);
          if (posting === undefined) {
            const planned = place(unlessElsewhere(await decide(product, historyOf(products)), names));
            const held = setup.held.hold(planned, row, null);
            if (held !== planned && said?.place != null) once.alone(planned);
            return held;
          }
          const isSame = (await here(contents)) !== undefined;
          return place(await decidePosted(context, row, names, posting, isSame));
        });
        return await Promise.all(decided);
      });
    },
  };
}

/** So many places of one product are added up. */
export const MOST_PLACES = 24;

/**
 * Refuses the rows of a run, on all sheets, that say what only one of them may say, such as a `#key` or the
 * count of a product: nobody can tell which of them is meant. Counts of several places are one: each row was planned
 * on the sum up to there, so the last one holds.
 */
function createOnlyOnce({ ledger, run }: RunOf<StockResource>, code: IssueCode) {
  type Place = Pick<PlannedRow, 'sheet' | 'row'>;
  type Sayer = Said & Place & { readonly address: string | null };
  interface Group {
    readonly all: Sayer[];
    at?: Map<string, Sayer>;
    clash?: readonly [Sayer, Sayer];
  }
  const groups = new Map<string, Group>();
  const alone = new Map<string, UnplacedRow>();
  const placeIn = ({ place }: Said): string => foldName(place ?? '');
  const issueOf = (own: Sayer, [one, other]: readonly [Place, Place]): Issue =>
    issueAt({ code, found: own.found, hint: bothRowsText(one, other) }, own);
  return {
    /** Takes what a row says; one that says it too is refused in the end. */
    take({ mapping, row, issues }: StockRow, said: Said): void {
      const own = { ...said, sheet: mapping.sheet, row, address: addressOf(mapping, said.field, row) };
      const group = groups.get(said.name);
      if (group === undefined) {
        groups.set(said.name, { all: [own] });
        return;
      }
      const at =
        group.at ?? new Map(group.all.flatMap((one) => (one.like === null ? [] : [[placeIn(one), one]])));
      group.at = at;
      group.all.push(own);
      if (own.like === null) return;
      const [first] = at.values();
      const isApart = (one: Sayer): boolean =>
        own.place == null || one.place == null || one.like !== own.like || at.size >= MOST_PLACES;
      const there = at.get(placeIn(own));
      const again = own.repeats && there?.repeats ? undefined : there;
      const other = first !== undefined && isApart(first) ? first : again;
      if (other === undefined) at.set(placeIn(own), own);
      else {
        group.clash = [other, own];
        issues.push(issueOf(own, group.clash));
      }
    },
    /** Takes a row that says more, or is refused, as it was held against rules: they are for the sum. */
    alone: (planned: UnplacedRow): void => void alone.set(rowName(planned), planned),
    async settle(): Promise<RevisedRow[]> {
      const shared = new Map<string, readonly [Group, Sayer]>();
      for (const group of groups.values())
        if (group.all.length > 1) for (const one of group.all) shared.set(rowName(one), [group, one]);
      const revised: RevisedRow[] = [];
      const sums = new Map<Group, Added[]>();
      for await (const { planned: was } of shared.size === 0 ? [] : eachRow(ledger, run)) {
        const [group, own] = shared.get(rowName(was)) ?? [];
        if (group === undefined || own === undefined) continue;
        const rows = sums.get(group) ?? [];
        if (group.clash === undefined)
          sums
            .set(group, rows)
            .get(group)
            ?.push([own, was, alone.get(rowName(was))]);
        else if (own.like !== null && !was.issues.some((issue) => issue.code === code))
          revised.push({ was, now: refusedRow(was, [issueOf(own, group.clash)]) });
      }
      groups.clear();
      return [...revised, ...[...sums.values()].flatMap(addedUp)];
    },
  };
}

/** A row of a product: what it says, as it was planned, and before it was held against rules where these said something. */
type Added = readonly [said: Said, was: PlannedRow, alone: UnplacedRow | undefined];

/** Makes one posting of the counts of a product in several places: of the first row, by what the last was planned as. */
function addedUp(rows: readonly Added[]): RevisedRow[] {
  const end = rows.findLastIndex(([{ like }]) => like !== null);
  const all = rows.map(([said, was, alone], at) => {
    const row = alone === undefined || at === end ? was : { ...was, ...alone, seq: was.seq };
    return { said, was, row, counts: said.like !== null && row.action !== 'invalid' };
  });
  const counted = all.filter(({ counts }) => counts);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const known = new Set(plannedParts(last.row).map(({ place }) => foldName(place)));
  const lacking = all.find(
    ({ said, row, counts }) =>
      !counts && (row.action === 'invalid' || !known.has(foldName(said.place ?? ''))),
  );
  if (lacking !== undefined)
    return counted.map(({ was, row }) => {
      return { was, now: untold(unsentRow(row, 'conflict', lackingText(lacking.row, was))) };
    });
  if (first === last) return [];
  const { action, message } = last.row;
  const { seq, sheet, row: number, issues, about } = first.row;
  return counted.map(({ was, row }) => {
    if (row === first.row)
      return { was, now: { ...last.row, seq, sheet, row: number, issues, ...(about && { about }) } };
    if (action !== 'create') return { was, now: untold(unsentRow(row, action, message)) };
    return { was, now: untold(unsentRow(row, 'skip', message && postedWithText(first.row, was, message))) };
  });
}

/** Of a row that posts nothing of its own. */
const untold = ({ posted: _, fact: __, ...row }: PlannedRow): PlannedRow => row;

const postedWithText = (first: PlannedRow, { sheet }: PlannedRow, sum: Bilingual): Bilingual => {
  const { en, nl } = rowPlaceText(first, sheet);
  return composed([sum], (told) =>
    t(
      `${told.en}; counted along with ${en}: see there what became of it`,
      `${told.nl}; telt mee in ${nl}: zie daar wat ervan geworden is`,
    ),
  );
};

const lackingText = (lacking: PlannedRow, { sheet }: PlannedRow): Bilingual => {
  const { en, nl } = rowPlaceText(lacking, sheet);
  if (lacking.action === 'invalid')
    return t(
      `not posted, as ${en} is of the same product and is invalid: correct what is wrong there`,
      `niet geboekt, want ${nl} gaat over hetzelfde product en is ongeldig: verbeter wat daar fout is`,
    );
  return t(
    `not posted, as ${en} is of the same product, and is not counted: fill in what is there, 0 for nothing, or remove that row`,
    `niet geboekt, want ${nl} gaat over hetzelfde product, en is niet geteld: vul in wat er is, 0 voor niets, of haal die rij weg`,
  );
};

/** What was posted before is not posted again; `isSame`: with the values that the row has now. */
export async function decidePosted(
  context: RunOf<StockResource>,
  row: StockRow,
  posted: readonly string[],
  posting: Posting,
  isSame: boolean,
): Promise<RowDecision> {
  const { run, at } = posting;
  // Of equal rows each keeps the one that its result names.
  const known = { id: row.evidence?.id ?? posting.id, posted };
  if (posting.state === 'sending')
    return { ...known, action: 'unknown', message: await doubtfulText(context, posting) };
  const key = row.reference;
  const otherwise = t(
    `#key ${key} was posted in run ${run} on ${shownMinute(at).en} with other values; what was posted can't be changed, post the difference under a #key of its own`,
    `#key ${key} is in run ${run} op ${shownMinute(at).nl} geboekt met andere waarden; wat geboekt is kan niet veranderen, boek het verschil onder een eigen #key`,
  );
  if (!isSame) return { ...known, action: 'conflict', message: otherwise };
  const mayBeUndone = row.mapping.resource.kind === 'count' || readUndoKey(key) !== null;
  const undone = mayBeUndone ? await takenBackBy(context, posting) : undefined;
  if (undone === undefined) return { ...known, action: 'unchanged', message: postedText(posting) };
  const message = withFlag(
    t(
      `posted in run ${run} and taken back in run ${undone}; to post it again, take that run back, or give the row a #key of its own`,
      `geboekt in run ${run} en teruggedraaid in run ${undone}; om het opnieuw te boeken draai je die run terug, of geef je de rij een eigen #key`,
    ),
    `catersheet undo ${undone}`,
  );
  return { ...known, action: 'conflict', message };
}

/** It was posted, or a count was told that posted nothing. */
export const postedText = ({ run, at }: Posting): Bilingual =>
  t(
    `imported before, in run ${run} on ${shownMinute(at).en}, and not posted again; give the row a #key of its own, or a count its own DatumTijd, to post it once more`,
    `al eerder geïmporteerd, in run ${run} op ${shownMinute(at).nl}, en niet opnieuw geboekt; geef de rij een eigen #key, of een telling een eigen DatumTijd, om het nog eens te boeken`,
  );

/** Why the user is to decide on a row. */
export const openText = (en: string, nl: string): Bilingual =>
  withFlag(
    t(`${en}. Or post it all the same, or leave it`, `${nl}. Of boek hem toch, of laat hem weg`),
    '--on-conflict mine|theirs',
  );

/** What is not posted unless the user decides for it. */
export const leftOpen = (onConflict: OnConflict, message: Bilingual): RowDecision => ({
  action: onConflict === 'theirs' ? 'unchanged' : 'conflict',
  message,
});

/** Asks before a row is sent whether what was planned still holds; no look tells whether it took effect. */
export function guardStock(context: GuardSetup<StockResource>, { kinds, check }: Way): RowGuard {
  const { ledger, run } = context;
  return {
    async check(planned) {
      const [step] = planned.steps;
      const product = await referredId(context, step?.body[context.resource.product]);
      // A product that was to be created and was not: that it lacks is said where its id is needed.
      if (product === null) return null;
      const { products } = plannedFacts(step);
      const all = (await readHistories(context, products, kinds))(products);
      const isIt = ({ posting }: StockFact): boolean => posting.fingerprint === step?.fingerprint;
      // Claiming it says in which run it was sent; this one claims it while the row waits for its turn.
      if (all.some((fact) => isIt(fact) && fact.posting.run !== run)) return null;
      const history = all.filter((fact) => !isIt(fact));
      const began = (await ledger.findRun(run))?.startedAt ?? '';
      const told = history.filter(
        ({ kind, posting }) => kind === 'count' && posting.at > began && posting.run !== run,
      );
      const message = await check(planned, product, history, told);
      return message && { message };
    },
  };
}

/** The members of a mutation with its moment and reason (interface 2.6). */
const MOMENT = 'DatumTijd';
const REASON = 'MutatieReden';

/** Takes back what was posted by the opposite amount, booked now: earlier periods may be closed. */
export async function undoPosting(
  posted: StockResource,
  planned: PlannedRow,
  { run, resources, findId, now, language }: UndoTools,
): Promise<UndoneRecord> {
  const [mutations] = ofKind(resources, 'posting');
  if (mutations === undefined) return cannot();
  const [step] = planned.steps;
  const product = await findId(step?.body[posted.product]);
  if (product === null) return cannot(NO_ID);
  // What came or went is taken back as of its moment: to a count of after that nothing moved.
  const { moment = BOOKS } = plannedFacts(step).moves[0] ?? {};
  const key = undoKey(run, planned) + (moment === BOOKS ? '' : ` ${moment}`);
  const body = plainValues(step?.body ?? {});
  const back = mutations.amounts.flatMap(({ sent }) => {
    const amount = body[sent];
    return typeof amount === 'number' ? [[sent, -amount]] : [];
  });
  const reason = undoneReason(String(body[REASON] ?? ''), run)[language];
  const own = { '#key': key, [mutations.product]: product, [MOMENT]: now, [REASON]: reason };
  return {
    row: { resource: mutations, cells: { ...body, ...own, ...Object.fromEntries(back) }, base: null },
    cannot: [],
  };
}

/** The reason of a mutation that takes another one back. */
export const undoneReason = (reason: string, run: string): Bilingual =>
  t(`Undone: ${reason} (run ${run})`, `Ongedaan gemaakt: ${reason} (run ${run})`);
