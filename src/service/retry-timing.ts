const FIRST_MS = 250;
const LONGEST_MS = 20_000;
const LONGEST_ASKED_MS = 60_000;

/** How long to wait before the attempt after `attempt` (from 1): exponential, with full jitter so that senders spread. */
export function backoff(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)));
}

/**
 * How long a Retry-After header asks to wait, in milliseconds and at most a minute; null when there is none.
 * A date is compared with the answer's own Date where it has one: the clocks may differ.
 */
export function retryAfter(
  headers: { readonly 'retry-after'?: unknown; readonly date?: unknown },
  now: number,
): number | null {
  const asked = headers['retry-after'];
  if (typeof asked !== 'string' || asked.trim() === '') return null;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(asked) ? Number(asked) * 1000 : dateAfter(asked, headers.date, now);
  return Number.isNaN(ms) ? null : Math.min(LONGEST_ASKED_MS, Math.max(0, Math.ceil(ms)));
}

function dateAfter(asked: string, answered: unknown, now: number): number {
  const from = typeof answered === 'string' ? Date.parse(answered) : Number.NaN;
  return Date.parse(asked) - (Number.isNaN(from) ? now : from);
}
