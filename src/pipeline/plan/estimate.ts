import type { Service } from '../../service/service.ts';

/**
 * About how long so many requests will take, ms, by how quickly the service answered so far, how many may be in flight
 * and how many a second; null when it has not answered yet.
 */
export function estimateMs(
  requests: number,
  { latency, limit, rate }: Pick<Service['stats'], 'latency' | 'limit' | 'rate'>,
): number | null {
  if (requests === 0) return 0;
  if (latency === null) return null;
  return Math.round(Math.max((requests * latency) / limit, (requests * 1000) / rate));
}
