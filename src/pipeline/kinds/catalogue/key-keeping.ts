import type { CatalogueResource } from '../../../schema/resource.ts';
import type { Context } from '../../context.ts';
import type { KeyKeeping } from '../kind.ts';
import { readDetail } from './read-detail.ts';

/**
 * Finds out once a run whether the service keeps an ExternalID that an update stores, by reading the first created
 * record back by it.
 */
export function createKeyKeeping(
  context: Context,
  resource: CatalogueResource,
): KeyKeeping & { readonly reason: () => string | null } {
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
