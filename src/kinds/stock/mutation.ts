import { type Bilingual, t } from '../../core/language.ts';
import type { Step } from '../../core/plan.ts';
import { shownMoment } from '../../core/shown-moment.ts';
import type { Value, Values } from '../../core/value.ts';
import { postedByEvidence } from '../../records/evidence.ts';
import { onConflictOf, type RunOf } from '../../records/planning.ts';
import { byReference, createNaming, hashOf, postStep } from '../../records/sent-before.ts';
import type { PostingResource } from '../../schema/resource.ts';
import { checkAsked } from '../command-rows.ts';
import type { Kind } from '../kind.ts';
import {
  BOOKS,
  countsFrom,
  isUnclear,
  momentText,
  plannedFacts,
  readUndoKey,
  type StockFact,
  stockName,
} from './history.ts';
import {
  guardStock,
  leftOpen,
  MOMENT,
  openText,
  planStock,
  REASON,
  unasked,
  undoPosting,
  type Way,
} from './posting.ts';
import { checkAmountGiven, createMutationKeys, mutationBody, type StockRow } from './products.ts';
import { amountText, toMicros } from './total.ts';

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
