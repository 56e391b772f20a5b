import { type Bilingual, same, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { RunOf } from '../../records/planning.ts';
import { wallClock } from '../../run/context.ts';
import type { CountResource } from '../../schema/resource.ts';
import { amountText, sameAmount } from '../stock/stock-total.ts';
import type { Counted } from './counted.ts';

/** A count of a product at a moment. */
interface MomentCount {
  readonly product: number;
  readonly moment: string;
  readonly counted: Counted;
}

/** What a count was first held against. */
interface HeldCount {
  readonly run: string;
  /** When, by this machine's clock. */
  readonly at: string;
  /** The column it was counted in, and how much, in millionths. */
  readonly field: string;
  readonly counted: string;
  /** The total at its moment, in millionths; null where nobody could tell. */
  readonly total: string | null;
}

const factName = ({ product, moment }: MomentCount): string => `count of product ${product} at ${moment}`;

/**
 * What the ledger is to keep of a count once its plan is sent, whatever becomes of its row: the total at its
 * moment (null where nobody can tell), which no later read can tell as well.
 */
export function heldFact(
  { run, time }: RunOf<CountResource>,
  count: MomentCount,
  total: bigint | null,
): NonNullable<PlannedRow['fact']> {
  const { amount, micros } = count.counted;
  const held: HeldCount = {
    ...{ run, at: wallClock(time.now()), field: amount.counted },
    ...{ counted: String(micros), total: total === null ? null : String(total) },
  };
  return [factName(count), JSON.stringify(held)];
}

/**
 * Why a count that an earlier run did not post can't be held against the total of now (at its moment, as far
 * as this program posted): that moved since, or nobody can tell. Null where it did not.
 */
export async function movedSinceHeld(
  { ledger, serviceKey }: RunOf<CountResource>,
  count: MomentCount,
  total: bigint,
): Promise<Bilingual | null> {
  const fact = await ledger.findFact(serviceKey, factName(count));
  if (fact === undefined) return null;
  const held = JSON.parse(fact) as HeldCount;
  const isSame = held.field === count.counted.amount.counted && held.total !== null;
  return isSame && sameAmount(BigInt(held.total), total) ? null : heldText(held, count, total);
}

function heldText(
  { run, at, field, counted, total }: HeldCount,
  { counted: now }: MomentCount,
  is: bigint,
): Bilingual {
  const { amount, micros } = now;
  const [told, then] = [amountText(BigInt(counted)), total === null ? null : amountText(BigInt(total))];
  const [mine, today] = [amountText(micros), amountText(is)];
  const unit = same(field === amount.counted ? '' : ` (${amount.counted})`);
  const [en, nl] = [
    `run ${run} held this count (${field} ${told.en}) on ${shownMinute(at).en} against ${then === null ? 'a total that was not certain' : `a total of ${then.en}`}: the total is ${today.en} now, counted ${mine.en}${unit.en}, and what came or went since the count is not known`,
    `run ${run} hield deze telling (${field} ${told.nl}) op ${shownMinute(at).nl} tegen ${then === null ? 'een totaal dat niet zeker was' : `een totaal van ${then.nl}`}: het totaal is nu ${today.nl}, geteld ${mine.nl}${unit.nl}, en wat er sinds de telling bij kwam of af ging is niet bekend`,
  ];
  return t(
    `${en}. Count again, with a DatumTijd of its own, or --on-conflict mine posts up to what was counted`,
    `${nl}. Tel opnieuw, met een eigen DatumTijd, of --on-conflict mine boekt tot wat er geteld is`,
    t(`${en}. Count again, with a DatumTijd of its own`, `${nl}. Tel opnieuw, met een eigen DatumTijd`),
  );
}
