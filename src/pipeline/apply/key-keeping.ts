import type { Resource } from '../../schema/resource.ts';
import type { Context } from '../context.ts';
import { readDetail } from '../plan/read-detail.ts';

/**
 * Whether the service keeps an ExternalID that an update stores: found out once a run, by reading the first
 * created record back by it (design: Dialect).
 */
export interface KeyKeeping {
  /** False once it is known that the service does not keep it: the ledger alone remembers from then on. */
  kept(): boolean;
  /** To be called after a key was stored; only the first call asks. */
  verify(external: number, id: number): Promise<void>;
  /** To be called when the service refuses to store a key. */
  refused(words: string): void;
  /** Why the ledger alone remembers; null while the service keeps keys. */
  readonly reason: () => string | null;
}

export function createKeyKeeping(context: Context, resource: Resource): KeyKeeping {
  let asked: Promise<void> | undefined;
  let reason: string | null = null;
  const verify = async (external: number, id: number): Promise<void> => {
    const found = await readDetail(context, resource, external, 'external');
    if (found?.id === id) return;
    reason = `${resource.external} ${external} of ${resource.id} ${id} was not found again`;
    context.log.warn({ resource: resource.name, external, id }, 'the service does not keep ExternalID');
  };
  return {
    kept: () => reason === null,
    reason: () => reason,
    refused(words) {
      reason ??= words;
    },
    verify(external, id) {
      asked ??= verify(external, id);
      return asked;
    },
  };
}
