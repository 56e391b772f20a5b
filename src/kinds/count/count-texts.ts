import { type Bilingual, same, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { shownMinute, shownMoment } from '../../core/shown-moment.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { firstOf } from '../../records/listing.ts';
import { arrivesText } from '../../records/posting-doubt.ts';
import type { Context } from '../../run/context.ts';
import type { CountedAmount } from '../../schema/resource.ts';
import { hasNoTime, type LaterMutations } from '../stock/later-mutations.ts';
import { amountText, type StockPlace, sumOf, unitsOf } from '../stock/stock-total.ts';
import type { Telling } from '../stock/tellings.ts';
import type { Counted } from './counted.ts';

const signed = (micros: bigint): string => (micros < 0n ? '' : '+');

/** What is posted; `later`: what was posted after the moment of the count, which stays as it is. */
export function differenceText(current: bigint, micros: bigint, later: bigint): Bilingual {
  const [is, counted, apart] = [amountText(current), amountText(micros), amountText(micros - current)];
  const [moved, sign] = [amountText(later), signed(later)];
  const [en, nl] =
    later === 0n
      ? ['', '']
      : [` (without ${sign}${moved.en} of later)`, ` (zonder ${sign}${moved.nl} van later)`];
  return t(
    `total ${is.en}${en}, counted ${counted.en}: difference ${signed(micros - current)}${apart.en}`,
    `totaal ${is.nl}${nl}, geteld ${counted.nl}: verschil ${signed(micros - current)}${apart.nl}`,
  );
}

/** What a correction posts. */
export function correctionText({ micros: told, posting: { run } }: Telling, micros: bigint): Bilingual {
  const [was, is, apart] = [amountText(told), amountText(micros), amountText(micros - told)];
  const sign = signed(micros - told);
  return t(
    `counted ${was.en} in run ${run}, corrected to ${is.en}: difference ${sign}${apart.en}`,
    `geteld ${was.nl} in run ${run}, verbeterd naar ${is.nl}: verschil ${sign}${apart.nl}`,
  );
}

/** The count was told before; `later`: a later one is known too. */
export function toldText({ run, at }: Posting, later: Telling | undefined): Bilingual {
  const [en, nl] = later === undefined ? ['', ''] : [`; ${holds(later).en}`, `; ${holds(later).nl}`];
  return t(
    `this count was imported before, in run ${run} on ${shownMinute(at).en}, and is not posted again${en}. Give a new count a DatumTijd of its own`,
    `deze telling is al eerder geïmporteerd, in run ${run} op ${shownMinute(at).nl}, en wordt niet opnieuw geboekt${nl}. Geef een nieuwe telling een eigen DatumTijd`,
  );
}

function holds({ moment, posting: { run } }: Telling): Bilingual {
  return t(
    `the count of ${shownMoment(moment).en} (run ${run}) is later and holds`,
    `de telling van ${shownMoment(moment).nl} (run ${run}) is van later en geldt`,
  );
}

/** A later count of the product is known; `moment` of one that is held back, where there is a way out. */
export function laterCountText(later: Telling, moment?: string): Bilingual {
  const { en, nl } = holds(later);
  if (moment === undefined) return t(`${en}: nothing is posted`, `${nl}: er wordt niets geboekt`);
  const day = hasNoTime(moment) ? NO_TIME : same('');
  return t(
    `${en}: nothing is posted${day.en}. Is that one wrong: correct it, or --on-conflict mine posts this one`,
    `${nl}: er wordt niets geboekt${day.nl}. Klopt die niet: verbeter hem, of --on-conflict mine boekt deze`,
    t(
      `${en}: nothing is posted${day.en}. Is that one wrong: correct it`,
      `${nl}: er wordt niets geboekt${day.nl}. Klopt die niet: verbeter hem`,
    ),
  );
}

const NO_TIME = t(
  '; without a time this count is taken for 00:00',
  '; zonder tijd geldt deze telling als van 00:00',
);

/** What is taken for the time of rows that have none. */
export function midnightNotes(rows: readonly string[]): Bilingual[] {
  const en = `DatumTijd has no time of day, and is taken for 00:00, before all of that day: ${firstOf(rows)}`;
  const nl = `DatumTijd heeft geen tijd, en geldt als 00:00, vóór alles van die dag: ${firstOf(rows)}`;
  return rows.length === 0 ? [] : [t(en, nl)];
}

/** Says how many products of the list nobody counted. */
export const uncountedNotes = (rows: number): Bilingual[] =>
  rows === 0 ? [] : [t(`not counted: ${rows}`, `niet geteld: ${rows}`)];

/** The count was corrected after it was told. */
export function correctedText({ run }: Posting, { micros, posting }: Telling): Bilingual {
  const is = amountText(micros);
  return t(
    `this count, imported in run ${run}, was corrected to ${is.en} in run ${posting.run}: that holds. To go back to it, give the row a #key of its own`,
    `deze telling, geïmporteerd in run ${run}, is in run ${posting.run} verbeterd naar ${is.nl}: dat geldt. Om ernaar terug te gaan: geef de rij een eigen #key`,
  );
}

/** The run that posted the count was undone. */
export const takenBackText = ({ run }: Posting, undo: string): Bilingual =>
  t(
    `this count was posted in run ${run} and taken back in run ${undo}. A new count needs a DatumTijd of its own, or a #key`,
    `deze telling is geboekt in run ${run} en teruggedraaid in run ${undo}. Een nieuwe telling heeft een eigen DatumTijd nodig, of een #key`,
  );

/** A correction in the other unit tells no difference. */
export const otherUnitText = ({ field, micros, posting: { run } }: Telling): Bilingual =>
  t(
    `this count was entered in ${field} (${amountText(micros).en}, run ${run}); correct it in that column`,
    `deze telling is ingevuld in ${field} (${amountText(micros).nl}, run ${run}); verbeter hem in die kolom`,
  );

/** The count that a planned correction is about was corrected by another run. */
export const countedMeanwhileText = ({ micros, posting: { run } }: Telling): Bilingual =>
  t(
    `run ${run} counted ${amountText(micros).en} for this moment since the plan; import again to see the difference`,
    `run ${run} heeft sinds het plan ${amountText(micros).nl} geteld voor dit moment; importeer opnieuw om het verschil te zien`,
  );

/** The service has no stock of a known product on record. */
export const NO_STOCK_YET = t(
  'no stock on record yet: counted from 0',
  'nog geen voorraad vastgelegd: geteld vanaf 0',
);

export const afterNoStock = ({ en, nl }: Bilingual): Bilingual =>
  t(`${NO_STOCK_YET.en}; ${en}`, `${NO_STOCK_YET.nl}; ${nl}`);

/** The service gives no total, with what came in its place. */
export function noTotalText({ total, unit }: CountedAmount, places: readonly StockPlace[]): Bilingual {
  const came = wordsOf({ total, unit }, places);
  return t(
    `the service gives no ${total} of this product that can be understood (${came.en}), so no difference is known and nothing is posted`,
    `het systeem geeft van dit product geen ${total} die te begrijpen is (${came.nl}), dus er is geen verschil bekend en er wordt niets geboekt`,
  );
}

/** What stands where an amount was to stand: the first that is none, or amounts in units that differ. */
function wordsOf(
  { total, unit }: Pick<CountedAmount, 'total' | 'unit'>,
  places: readonly StockPlace[],
): Bilingual {
  const place = places.find((one) => sumOf([one], total) === null);
  const value = place?.[total];
  if (place === undefined) return same([...unitsOf(places, unit)].join(', '));
  if (value === null) return t('it is empty', 'het is leeg');
  if (value === undefined) return t('it is missing', 'het ontbreekt');
  return same(`${total}: ${JSON.stringify(value).slice(0, LONGEST)}`);
}

/** So much is shown of what is no amount. */
const LONGEST = 40;

/** What the same file does to the product's stock can't be put before or after the count. */
export function mutatedText(mutations: readonly PlannedRow[]): Bilingual {
  const where = mutations.map(({ sheet, row }) => `${sheet}!${row}`).join(', ');
  return t(
    `the same file changes this product's stock in another unit, or on the day of a count without a time (${where}); give the count a time, or import it once that is done`,
    `hetzelfde bestand verandert de voorraad van dit product in een andere eenheid, of op de dag van een telling zonder tijd (${where}); geef de telling een tijd, of importeer haar als dat gedaan is`,
  );
}

/** Why what was posted after a count leaves open what the total was at its moment. */
export function unclearText(
  { unclear, run }: Extract<LaterMutations, { unclear: unknown }>,
  moment: string,
): Bilingual {
  const when = shownMoment(moment);
  const why = {
    unit: t(
      `run ${run} posted on this product after ${when.en} in another unit; count again, with a DatumTijd of its own`,
      `run ${run} heeft na ${when.nl} in een andere eenheid op dit product geboekt; tel opnieuw, met een eigen DatumTijd`,
    ),
    doubt: t(
      `run ${run} sent a mutation of this product of after ${when.en}, and no answer is known; settle that first (catersheet runs ${run})`,
      `run ${run} heeft een mutatie van dit product van na ${when.nl} verstuurd, en er is geen antwoord bekend; regel dat eerst (catersheet runs ${run})`,
      t(
        `run ${run} sent a mutation of this product of after ${when.en}, and no answer is known; settle that first`,
        `run ${run} heeft een mutatie van dit product van na ${when.nl} verstuurd, en er is geen antwoord bekend; regel dat eerst`,
      ),
    ),
    day: t(
      `run ${run} posted on this product on the day of the count, which has no time of day; give DatumTijd a time`,
      `run ${run} heeft op dit product geboekt op de dag van de telling, die geen tijd heeft; geef DatumTijd een tijd`,
    ),
  } as const;
  return why[unclear];
}

/** The total is not what it was when the workbook was written; `unit` is the column of both. */
export function movedSinceText(
  { written, now, unit }: { readonly written: bigint; readonly now: bigint; readonly unit: string },
  { amount, micros }: Counted,
): Bilingual {
  const [then, is, counted] = [amountText(written), amountText(now), amountText(micros)];
  const other = amount.counted === unit ? '' : ` (${amount.counted})`;
  return t(
    `the total moved since the export: it was ${then.en}, it is ${is.en} now, counted ${counted.en}${other}; count again, or --on-conflict mine posts up to what was counted`,
    `het totaal is veranderd sinds de export: het was ${then.nl}, het is nu ${is.nl}, geteld ${counted.nl}${other}; tel opnieuw, of --on-conflict mine boekt tot wat er geteld is`,
    t(
      `the total moved since the export: it was ${then.en}, it is ${is.en} now, counted ${counted.en}${other}; count again`,
      `het totaal is veranderd sinds de export: het was ${then.nl}, het is nu ${is.nl}, geteld ${counted.nl}${other}; tel opnieuw`,
    ),
  );
}

/** No answer is known to the count; `until`: it may still arrive. */
export function countDoubtfulText(
  context: Pick<Context, 'time'>,
  { run, at }: Posting,
  from: bigint | null,
  now: bigint,
  until: Date | null,
): Bilingual {
  const is = amountText(now);
  const then = from === null ? null : amountText(from);
  const late = until === null ? null : arrivesText(until, context);
  const en = late === null ? '. Count again' : `; ${late.en}: count again after that`;
  const nl = late === null ? '. Tel opnieuw' : `; ${late.nl}: tel daarna opnieuw`;
  return t(
    `run ${run} sent the difference on ${shownMinute(at).en} and no answer is known, so it is not sent again by itself (${then === null ? '' : `total ${then.en} before, `}${is.en} now)${en}, with a DatumTijd of its own`,
    `run ${run} heeft het verschil op ${shownMinute(at).nl} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd (${then === null ? '' : `totaal ${then.nl} ervoor, `}nu ${is.nl})${nl}, met een eigen DatumTijd`,
  );
}

/** The product of a planned count is gone. */
export const PRODUCT_GONE = t(
  'the product is no longer on the service',
  'het product staat niet meer in het systeem',
);

/** The total is not what the plan read, for what was counted. */
export function movedText(planned: bigint, now: bigint, micros: bigint): Bilingual {
  const [then, is, counted] = [amountText(planned), amountText(now), amountText(micros)];
  const [en, nl] = [
    `the total moved since the plan: it was ${then.en}, it is ${is.en} now, counted ${counted.en}; count again, with a DatumTijd of its own`,
    `het totaal is veranderd sinds het plan: het was ${then.nl}, het is nu ${is.nl}, geteld ${counted.nl}; tel opnieuw, met een eigen DatumTijd`,
  ];
  return t(
    `${en}, or import again with --on-conflict mine to post up to what was counted`,
    `${nl}, of importeer opnieuw met --on-conflict mine om te boeken tot wat er geteld is`,
    t(en, nl),
  );
}

/** What helps to tell whether a count of unknown outcome was posted. */
export function totalsText(from: bigint, micros: bigint, now: bigint | null): Bilingual {
  const [then, counted] = [amountText(from), amountText(micros)];
  const is = now === null ? null : amountText(now);
  return t(
    `the total was ${then.en} before${is === null ? '' : `, is ${is.en} now`}, and would be ${counted.en}`,
    `het totaal was ${then.nl} ervoor${is === null ? '' : `, is nu ${is.nl}`}, en zou ${counted.nl} zijn`,
  );
}
