import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';
import type { Context } from '../../run/context.ts';
import type { EventResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';
import { keepsKeys } from '../catalogue/key-keeping.ts';
import type { Done } from '../kind.ts';
import { readEvent } from './read-events.ts';

/** Finds out whether the service keeps the ExternalID of an event. */
interface KeyWatch {
  /** To be told of every request that went through; only the first one with an ExternalID is read back. */
  wrote(done: Done): Promise<void>;
  notes(): Bilingual[];
}

/**
 * Reads the first event that was sent with an ExternalID back. What is learned is that the key was not kept: then the
 * ledger is believed from the next plan on. Kept, it is seen in every record.
 */
export function createKeyWatch(context: Context, resource: EventResource): KeyWatch {
  let asked: Promise<void> | undefined;
  let lost: string | null = null;
  const readBack = async (id: number, external: number): Promise<void> => {
    try {
      const existing = await readEvent(context, resource, id);
      if (existing === null || existing.external === external) return;
      lost = `${resource.external} ${external} of ${resource.id} ${id}`;
      await context.ledger.rememberFact(context.serviceKey, keepsKeys(resource), 'no');
    } catch (error) {
      // Not being able to read back says nothing about keys; the next run asks again.
      if (!(error instanceof RequestError)) throw error;
      context.log.warn({ resource: resource.name, error: error.reason }, 'a key could not be read back');
    }
  };
  return {
    async wrote({ id, body }) {
      const external = body[resource.external];
      if (id === null || typeof external !== 'number') return;
      asked ??= readBack(id, external);
      await asked;
    },
    notes: () =>
      lost === null
        ? []
        : [
            t(
              `The service does not keep ${resource.external} for ${resource.name} (${lost} was not there afterwards); this program's ledger remembers which is which.`,
              `De dienst bewaart ${resource.external} niet voor ${resource.sheet} (${lost} stond er achteraf niet); het grootboek van dit programma onthoudt welke welke is.`,
            ),
          ],
  };
}
