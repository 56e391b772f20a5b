import type { QueueDatabase } from './postgres/queue-database.ts';

export type { QueueDatabase };

/** Opens the database of a ledger for its queue, with connections of its own. */
export async function openQueueDatabase(address: string): Promise<QueueDatabase> {
  // Most programs never need the driver.
  const { queueDatabase } = await import('./postgres/pg-ledger.ts');
  return queueDatabase(address);
}
