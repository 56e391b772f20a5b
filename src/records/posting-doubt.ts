import { type Bilingual, composed, inOne, t, withFlag } from '../core/language.ts';
import type { PlannedRow } from '../core/plan.ts';
import { shownMinute, shownMoment } from '../core/shown-moment.ts';
import { isFromCopy } from '../ledger/from-copy.ts';
import type { Posting } from '../ledger/ledger.ts';
import { type Context, wallClock } from '../run/context.ts';
import { momentOf, sentRow } from './sent-before.ts';

/**
 * Until when what was posted may still arrive, by when it was given up, or sent (`isOut`); null when it no longer
 * can.
 */
export function arrivesUntil({ doubts, service, time }: Context, at: string, isOut = false): Date | null {
  // Its answer was waited for, and then it was given up at the latest.
  const ended = latestOf(at).getTime() + (isOut ? service.timeout : 0);
  const until = doubts.momentOf(doubts.ofDone(new Date(ended)));
  return until.getTime() <= time.now() ? null : until;
}

/** The moment that a wall clock wrote down: of the hour that comes twice as summer time ends the second. */
function latestOf(at: string): Date {
  const first = momentOf(at);
  const second = new Date(first.getTime() + HOUR);
  return at.startsWith(wallClock(second)) ? second : first;
}

const HOUR = 3_600_000;

/** Says until when something may still arrive. */
export function arrivesText(until: Date): Bilingual {
  const { en, nl } = shownMoment(wallClock(until));
  return t(`it may still arrive until ${en}`, `het kan nog aankomen tot ${nl}`);
}

/** Says how the run that posted a row is told what came of it, and from when that is to be seen. */
export function tellText(
  run: string,
  { sheet, row }: Pick<PlannedRow, 'sheet' | 'row'>,
  arrives: Bilingual | null,
) {
  const place = `${sheet}!${row}`;
  const first = arrives ?? t('look on the service', 'kijk in het systeem');
  const [after, daarna] = arrives === null ? ['', ''] : [' after that', ' daarna'];
  const again = withFlag(
    t(
      `${first.en}; is it not there${after}: send it again`,
      `${first.nl}; staat het er${daarna} niet: verstuur het opnieuw`,
    ),
    `catersheet apply ${run} --resend "${place}"`,
  );
  const there = withFlag(
    t('is it there: it did arrive', 'staat het er wel: dan is het aangekomen'),
    `--done "${place}"`,
  );
  return inOne([again, there], '; ');
}

/** Why a posting that may have taken place is not sent again, with the ways out. */
export async function doubtfulText(context: Context, posting: Posting): Promise<Bilingual> {
  const { run, at } = posting;
  const sent = (await sentRow(context, posting))?.planned;
  if (sent === undefined || (await isFromCopy(context.ledger, run))) return lostText(posting);
  const until = arrivesUntil(context, at, true);
  const ways = tellText(run, sent, until && arrivesText(until));
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
