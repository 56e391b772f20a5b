import { type StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import type { Ledger } from './ledger.ts';

/** Where a ledger keeps where it was moved to: no service has this name. */
export const MOVED = ['', 'moved to'] as const;

/** Asks for it. */
export const MOVED_TO = `select value from @facts where service = '' and name = 'moved to' and value <> ''`;

/** Throws StopError for a ledger that was moved: what is sent with it would not be known where it is now. */
export async function refuseMoved({ findFact }: Pick<Ledger, 'findFact'>, place: string): Promise<void> {
  const now = await findFact(...MOVED);
  if (now !== undefined && now !== '') throw movedStop(place, now);
}

/** The stop for a ledger that is used no more. */
export const movedStop = (place: string, now: string): StopError =>
  usageStop(
    t(`The ledger ${place} was moved to ${now}.`, `Het register ${place} is verhuisd naar ${now}.`),
    withFlag(
      t(
        'Name that one, in your settings too, or move it back.',
        'Noem dat register, ook in je instellingen, of verhuis het terug.',
      ),
      `--ledger ${now}, catersheet ledger move`,
    ),
  );
