import type { z } from 'zod';
import { parseIso } from '../core/codecs/datetime.ts';
import { shapeWords } from '../core/shape-words.ts';
import type { Values } from '../core/value.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { REFERENCES } from './company.ts';
import { type HandlerCall, type Handlers, Refusal, type Reply, refused } from './handler.ts';
import { eventHandlers } from './handlers/events.ts';
import { lookupHandlers } from './handlers/lookups.ts';
import { productHandlers } from './handlers/products.ts';
import { tripHandlers } from './handlers/trips.ts';

/** One handler for each endpoint of the table, by its name. */
const HANDLERS: Handlers = {
  ...productHandlers,
  ...eventHandlers,
  ...tripHandlers,
  ...lookupHandlers,
};

/** A request before its body is checked. */
interface RawRequest extends Pick<HandlerCall, 'address' | 'query'> {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Checks a request's body and has its endpoint's handler answer it. */
export async function dispatch(
  endpoint: Endpoint,
  parameters: HandlerCall['parameters'],
  request: RawRequest,
  service: Pick<HandlerCall, 'store' | 'dialect' | 'pageSize'>,
): Promise<Reply> {
  const handler = HANDLERS[endpoint.name];
  if (handler === undefined) throw new TypeError(`no handler for ${endpoint.name}`);
  try {
    const body = await checkedBody(endpoint, request);
    const { address, query } = request;
    const id = idOf(parameters.ID ?? parameters.id);
    return await handler({ ...service, parameters, id, body, address, query });
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal.reply;
    throw refusal;
  }
}

/** A path segment as an id. */
function idOf(segment = ''): number {
  const id = /^-?\d{1,16}$/.test(segment) ? Number(segment) : Number.NaN;
  return Number.isSafeInteger(id) ? id : Number.NaN;
}

/** The body when it is as the endpoint takes it. @throws Refusal that says what is wrong. */
async function checkedBody(endpoint: Endpoint, request: RawRequest): Promise<Values> {
  if (endpoint.body === undefined) return {};
  const sent = await readBody(endpoint, request);
  if (sent === undefined) {
    const expected = endpoint.sends === 'multipart' ? 'multipart/form-data' : 'geldige JSON';
    throw new Refusal(refused({ body: [`De aanvraag bevat geen ${expected}.`] }));
  }
  const result = endpoint.body.safeParse(sent);
  if (!result.success) throw new Refusal(refused(fieldErrors(result.error.issues, sent)));
  const body = result.data as Values;
  const errors = referenceErrors(body);
  if (Object.keys(errors).length > 0) throw new Refusal(refused(errors));
  return body;
}

/** The body as sent; undefined when unreadable. None is `{}`, so that each required field is named. */
async function readBody(endpoint: Endpoint, request: RawRequest): Promise<unknown> {
  try {
    if (endpoint.sends === 'multipart') return await formFields(request);
    return request.body.length === 0 ? {} : JSON.parse(request.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function formFields(request: RawRequest): Promise<unknown> {
  const response = new Response(request.body, { headers: { 'content-type': request.contentType } });
  const form = await response.formData();
  const number = (value: unknown): unknown =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, name.endsWith('ID') ? number(value) : value]),
  );
}

const MOMENTS = ['Datum', 'Starttijd', 'Eindtijd', 'DatumTijd', 'DatumVan', 'DatumTot', 'LMT'];

/** What is wrong, in sentences by field. */
type FieldErrors = Record<string, string[]>;

/** Unknown ids and impossible dates, by field; null clears and refers to nothing. */
function referenceErrors(body: Values): FieldErrors {
  const errors: FieldErrors = {};
  for (const [field, value] of Object.entries(body)) {
    if (typeof value === 'number' && REFERENCES[field]?.has(value) === false) {
      errors[field] = [`Het gekozen ${field} is ongeldig.`];
    }
    if (MOMENTS.includes(field) && typeof value === 'string' && parseIso(value) === undefined) {
      errors[field] = [`Het veld ${field} bevat geen geldige datum.`];
    }
  }
  return errors;
}

type Problem = z.core.$ZodIssue;

function sentence(field: string, problem: Problem, body: unknown): string {
  if (problem.code === 'unrecognized_keys') return `Het veld ${field} is hier niet toegestaan.`;
  if (problem.path.length === 0) return 'De aanvraag moet een JSON-object bevatten.';
  if ((body as Record<string, unknown>)[field] === undefined) return `Het veld ${field} is verplicht.`;
  const { nl } = shapeWords({ issues: [problem] });
  return `Het veld ${nl}.`;
}

/** Zod's issues in the service's words, by field. */
export function fieldErrors(problems: readonly Problem[], body: unknown): FieldErrors {
  // A field may have any name, also one that every object knows.
  const errors: FieldErrors = Object.create(null);
  for (const problem of problems) {
    const oneOf = problem.code === 'custom' ? (problem.params?.oneOf as string[] | undefined) : undefined;
    const keys = problem.code === 'unrecognized_keys' ? problem.keys : undefined;
    for (const field of oneOf ?? keys ?? [String(problem.path[0] ?? 'body')]) {
      const text = oneOf
        ? `Een van de velden ${oneOf.join(', ')} is verplicht.`
        : sentence(field, problem, body);
      errors[field] = [...(errors[field] ?? []), text];
    }
  }
  return errors;
}
