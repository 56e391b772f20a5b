import { TICKET } from '../contract/paths.ts';
import { call } from './call.ts';

/** An address that can be followed once, without the header of the session. Rejects with CallError. */
export async function ticketed(address: string, signal?: AbortSignal): Promise<string> {
  const { ticket } = await call('ticket', { body: { address }, ...(signal && { signal }) });
  return `${address}${address.includes('?') ? '&' : '?'}${TICKET}=${ticket}`;
}
