import { type Endpoint, pathParameters } from '../schema/endpoint.ts';
import type { Bilingual } from '../schema/value.ts';
import { RequestError } from '../service/request-error.ts';
import { type Context, wallClock } from './context.ts';

/** What an endpoint answered; `ok` is false for an answer that nothing can be done with. */
export interface EndpointCheck {
  readonly ok: boolean;
  readonly found: Bilingual;
}

/** An id that no record has: how a service says so differs (design: Dialect). */
export const NO_SUCH_ID = 2_147_483_000;

const both = (en: string, nl: string): Bilingual => ({ en, nl });

/** What members of a body are tried with, in the shapes that endpoints ask for: a day, a minute, a moment. */
function samples(now: string): Readonly<Record<string, unknown>>[] {
  const [day, minute] = [now.slice(0, 10), now.slice(0, 16)];
  const rest = { EnkelEvenement: false, EnkelEvent: false, ProductID: NO_SUCH_ID };
  return [
    { ...rest, DatumVan: day, DatumTot: day, LMT: minute },
    { ...rest, DatumVan: now, DatumTot: now, LMT: now },
  ];
}

/** The smallest body that an endpoint takes; null when there is none to be thought of. */
function bodyFor({ body }: Endpoint, now: string): unknown {
  const { shape = {} } = (body?.def ?? {}) as { shape?: object };
  const tries = samples(now).map((sample) =>
    Object.fromEntries(Object.entries(sample).filter(([name]) => Object.hasOwn(shape, name))),
  );
  return tries.find((one) => body?.safeParse(one).success) ?? null;
}

/**
 * Asks an endpoint that only reads for as little as it can be asked for: a record that is not there, a list of one day.
 * Throws StopError for a refused token, RequestError when nothing answers at all.
 */
export async function tryEndpoint(context: Context, endpoint: Endpoint): Promise<EndpointCheck> {
  if (endpoint.effect !== 'none') throw new TypeError(`${endpoint.name} does more than read`);
  const { name } = endpoint;
  const params = Object.fromEntries(
    pathParameters(endpoint).map((one) => [one, one === 'extension' ? 'pdf' : NO_SUCH_ID]),
  );
  const body = endpoint.body === undefined ? undefined : bodyFor(endpoint, wallClock(context.clock()));
  if (body === null) throw new TypeError(`${name} asks for what nothing here can be`);
  try {
    await context.service.send(endpoint, body === undefined ? { params } : { params, body });
    return { ok: true, found: ANSWERS };
  } catch (error) {
    if (!(error instanceof RequestError) || error.kind === 'unreachable') throw error;
    // What is not there is answered all the same, and so is an id that is refused as such.
    const understood = error.kind === 'missing' || (error.kind === 'refused' && error.status === 422);
    return { ok: understood, found: understood ? ANSWERS : error.reasons };
  }
}

const ANSWERS = both('answers', 'antwoordt');
