import { type Bilingual, t } from '../../core/language.ts';
import { shownMoment } from '../../core/shown-moment.ts';
import type { RunRecord } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
import { ofKind } from '../kind.ts';
import { type Body, hasNoTime, isUnclearDay, momentText } from '../stock/later-mutations.ts';
import type { ProductName } from '../stock/stock-row.ts';
import { amountText } from '../stock/stock-total.ts';
import { beginningOf, findTellings, type Telling, whatHolds } from '../stock/tellings.ts';

/** The mutation that counts are held against. */
interface Held {
  readonly body: Body;
  /** Where its row says when; null where that is not known. */
  cellOf(field: string): string | null;
  /** Only what other runs told after that run began counts. */
  readonly since?: RunRecord | undefined;
}

/**
 * Finds why a mutation is not posted, with the ways out: the last count that is known of its product and not
 * of before it, as what is on the shelf by then was counted. Null where there is none.
 */
export async function findCountsAfter(
  context: Context,
  products: readonly ProductName[],
): Promise<(products: readonly ProductName[], held: Held) => Promise<Bilingual | null>> {
  const [resource] = ofKind(context.resources, 'count');
  if (resource === undefined) return async () => null;
  const counts = { ...context, resource };
  const tellingsOf = await findTellings(counts, products.map(beginningOf));
  return async (of, { body, cellOf, since }) => {
    const when = momentText(body[resource.moment]);
    // A mutation without a time is read as of midnight: whichever of its day came first, it is held.
    const isAfter = ({ moment, posting: { at, run } }: Telling): boolean =>
      (since === undefined || (at > since.startedAt && run !== since.run)) &&
      (moment >= when || isUnclearDay(moment, when));
    const after = when === '' ? [] : tellingsOf(of.map(beginningOf)).filter(isAfter);
    const { later } = await whatHolds(counts, after, '', undefined);
    return later === undefined ? null : countedText(later, when, cellOf(resource.moment));
  };
}

function countedText(
  { moment, field, micros, posting: { run } }: Telling,
  when: string,
  cell: string | null,
): Bilingual {
  const amount = amountText(micros);
  if (!isUnclearDay(moment, when) && !isUnclearDay(when, moment) && when !== moment)
    return t(
      `${field} ${amount.en} was counted on ${shownMoment(moment).en} (run ${run}), so a mutation of before that is in the stock already. Is it of after the count: correct DatumTijd. Was it not counted: correct the count. --on-conflict mine posts it all the same, theirs leaves it`,
      `${field} ${amount.nl} is geteld op ${shownMoment(moment).nl} (run ${run}), dus een mutatie van daarvoor zit al in de voorraad. Is hij van na de telling: verbeter DatumTijd. Is hij niet meegeteld: verbeter de telling. --on-conflict mine boekt hem toch, theirs laat hem weg`,
      t(
        `${field} ${amount.en} was counted on ${shownMoment(moment).en} (run ${run}), so a mutation of before that is in the stock already. Is it of after the count: correct DatumTijd. Was it not counted: correct the count`,
        `${field} ${amount.nl} is geteld op ${shownMoment(moment).nl} (run ${run}), dus een mutatie van daarvoor zit al in de voorraad. Is hij van na de telling: verbeter DatumTijd. Is hij niet meegeteld: verbeter de telling`,
      ),
    );
  const [own, other] = [momentWords(when), momentWords(moment)];
  const at = cell === null ? 'DatumTijd' : `DatumTijd (${cell})`;
  // Where the count has no time, that of the mutation tells nothing.
  const [en, nl] = hasNoTime(moment)
    ? ['', '']
    : [`write the time in ${at}, or `, `schrijf de tijd in ${at}, of `];
  const untold = t(
    `${at} is ${own.en}, and ${field} ${amount.en} was counted on ${other.en} (run ${run}): which came first can't be told`,
    `${at} is ${own.nl}, en ${field} ${amount.nl} is geteld op ${other.nl} (run ${run}): wat het eerst kwam is niet te zeggen`,
  );
  return t(
    `${untold.en}. If the count did: ${en}--on-conflict mine posts the mutation. If the mutation did, it is in the stock already: theirs leaves it`,
    `${untold.nl}. Was dat de telling: ${nl}--on-conflict mine boekt de mutatie. Was dat de mutatie, dan zit hij al in de voorraad: theirs laat hem weg`,
    t(
      `${untold.en}. If the count did, send yours; if the mutation did, it is in the stock already: leave it`,
      `${untold.nl}. Was dat de telling, verstuur dan die van jou; was dat de mutatie, dan zit hij al in de voorraad: laat hem weg`,
    ),
  );
}

function momentWords(moment: string): Bilingual {
  const { en, nl } = shownMoment(moment);
  return hasNoTime(moment) ? t(`${en} without a time`, `${nl} zonder tijd`) : t(en, nl);
}
