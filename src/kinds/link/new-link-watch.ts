import type { Values } from '../../core/value.ts';
import type { SentStep } from '../../records/row-guard.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { learnNewValues } from '../../records/undo.ts';
import { type LinkContext, newLinkTo, ownFields, readLinks } from './links.ts';

/** Looks at the first new link to each record: some services fill in fields from the record. */
export function createNewLinkWatch(context: LinkContext): (sent: SentStep) => Promise<void> {
  const { resource } = context;
  const look = askedOnce(async (child: number, { body }: SentStep, unsent: readonly string[]) => {
    const isKnown = (known: Values): boolean => unsent.every((field) => known[field] !== undefined);
    await learnNewValues(context, newLinkTo(resource, child), isKnown, async () => {
      const links = await readLinks(context, Number(body[resource.parent]));
      const [link, ...others] = links?.get(child) ?? [];
      if (link === undefined || others.length > 0) return null;
      return Object.fromEntries(unsent.map((field) => [field, link[field] ?? null]));
    });
  });
  return async (done) => {
    const child = done.body[resource.child];
    if (done.step.purpose !== 'create' || typeof child !== 'number') return;
    const sent = new Set(done.planned.steps.flatMap(({ body }) => Object.keys(body)));
    const unsent = ownFields(resource).filter((field) => !sent.has(field));
    if (unsent.length > 0) await look(child, done, unsent);
  };
}
