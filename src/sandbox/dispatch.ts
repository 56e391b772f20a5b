import type { Endpoint } from '../schema/endpoint.ts';
import { referenceErrors } from './references.ts';
import { type Reply, refused } from './reply.ts';
import type { Match } from './router.ts';
import type { Handlers, Service } from './service.ts';
import { fieldErrors } from './validation.ts';

/** What came over the wire, before it is checked. */
export interface RawRequest {
  readonly address: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
}

type Checked = { readonly body: Readonly<Record<string, unknown>> } | { readonly reply: Reply };

/** Every endpoint has a handler and every handler an endpoint. Throws a TypeError that names what has no partner. */
export function checkHandlers(table: readonly Endpoint[], handlers: Handlers): void {
  const names = new Set(table.map((endpoint) => endpoint.name));
  const unhandled = [...names].filter((name) => !(name in handlers));
  const unknown = Object.keys(handlers).filter((name) => !names.has(name));
  if (unhandled.length > 0) throw new TypeError(`the sandbox has no handler for ${unhandled.join(', ')}`);
  if (unknown.length > 0) throw new TypeError(`the endpoint table has no ${unknown.join(', ')}`);
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

/** The body as sent; undefined when it cannot be read. Without any it is an empty object, so that each required field is named. */
async function readBody(endpoint: Endpoint, request: RawRequest): Promise<unknown> {
  try {
    if (endpoint.sends === 'multipart') return await formFields(request);
    return request.body.length === 0 ? {} : JSON.parse(request.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function check(endpoint: Endpoint, request: RawRequest, service: Service): Promise<Checked> {
  if (endpoint.body === undefined) return { body: {} };
  const sent = await readBody(endpoint, request);
  if (sent === undefined) {
    const expected = endpoint.sends === 'multipart' ? 'multipart/form-data' : 'geldige JSON';
    return { reply: refused({ body: [`De aanvraag bevat geen ${expected}.`] }) };
  }
  const result = endpoint.body.safeParse(sent);
  if (!result.success) return { reply: refused(fieldErrors(result.error.issues, sent)) };
  const body = result.data as Readonly<Record<string, unknown>>;
  const errors = referenceErrors(body, service.company);
  return Object.keys(errors).length > 0 ? { reply: refused(errors) } : { body };
}

/** Checks a request's body and has its endpoint's handler answer it. */
export async function dispatch(
  match: Match,
  request: RawRequest,
  handlers: Handlers,
  service: Service,
): Promise<Reply> {
  const checked = await check(match.endpoint, request, service);
  if ('reply' in checked) return checked.reply;
  const handler = handlers[match.endpoint.name];
  if (handler === undefined) throw new TypeError(`no handler for ${match.endpoint.name}`);
  const { address, query } = request;
  return handler({ parameters: match.parameters, body: checked.body, address, query }, service);
}
