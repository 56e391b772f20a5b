import { EXIT, StopError } from '../errors.ts';
import type { Bilingual } from '../schema/value.ts';
import { RequestError } from '../service/request-error.ts';
import type { Context } from './context.ts';

/** Does work that only reads; a read that fails for good stops the run, with nothing sent. Throws StopError with EXIT.service. */
export async function orStop<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    context.log.error({ endpoint: cause.endpoint, status: cause.status, kind: cause.kind }, cause.reason);
    const { serviceName } = context;
    throw new StopError(
      EXIT.service,
      {
        en: `${serviceName} does not answer as it should: ${cause.text.en}.`,
        nl: `${serviceName} antwoordt niet zoals het hoort: ${cause.text.nl}.`,
      },
      { next: nextStep(cause), cause },
    );
  }
}

function nextStep({ kind }: RequestError): Bilingual {
  if (kind === 'unreachable') return NEXT.unreachable;
  return kind === 'missing' ? NEXT.missing : NEXT.other;
}

const NEXT = {
  unreachable: {
    en: 'Check the address (--base-url) and the network, then try again. Nothing was sent.',
    nl: 'Kijk het adres (--base-url) en het netwerk na en probeer het opnieuw. Er is niets verstuurd.',
  },
  missing: {
    en: 'Check the address: --base-url ends where the paths api/v1/… begin. Nothing was sent.',
    nl: 'Kijk het adres na: --base-url houdt op waar de paden api/v1/… beginnen. Er is niets verstuurd.',
  },
  other: {
    en: 'Try `catersheet check`, which shows what the service answers. Nothing was sent.',
    nl: 'Probeer `catersheet check`: dat laat zien wat de dienst antwoordt. Er is niets verstuurd.',
  },
} as const;
