import { type Bilingual, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import type { Posting } from '../ledger/ledger.ts';
import { type Context, wallClock } from '../run/context.ts';
import { sentRow } from './sent-before.ts';

/** The row that posted, of the run that did. */
type Poster = Pick<Posting, 'run' | 'seq'>;

const factName = ({ run, seq }: Poster): string => `row ${seq} of ${run} may arrive until`;

/** Keeps until when a posting may still arrive, for later runs to say the same; null where it can't. */
async function keepUntil(context: Context, poster: Poster, until: number): Promise<Date | null> {
  if (until <= performance.now()) return null;
  const moment = context.doubts.momentOf(until);
  await context.ledger.rememberFact(context.serviceKey, factName(poster), moment.toISOString());
  return moment;
}

/** Keeps that a posting is given up now; answers until when it may still arrive, or null. */
export const givenUp = (context: Context, poster: Poster): Promise<Date | null> =>
  keepUntil(context, poster, context.doubts.fromNow());

/** Until when what an earlier try posted at `since` may still arrive; null when it no longer can. */
export async function arrivesUntil(context: Context, poster: Poster, since: Date): Promise<Date | null> {
  const kept = await context.ledger.findFact(context.serviceKey, factName(poster));
  if (kept === undefined) return await keepUntil(context, poster, context.doubts.ofEarlier(since));
  const until = new Date(kept);
  return until > new Date() ? until : null;
}

/** Says until when something may still arrive. */
export function arrivesText(until: Date): Bilingual {
  const [moment, today] = [wallClock(until), wallClock(new Date()).slice(0, DAY)];
  const time = moment.startsWith(today) ? moment.slice(DAY + 1) : moment;
  return t(`it may still arrive until ${time}`, `het kan nog aankomen tot ${time}`);
}

/** Of a moment, its day. */
const DAY = 10;

/** Says how the run that posted a row is told what came of it, and from when that is to be seen. */
export function tellText(run: string, { sheet, row }: Pick<PlannedRow, 'sheet' | 'row'>, until: Date | null) {
  const place = `${sheet}!${row}`;
  const first = until === null ? t('look on the service', 'kijk op de dienst') : arrivesText(until);
  const then =
    until === null
      ? t('is it not there', 'staat het er niet')
      : t('is it not there after that', 'staat het er daarna niet');
  return t(
    `${first.en}; ${then.en}: catersheet apply ${run} --resend "${place}"; is it there: --done "${place}"`,
    `${first.nl}; ${then.nl}: catersheet apply ${run} --resend "${place}"; staat het er wel: --done "${place}"`,
  );
}

/** Why a posting that may have taken place is not sent again, with the ways out; `totals` help to tell. */
export async function doubtfulText(
  context: Context,
  posting: Posting,
  totals: Bilingual | null = null,
): Promise<Bilingual> {
  const { run, at } = posting;
  const sent = (await sentRow(context, posting))?.planned;
  if (sent === undefined) return elsewhereText(posting);
  const ways = tellText(run, sent, await postingUntil(context, posting));
  const [en, nl] = totals === null ? ['', ''] : [` (${totals.en})`, ` (${totals.nl})`];
  return t(
    `run ${run} sent it at ${at} and no answer is known, so it is not sent again by itself${en}; ${ways.en}`,
    `run ${run} heeft het om ${at} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd${nl}; ${ways.nl}`,
  );
}

/** Until when a posting may still arrive; null when it no longer can. */
export const postingUntil = (context: Context, posting: Posting): Promise<Date | null> =>
  arrivesUntil(context, posting, new Date(posting.at.replace(' ', 'T')));

const elsewhereText = ({ run, at }: Posting): Bilingual =>
  t(
    `run ${run}, which another ledger has, sent it at ${at} and no answer was known, so it is not sent again by itself. Is it not there: give the row a #key of its own`,
    `run ${run}, die in een ander grootboek staat, heeft het om ${at} verstuurd en er was geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd. Staat het er niet: geef de rij een eigen #key`,
  );
