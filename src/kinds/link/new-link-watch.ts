import { t } from '../../core/language.ts';
import type { Values } from '../../core/value.ts';
import { listGaps } from '../../records/list-gaps.ts';
import type { SentStep } from '../../records/row-guard.ts';
import { askedOnce } from '../../records/shared-reading.ts';
import { storedValues } from '../../records/stored-values.ts';
import { learnNewValues } from '../../records/undo.ts';
import { RequestError } from '../../service/request-error.ts';
import { mayBeCut } from './cut-lists.ts';
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
      await storedValues(context).saw(body, link);
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

/** So long a list may be late with a link before that is told, ms. */
const LATE = 1_500;

/** Says that the list of a new link does not show it: what it leaves out may be linked twice by now. */
export async function tellUnlisted(context: LinkContext): Promise<void> {
  const { doubts, resource, log, time } = context;
  const gaps = listGaps(context);
  const { [resource.parent]: parent, [resource.child]: child } = gaps.unlisted?.body ?? {};
  if (typeof parent !== 'number' || typeof child !== 'number' || (await gaps.known()) !== null) return;
  try {
    const until = Math.min(time.steady() + LATE, doubts.fromNow());
    const read = () => readLinks(context, parent);
    const links = await doubts.look(until, read, (seen) => seen === null || seen.has(child));
    if (links == null || links.has(child) || !(await mayBeCut(context, links))) return;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    log.warn({ resource: resource.name, error: error.reason }, 'the list of a new link could not be read');
    return;
  }
  const { sheet } = resource;
  const pair = `${resource.parent} ${parent}`;
  const link = `${resource.child} ${child}`;
  gaps.note(
    t(
      `${sheet}: the list of ${pair} does not show ${link}, which this run linked. It comes late, or the list ends before its last link, and a row may have linked what was linked already: look there whether it stands twice.`,
      `${sheet}: de lijst van ${pair} toont ${link} niet, dat deze run heeft gekoppeld. Het komt laat, of de lijst houdt op voor de laatste koppeling, en dan is misschien iets gekoppeld dat er al was: kijk of het er twee keer staat.`,
    ),
  );
}
