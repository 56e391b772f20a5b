import type { Time } from '../core/time.ts';
import type { QueueDatabase } from './postgres/queue-database.ts';

export type { QueueDatabase };

/**
 * Opens the database of a ledger for its queue, with connections of its own; `signal` cuts the waiting for
 * one that is away short.
 */
export async function openQueueDatabase(
  address: string,
  time: Time,
  signal?: AbortSignal,
): Promise<QueueDatabase> {
  // Most programs never need the driver.
  const { queueDatabase } = await import('./postgres/pg-ledger.ts');
  return queueDatabase(address, time, signal);
}
