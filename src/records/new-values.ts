import type { Values } from '../core/value.ts';
import type { Context } from '../run/context.ts';
import { RequestError } from '../service/request-error.ts';

type Memory = Pick<Context, 'ledger' | 'serviceKey'>;

/**
 * What a service gives new records of itself, in the fields that their create does not say, as far as that is
 * known: an undo knows by it what others filled in since. `of` is a fact in the ledger that names those
 * records.
 */
export async function findNewValues({ ledger, serviceKey }: Memory, of: string): Promise<Values> {
  const known = await ledger.findFact(serviceKey, of);
  return known === undefined ? {} : (JSON.parse(known) as Values);
}

/** Remembers what a new record was seen to hold, beside what is known. */
export async function rememberNewValues(memory: Memory, of: string, seen: Values): Promise<void> {
  const now = { ...(await findNewValues(memory, of)), ...seen };
  await memory.ledger.rememberFact(memory.serviceKey, of, JSON.stringify(now));
}

/** Looks at a new record (`read`; null tells nothing) unless what is known is enough. */
export async function learnNewValues(
  context: Context,
  of: string,
  isEnough: (known: Values) => boolean,
  read: () => Promise<Values | null>,
): Promise<void> {
  if (isEnough(await findNewValues(context, of))) return;
  try {
    const seen = await read();
    if (seen !== null) await rememberNewValues(context, of, seen);
  } catch (error) {
    // Only an undo is the poorer for it; the next run looks again.
    if (!(error instanceof RequestError)) throw error;
    context.log.warn({ of, error: error.reason }, 'a new record could not be read');
  }
}
