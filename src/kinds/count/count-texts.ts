import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { fromMicros } from '../stock/stock-total.ts';
import type { Counted } from './counted.ts';

const say = (micros: bigint): Bilingual => {
  const en = String(fromMicros(micros));
  return { en, nl: en.replace('.', ',') };
};

const signed = (micros: bigint): Bilingual => {
  const { en, nl } = say(micros);
  return micros < 0n ? { en, nl } : t(`+${en}`, `+${nl}`);
};

/** What is to be posted. */
export const differenceText = (current: bigint, { micros }: Counted): Bilingual => {
  const [is, counted, apart] = [say(current), say(micros), signed(micros - current)];
  return t(
    `total ${is.en}, counted ${counted.en}: difference ${apart.en}`,
    `totaal ${is.nl}, geteld ${counted.nl}: verschil ${apart.nl}`,
  );
};

/** The total moved between the plan and its sending. */
export const totalMovedText = (planned: bigint, now: bigint): Bilingual => {
  const [then, is] = [say(planned), say(now)];
  return t(
    `the total moved since the plan: it was ${then.en}, it is ${is.en} now; import again to see the difference`,
    `het totaal is veranderd sinds het plan: het was ${then.nl}, het is nu ${is.nl}; importeer opnieuw om het verschil te zien`,
  );
};

/** The product went away between the plan and its sending. */
export const productGoneText = (): Bilingual =>
  t('the product is no longer on the service', 'het product staat niet meer op de dienst');

/** The service's total can't be compared with. */
export const noTotalText = ({ amount }: Counted): Bilingual =>
  t(
    `the service gives no ${amount.total} of this product that can be understood`,
    `de dienst geeft van dit product geen ${amount.total} die te begrijpen is`,
  );

/** Where the file's own mutations leave the total can't be told. */
export const mutatedText = (mutations: readonly PlannedRow[]): Bilingual => {
  const where = mutations.map(({ sheet, row }) => `${sheet}!${row}`).join(', ');
  return t(
    `the same file changes this product's stock later than the count, or in another unit (${where}); import the count once that is done`,
    `hetzelfde bestand verandert de voorraad van dit product na de telling, of in een andere eenheid (${where}); importeer de telling als dat gedaan is`,
  );
};

/** The count was posted before, and stock has moved since: posting it again would undo that. */
export const countPostedText = ({ run, at }: Posting, current: bigint): Bilingual => {
  const is = say(current);
  return t(
    `this count was posted before, in run ${run} at ${at}; the total has moved to ${is.en} since. A new count needs a DatumTijd of its own`,
    `deze telling is al eerder geboekt, in run ${run} om ${at}; het totaal is sindsdien ${is.nl} geworden. Een nieuwe telling heeft een eigen DatumTijd nodig`,
  );
};

/** Neither the total before nor the counted one: it can't be told what came of an earlier run's posting. */
export const countDoubtfulText = (
  { run, at }: Posting,
  planned: bigint | null,
  current: bigint,
): Bilingual => {
  const is = say(current);
  const then = planned === null ? null : say(planned);
  return t(
    `run ${run} sent the difference at ${at} and no answer is known, so it is not sent again by itself (${then === null ? '' : `total ${then.en} before, `}${is.en} now). Count again, with a DatumTijd of its own`,
    `run ${run} heeft het verschil om ${at} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd (${then === null ? '' : `totaal ${then.nl} ervoor, `}nu ${is.nl}). Tel opnieuw, met een eigen DatumTijd`,
  );
};

/** What the user can look at, of a count whose answer was lost. */
export const totalsText = (planned: bigint, { micros }: Counted, now: bigint | null): Bilingual => {
  const [then, counted] = [say(planned), say(micros)];
  const is = now === null ? null : say(now);
  return t(
    `the total was ${then.en} before${is === null ? '' : `, is ${is.en} now`}, and would be ${counted.en}`,
    `het totaal was ${then.nl} ervoor${is === null ? '' : `, is nu ${is.nl}`}, en zou ${counted.nl} zijn`,
  );
};
