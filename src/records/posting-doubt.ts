import { type Bilingual, composed, t } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { isFromCopy } from '../ledger/from-copy.ts';
import type { Posting } from '../ledger/ledger.ts';
import { type Context, wallClock } from '../run/context.ts';
import { sentRow } from './sent-before.ts';

/**
 * Until when what a row posted may still arrive, the same in all later runs; null when it no longer can.
 * `since`: when it was sent, null for what is given up now.
 */
export async function arrivesUntil(
  { ledger, serviceKey, doubts, time }: Context,
  { run, seq }: Pick<Posting, 'run' | 'seq'>,
  since: string | null,
): Promise<Date | null> {
  const name = factName({ run, seq });
  const kept = since === null ? undefined : await ledger.findFact(serviceKey, name);
  const latest = since === null ? doubts.fromNow() : doubts.ofEarlier(new Date(since.replace(' ', 'T')));
  const until = kept === undefined ? doubts.momentOf(latest) : new Date(kept);
  if (until.getTime() <= time.now()) return null;
  if (kept === undefined) await ledger.rememberFact(serviceKey, name, until.toISOString());
  return until;
}

/**
 * The same of a row that the user wants to be sent again: null where `--doubt` or an earlier run says that it
 * no longer can. `since`: when a run sent it that was cut off; null for one whose outcome is unknown.
 */
export async function waitsUntil(
  context: Context,
  row: Pick<Posting, 'run' | 'seq'>,
  since: string | null,
): Promise<Date | null> {
  const { ledger, serviceKey, doubts, time } = context;
  const told = since ?? (await ledger.findFact(serviceKey, factName(row)));
  if (told === undefined || doubts.fromStart() <= time.steady()) return null;
  return await arrivesUntil(context, row, told);
}

const factName = ({ run, seq }: Pick<Posting, 'run' | 'seq'>): string =>
  `row ${seq} of ${run} may arrive until`;

/** Says until when something may still arrive. */
export function arrivesText(until: Date, { time }: Pick<Context, 'time'>): Bilingual {
  const [moment, today] = [wallClock(until), wallClock(time.now()).slice(0, DAY)];
  const shown = moment.startsWith(today) ? moment.slice(DAY + 1) : moment;
  return t(`it may still arrive until ${shown}`, `het kan nog aankomen tot ${shown}`);
}

/** Of a moment, its day. */
const DAY = 10;

/** Says how the run that posted a row is told what came of it, and from when that is to be seen. */
export function tellText(
  run: string,
  { sheet, row }: Pick<PlannedRow, 'sheet' | 'row'>,
  arrives: Bilingual | null,
) {
  const place = `${sheet}!${row}`;
  const first = arrives ?? t('look on the service', 'kijk in het systeem');
  const [after, daarna] = arrives === null ? ['', ''] : [' after that', ' daarna'];
  const there = t('is it there: it did arrive', 'staat het er wel: dan is het aangekomen');
  return t(
    `${first.en}; is it not there${after}: catersheet apply ${run} --resend "${place}"; is it there: --done "${place}"`,
    `${first.nl}; staat het er${daarna} niet: catersheet apply ${run} --resend "${place}"; staat het er wel: --done "${place}"`,
    t(
      `${first.en}; is it not there${after}: send it again; ${there.en}`,
      `${first.nl}; staat het er${daarna} niet: verstuur het opnieuw; ${there.nl}`,
    ),
  );
}

/** Why a posting that may have taken place is not sent again, with the ways out. */
export async function doubtfulText(context: Context, posting: Posting): Promise<Bilingual> {
  const { run, at } = posting;
  const sent = (await sentRow(context, posting))?.planned;
  if (sent === undefined || (await isFromCopy(context.ledger, run))) return lostText(posting);
  const until = await arrivesUntil(context, posting, at);
  const ways = tellText(run, sent, until && arrivesText(until, context));
  return composed([ways], (told) =>
    t(
      `run ${run} sent it on ${shownMinute(at).en} and no answer is known, so it is not sent again by itself; ${told.en}`,
      `run ${run} heeft het op ${shownMinute(at).nl} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd; ${told.nl}`,
    ),
  );
}

/** The same of a run that can't go on with this ledger. */
const lostText = ({ run, at }: Posting): Bilingual =>
  t(
    `run ${run}, which can’t go on with this ledger, sent it on ${shownMinute(at).en} and no answer was known, so it is not sent again by itself. Is it not there: give the row a #key of its own`,
    `run ${run}, die met dit register niet verder kan, heeft het op ${shownMinute(at).nl} verstuurd en er was geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd. Staat het er niet: geef de rij een eigen #key`,
  );
