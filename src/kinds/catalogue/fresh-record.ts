import type { Values } from '../../core/value.ts';
import type { Context } from '../../run/context.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import type { Done } from '../kind.ts';
import type { Existing } from './existing.ts';
import { readDetail } from './read-detail.ts';

/** The fact in the ledger that tells what the service gives a new record of itself. */
const factName = ({ name }: CatalogueResource): string => `a new record of ${name}`;

/** What a service gives a new record in the fields that its create does not say, as far as that is known. */
export async function findFresh(
  { ledger, serviceKey }: Context,
  resource: CatalogueResource,
): Promise<Values> {
  const known = await ledger.findFact(serviceKey, factName(resource));
  return known === undefined ? {} : (JSON.parse(known) as Values);
}

/** Learns it from a record that was read right after it was made. */
export async function learnFresh(
  context: Context,
  resource: CatalogueResource,
  { body }: { readonly body: Readonly<Record<string, unknown>> },
  record: Existing,
): Promise<void> {
  const unsent = Object.entries(record.values).filter(
    ([field]) => body[field] === undefined && !resource.keys.includes(field) && field !== 'LMT',
  );
  const known = await findFresh(context, resource);
  const now = JSON.stringify({ ...known, ...Object.fromEntries(unsent) });
  await context.ledger.rememberFact(context.serviceKey, factName(resource), now);
}

/** Looks at the first record that is made of a resource whose new records are not known yet; one that is read back anyway is not asked for. */
export function createFreshWatch(
  context: Context,
  resource: CatalogueResource,
): (done: Done) => Promise<void> {
  let asked: Promise<void> | undefined;
  const look = async (done: Done, id: number): Promise<void> => {
    if (Object.keys(await findFresh(context, resource)).length > 0) return;
    try {
      const record = await readDetail(context, resource, id);
      if (record !== null) await learnFresh(context, resource, done, record);
    } catch (error) {
      // Only an undo is the poorer for it; the next run looks again.
      if (!(error instanceof RequestError)) throw error;
      context.log.warn({ resource: resource.name, error: error.reason }, 'a new record could not be read');
    }
  };
  return async (done) => {
    const { step, planned, id } = done;
    if (step.purpose !== 'create' || planned.steps.length > 1 || id === null) return;
    asked ??= look(done, id);
    await asked;
  };
}
