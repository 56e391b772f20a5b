import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t } from '../core/language.ts';
import { RequestError } from '../service/request-error.ts';
import type { Context } from './context.ts';

/**
 * Does work that only reads; a read that fails for good stops the run. `unharmed` says what it did not do. Throws StopError with
 * EXIT.service.
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

/** What ends a run as the service can't be worked with, with what was not done. */
export function serviceStop(
  { log, serviceName }: Context,
  cause: RequestError,
  unharmed: Bilingual,
): StopError {
  log.error({ endpoint: cause.endpoint, status: cause.status, kind: cause.kind }, cause.reason);
  return new StopError(
    EXIT.service,
    t(
      `${serviceName} does not answer as it should: ${cause.text.en}.`,
      `${serviceName} antwoordt niet zoals het hoort: ${cause.text.nl}.`,
    ),
    { next: nextStep(cause, unharmed), cause },
  );
}

function nextStep({ kind }: RequestError, unharmed: Bilingual): Bilingual {
  const next = kind === 'unreachable' || kind === 'missing' ? NEXT[kind] : NEXT.other;
  return t(`${next.en} ${unharmed.en}`, `${next.nl} ${unharmed.nl}`);
}

const NOT_SENT: Bilingual = t('Nothing was sent.', 'Er is niets verstuurd.');

const NEXT = {
  unreachable: t(
    'Check the address (--base-url) and the network, then try again.',
    'Kijk het adres (--base-url) en het netwerk na en probeer het opnieuw.',
  ),
  missing: t(
    'Check the address: --base-url ends where the paths api/v1/… begin.',
    'Kijk het adres na: --base-url houdt op waar de paden api/v1/… beginnen.',
  ),
  other: t(
    'Try `catersheet check`, which shows what the service answers.',
    'Probeer `catersheet check`: dat laat zien wat de dienst antwoordt.',
  ),
} as const;

/** What stopped this work, null when nothing did: for what comes after rows were sent, whose result must be given all the same. */
export async function stopOf(work: () => Promise<void>): Promise<StopError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StopError) return error;
    throw error;
  }
}
