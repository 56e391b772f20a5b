import { request } from 'undici';
import { onTestFinished } from 'vitest';
import type { SandboxSettings } from '../../src/sandbox/options.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';

export const TOKEN = 'wilgenoord-proef';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look inside answers of every shape.
  readonly body: any;
}

export interface Opened {
  readonly url: string;
  /** One request with the token; the body is parsed when it is JSON, else text. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The records of a kind as they are stored. */
  records(kind: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends one request over a connection of its own. */
export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await request(`${url}${path}`, {
    method: method as 'GET',
    body: body === undefined ? null : text,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
  });
  const answer = new Headers(response.headers as Record<string, string>);
  return { status: response.statusCode, headers: answer, body: parsed(await response.body.text()) };
}

/** A sandbox of the test's own, closed when the test ends. */
export async function open(options: SandboxSettings = {}): Promise<Opened> {
  const sandbox = await createSandbox({ token: TOKEN, ...options });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= sandbox.close();
    return closing;
  };
  onTestFinished(close);
  const call: Opened['call'] = (method, path, body, headers) =>
    send(sandbox.url, method, path, body, headers);
  return {
    url: sandbox.url,
    call,
    records: async (kind) => (await call('GET', '/_sandbox/dump')).body[kind],
    close,
  };
}

export const PACKAGE = { ProductTypeID: 2, OmschrijvingIntern: 'Proeflunch', Verkoopprijs: 12.5 };

export const RECIPE = {
  OmschrijvingIntern: 'Proefsoep',
  ProductCategorieID: 1,
  ProductEenheidWaardeID: 203,
  Gewicht: 0.25,
  OPK: 10,
};

export const EVENT = {
  RelatieID: 1,
  ContactpersoonID: 6,
  Datum: '2027-04-28 00:00:00',
  Starttijd: '2027-04-28 11:30:00',
  Eindtijd: '2027-04-28 13:30:00',
};

export const MUTATION = {
  ProductID: 7001,
  WerknemerID: 12,
  DatumTijd: '2026-03-31 07:45:00',
  MutatieCategorieID: 4901,
  MutatieReden: 'Weektelling koelcel',
};

/** A moment before everything. */
export const EVER = '2020-01-01 00:00:00';
