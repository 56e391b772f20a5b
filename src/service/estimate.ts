import type { Service } from './service.ts';

/**
 * About how long so many requests take, ms, by the service's latency so far (ms), the requests in flight and
 * the rate (requests/s); null when it has not answered yet.
 */
export function estimateMs(
  requests: number,
  { latency, limit, rate }: Pick<Service['stats'], 'latency' | 'limit' | 'rate'>,
): number | null {
  if (requests === 0) return 0;
  if (latency === null) return null;
  return Math.round(Math.max((requests * latency) / limit, (requests * 1000) / rate));
}
