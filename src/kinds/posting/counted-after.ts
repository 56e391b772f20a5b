import { type Bilingual, t } from '../../core/language.ts';
import type { RunRecord } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { ofKind } from '../kind.ts';
import { type Body, isUnclearDay, momentText } from '../stock/later-mutations.ts';
import type { ProductName } from '../stock/stock-row.ts';
import { amountText } from '../stock/stock-total.ts';
import { beginningOf, findTellings, type Telling, whatHolds } from '../stock/tellings.ts';

/**
 * Finds the last count that is known of a mutation's product and not of before it: what is on the shelf by
 * then was counted. `since`: of those that other runs told after a run began.
 */
export async function findCountsAfter(
  context: Context,
  products: readonly ProductName[],
): Promise<(products: readonly ProductName[], body: Body, since?: RunRecord) => Promise<Telling | null>> {
  const [resource] = ofKind(context.resources, 'count');
  if (resource === undefined) return async () => null;
  const counts = { ...context, resource };
  const tellingsOf = await findTellings(counts, products.map(beginningOf));
  return async (of, body, since) => {
    const when = momentText(body[resource.moment]);
    const isAfter = ({ moment, posting: { at, run } }: Telling): boolean =>
      (since === undefined || (at > since.startedAt && run !== since.run)) &&
      (moment >= when || isUnclearDay(moment, when));
    const after = when === '' ? [] : tellingsOf(of.map(beginningOf)).filter(isAfter);
    return (await whatHolds(counts, after, '', undefined)).later ?? null;
  };
}

/** Why a mutation is not posted, with the ways out. */
export function countedText({ moment, field, micros, posting: { run } }: Telling): Bilingual {
  const amount = amountText(micros);
  return t(
    `${field} ${amount.en} was counted on ${moment} (run ${run}), so a mutation of before that is in the stock already. Is it of after the count: correct DatumTijd. Was it not counted: correct the count. --on-conflict mine posts it all the same, theirs leaves it`,
    `${field} ${amount.nl} is geteld op ${moment} (run ${run}), dus een mutatie van daarvoor zit al in de voorraad. Is hij van na de telling: verbeter DatumTijd. Is hij niet meegeteld: verbeter de telling. --on-conflict mine boekt hem toch, theirs laat hem weg`,
  );
}
