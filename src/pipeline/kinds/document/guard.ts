import { realpath } from 'node:fs/promises';
import type { DocumentResource } from '../../../schema/command-resources.ts';
import { KEYLESS } from '../keyless.ts';
import type { RowGuard, SenderSetup } from '../kind.ts';
import type { Moved } from '../moved.ts';
import { contentHash, isNamedBy } from './document-name.ts';
import { goneText, lookText, otherContentText } from './texts.ts';
import { calledIn, upload } from './upload.ts';

/** What was planned is what goes: a file that changed since is not sent. No read tells whether one arrived. */
export function documentGuard({ context }: SenderSetup, resource: DocumentResource): RowGuard {
  return {
    async check({ steps: [step] }) {
      const path = String(step?.body[resource.file]);
      try {
        // A link that came in its place may lead anywhere.
        if ((await realpath(path)) !== path) return moved(otherContentText);
        const same = isNamedBy(step?.fingerprint, await contentHash(path));
        return same ? null : moved(otherContentText);
      } catch {
        return moved(goneText);
      }
    },
    wrote: async () => {},
    tookEffect: async () => null,
    async describeDoubt({ planned: { steps }, body }) {
      const { event, folder, file } = resource;
      const name = calledIn(steps[0]?.params, String(body[file]));
      return lookText(Number(body[event]), String(body[folder]), name);
    },
    carryOut: (_, resolved) => upload(context, resource, resolved),
    keys: KEYLESS,
    notes: () => [],
  };
}

const moved = (message: Moved['message']): Moved => ({ message });
