import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, composed, t, withFlag } from '../core/language.ts';
import { RequestError } from '../service/request-error.ts';
import type { Context } from './context.ts';

/**
 * Does work that only reads.
 * @throws StopError (service) when a read fails for good; `unharmed` says what was not done.
 */
export async function orStop<T>(
  context: Context,
  work: () => Promise<T>,
  unharmed: Bilingual = NOT_SENT,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    throw serviceStop(context, cause, unharmed);
  }
}

/** The stop for a service that doesn't answer as it should, and its log line. */
export function serviceStop(
  { log, serviceName }: Context,
  cause: RequestError,
  unharmed: Bilingual,
): StopError {
  log.error({ endpoint: cause.endpoint, status: cause.status, kind: cause.kind }, cause.reason);
  const [en, nl] =
    cause.kind === 'unreachable'
      ? ['did not answer', 'antwoordde niet']
      : ['does not answer as it should', 'antwoordt niet zoals het hoort'];
  const text = t(`${serviceName} ${en}: ${cause.text.en}.`, `${serviceName} ${nl}: ${cause.text.nl}.`);
  const advice = NEXT[cause.kind === 'unreachable' || cause.kind === 'missing' ? cause.kind : 'other'];
  return new StopError(EXIT.service, text, {
    next: composed([advice], ({ en, nl }) => t(`${en} ${unharmed.en}`, `${nl} ${unharmed.nl}`)),
    cause,
  });
}

const NOT_SENT: Bilingual = t('Nothing was sent.', 'Er is niets verstuurd.');

const NEXT = {
  unreachable: withFlag(
    t(
      'Check the address and the network, then try again.',
      'Kijk het adres en het netwerk na en probeer het opnieuw.',
    ),
    '--base-url',
  ),
  missing: withFlag(
    t(
      'Check the address: it ends where the paths api/v1/… begin.',
      'Kijk het adres na: het houdt op waar de paden api/v1/… beginnen.',
    ),
    '--base-url',
  ),
  other: withFlag(
    t(
      'Have the service checked: that shows what it answers.',
      'Laat het systeem controleren: dan zie je wat het antwoordt.',
    ),
    'catersheet check',
  ),
} as const;

/** The stop that ended this work, else null: rows were sent before it, and their result must be written. */
export async function caughtStop(work: () => Promise<unknown>): Promise<StopError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StopError) return error;
    throw error;
  }
}
