import { EXIT, StopError } from '../errors.ts';
import type { Bilingual } from '../schema/value.ts';
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
    {
      en: `${serviceName} does not answer as it should: ${cause.text.en}.`,
      nl: `${serviceName} antwoordt niet zoals het hoort: ${cause.text.nl}.`,
    },
    { next: nextStep(cause, unharmed), cause },
  );
}

function nextStep({ kind }: RequestError, unharmed: Bilingual): Bilingual {
  const next = kind === 'unreachable' || kind === 'missing' ? NEXT[kind] : NEXT.other;
  return { en: `${next.en} ${unharmed.en}`, nl: `${next.nl} ${unharmed.nl}` };
}

const NOT_SENT: Bilingual = { en: 'Nothing was sent.', nl: 'Er is niets verstuurd.' };

const NEXT = {
  unreachable: {
    en: 'Check the address (--base-url) and the network, then try again.',
    nl: 'Kijk het adres (--base-url) en het netwerk na en probeer het opnieuw.',
  },
  missing: {
    en: 'Check the address: --base-url ends where the paths api/v1/… begin.',
    nl: 'Kijk het adres na: --base-url houdt op waar de paden api/v1/… beginnen.',
  },
  other: {
    en: 'Try `catersheet check`, which shows what the service answers.',
    nl: 'Probeer `catersheet check`: dat laat zien wat de dienst antwoordt.',
  },
} as const;
