import type { FormData } from 'undici';
import type { z } from 'zod';
import type { Endpoint } from '../schema/endpoint.ts';
import type { WireRequest } from './transport.ts';

/**
 * The request of an endpoint, its body checked strictly before anything is sent.
 * @throws TypeError when the body is not what the endpoint takes: a fault of the program, naming the fields.
 */
export async function encodeRequest(
  endpoint: Endpoint,
  path: string,
  body: unknown,
  token: string,
): Promise<WireRequest> {
  const headers = ['authorization', `Bearer ${token}`, 'user-agent', 'catersheet'];
  // Without this, some frameworks answer an API client with a redirect to a login page.
  headers.push('accept', endpoint.returns === 'binary' ? '*/*' : 'application/json');
  const checked = checkedBody(endpoint, body);
  const { method } = endpoint;
  if (checked === undefined) return { method, path, headers, body: null };
  if (endpoint.sends === 'multipart') return { method, path, headers, body: await formOf(checked) };
  headers.push('content-type', 'application/json');
  return { method, path, headers, body: Buffer.from(JSON.stringify(checked)) };
}

function checkedBody(endpoint: Endpoint, body: unknown): unknown {
  if (endpoint.body === undefined) {
    if (body !== undefined) throw new TypeError(`${endpoint.name} takes no body`);
    return undefined;
  }
  const checked = endpoint.body.safeParse(body);
  if (!checked.success) throw new TypeError(`${endpoint.name} cannot be sent: ${zodWords(checked.error)}`);
  return checked.data;
}

/** Which members are wrong and why, without their values. */
function zodWords(error: z.ZodError): string {
  const parts = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  );
  return parts.length <= 5
    ? parts.join('; ')
    : `${parts.slice(0, 5).join('; ')}; and ${parts.length - 5} more`;
}

async function formOf(body: unknown): Promise<FormData> {
  // Few send forms, and it brings half of the web's machinery along.
  const { FormData } = await import('undici/lib/web/fetch/formdata.js');
  const form = new FormData();
  for (const [name, value] of Object.entries(body as Record<string, unknown>)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, String(value));
  }
  return form;
}
