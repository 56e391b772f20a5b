import { EXIT, StopError } from '../errors.ts';
import { RequestError } from '../service/request-error.ts';
import type { Context } from './context.ts';

/** Does work that only reads; a read that fails for good stops the run, with nothing sent. Throws StopError with EXIT.service. */
export async function orStop<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    context.log.error({ endpoint: cause.endpoint, status: cause.status, kind: cause.kind }, cause.reason);
    throw new StopError(
      EXIT.service,
      `${context.serviceName} does not answer as it should: ${cause.message}.`,
      {
        next: nextStep(cause),
        cause,
      },
    );
  }
}

function nextStep({ kind }: RequestError): string {
  if (kind === 'unreachable')
    return 'Check the address (--base-url) and the network, then try again. Nothing was sent.';
  if (kind === 'missing')
    return 'Check the address: --base-url ends where the paths api/v1/… begin. Nothing was sent.';
  return 'Try `catersheet check`, which shows what the service answers. Nothing was sent.';
}
