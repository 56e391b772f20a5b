import { fetch, type Headers, Pool } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { VirtualTime } from '../helpers/virtual-time.ts';
import type { KnobChanges } from './knobs.ts';
import { openSecondServiceInMemory, type SecondService } from './second-service.ts';

/** One answer as a test reads it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly json: any;
}

const pools = new WeakMap<SecondService, Pool>();

/** Asks by a socket, or where a service has no port through its `connect`. */
function ask(service: SecondService, url: string, init: NonNullable<Parameters<typeof fetch>[1]>) {
  if (!service.isInMemory) return fetch(url, init);
  const { connect } = service;
  const dispatcher = pools.get(service) ?? new Pool(service.url, { connect });
  pools.set(service, dispatcher);
  return fetch(url, { ...init, dispatcher });
}

/** A service in memory, in a time of its own, without a fault at the end of the test. */
export function open(knobs: KnobChanges = {}) {
  const time = new VirtualTime();
  const service = openSecondServiceInMemory(knobs, { time });
  onTestFinished(async () => {
    expect(service.faults).toEqual([]);
    await service.close();
  });
  const send = (method: string, path: string, body?: unknown) => call(service, method, path, body);
  return { time, service, send, create: (values = {}) => send('PUT', PACKAGE, packageBody(values)) };
}

/** Where a package is created. */
export const PACKAGE = 'product/pakket/create';

/** Sends one request over HTTP. */
export async function call(
  service: SecondService,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const url = path.startsWith('http') ? path : `${service.url}/api/v1/${path}`;
  const response = await ask(service, url, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /^[\ufeff]?[[{n]/.test(text) ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

/** Sends a write and gives it up as soon as the service has all of it. */
export async function giveUp(service: SecondService): Promise<void> {
  const seen = service.journal.requests.length;
  const control = new AbortController();
  const sent = ask(service, `${service.url}/api/v1/${PACKAGE}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${service.token}` },
    body: JSON.stringify(packageBody()),
    signal: control.signal,
  }).then(
    () => true,
    () => false,
  );
  while (service.journal.requests[seen]?.body === undefined)
    await new Promise((resolve) => setImmediate(resolve));
  control.abort();
  if (await sent) throw new Error('The write was answered before it could be given up.');
}

/** A package's body with all that is required. */
export function packageBody(values: Record<string, unknown> = {}): Record<string, unknown> {
  return { ProductTypeID: 1, OmschrijvingIntern: 'Lentepakket', Verkoopprijs: 9.95, ...values };
}

/** An event's body with all that is required. */
export function eventBody(values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    RelatieID: 4001,
    ContactpersoonID: 6001,
    Datum: '2027-03-04 00:00:00.000',
    Starttijd: '2027-03-04 18:00:00.000',
    Eindtijd: '2027-03-04 23:00:00.000',
    ...values,
  };
}

/** A stock mutation's body with all that is required. */
export function mutationBody(
  ProductID: number,
  values: Record<string, unknown> = {},
): Record<string, unknown> {
  const plain = { WerknemerID: 12, DatumTijd: '2027-01-02 09:30:00.000', MutatieCategorieID: 4901 };
  return { ProductID, ...plain, AantalRekeneenheid: 2.5, MutatieReden: 'Telling', ...values };
}

/** The id a write answered with. */
export function idOf(reply: Reply): number {
  return Number(reply.json.ProductID ?? reply.json.id);
}
