import { type Bilingual, t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { Values } from '../../core/value.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { numberIn, plainValues, readValues } from '../../records/existing-record.ts';
import { listGaps } from '../../records/list-gaps.ts';
import type { ContextOf, UnplacedRow } from '../../records/planning.ts';
import type { EffectVerdict, SendDoubt } from '../../records/row-guard.ts';
import { storedValues } from '../../records/stored-values.ts';
import type { SameField } from '../../records/three-way.ts';
import { detailAnswer, membersRecord, type OpenAnswer } from '../../schema/answer.ts';
import { pathParameters } from '../../schema/endpoint.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { RequestError } from '../../service/request-error.ts';

type LinkContext = ContextOf<LinkResource>;
type Links = ReadonlyMap<number, readonly Values[]>;

/** A link as it is called after its parent. */
const nameOf = ({ resource }: LinkContext, parent: unknown, child: unknown): string =>
  `${parent} ${resource.child} ${child}`;

const sizeOf = (links: Links): number => [...links.values()].reduce((sum, { length }) => sum + length, 0);

/** Takes a parent's list that came: none that is shorter was cut off. */
export async function tookList(context: LinkContext, parent: number, links: Links): Promise<void> {
  await listGaps(context).listed((name) =>
    [...links.keys()].some((child) => name === nameOf(context, parent, child)),
  );
  const { resource } = context;
  const gaps = listGaps(context);
  gaps.lacked((body) => body[resource.parent] === parent && !links.has(Number(body[resource.child])));
  await gaps.tookSize(sizeOf(links));
}

/** Whether a list may end before its last link: the service never gave a longer one. */
export const mayBeCut = async (context: LinkContext, links: Links | null): Promise<boolean> =>
  links !== null && (await listGaps(context).mayBeCut(sizeOf(links)));

/** Whether a list may leave out a link, of which no run of this ledger knows that it took it away. */
export async function mayBeHidden(
  context: LinkContext,
  links: Links | null,
  key: string | null | undefined,
): Promise<boolean> {
  if (key == null || !(await mayBeCut(context, links))) return false;
  const writes = await context.ledger.findWrites(context.serviceKey, context.resource.name, [key]);
  return writes.get(key)?.steps.at(-1)?.purpose !== 'delete';
}

/** Whether a list that lacks what a row linked proves that it is not there. */
export async function provesAbsence(
  context: LinkContext,
  { seq }: PlannedRow,
  parent: number,
  links: Links,
): Promise<boolean> {
  if (!(await mayBeCut(context, links))) return true;
  const { resource } = context;
  const gaps = listGaps(context);
  const own = gaps.made.flatMap(({ body }) =>
    body[resource.parent] === parent ? Number(body[resource.child]) : [],
  );
  const missed = own.find((child) => !links.has(child));
  if (missed !== undefined) await gaps.missed(nameOf(context, parent, missed));
  return await gaps.proves(seq, { values: {} });
}

/**
 * Whether a delete of what no list showed took effect, nor shows the list now: where that may be cut, only
 * what the service answers to a delete tells, so that it is sent again while it can be.
 */
export async function tellsGone(
  context: LinkContext,
  { planned, body, turnedDown, last }: SendDoubt,
  links: Links,
): Promise<EffectVerdict> {
  if (turnedDown !== true && (await mayBeCut(context, links))) return last === true ? null : 'no';
  const isGone = await provesAbsence(context, planned, Number(body[context.resource.parent]), links);
  return isGone ? { id: null } : null;
}

/** A row that would link, and its parent's list, which lacks it. */
interface Unlisted {
  readonly planned: UnplacedRow;
  readonly links: Links | null;
  readonly postings: ReadonlyMap<string, Posting>;
  /** The user says that it is new. */
  readonly isNew: boolean;
  holds(link: Values, alike: SameField): boolean;
}

/** What becomes of it where the list may leave it out; null where it is not there. */
export async function leftOut(context: LinkContext, unlisted: Unlisted): Promise<UnplacedRow | null> {
  const { planned, links, postings, isNew, holds } = unlisted;
  if (links === null || !(await mayBeCut(context, links))) return null;
  const gaps = listGaps(context);
  const unknown = (message: Bilingual): UnplacedRow => ({
    ...planned,
    action: 'unknown',
    steps: [],
    message,
  });
  const [posting] = postings.values();
  const { resource } = context;
  if (posting?.state === 'done') {
    const link = posting.id === null ? null : await readLink(context, posting.id);
    const body = plainValues(planned.steps[0]?.body ?? {});
    const ends = [body[resource.parent], body[resource.child]] as const;
    const isIt = link !== null && link[resource.parent] === ends[0] && link[resource.child] === ends[1];
    if (isIt) await gaps.missed(nameOf(context, ...ends));
    if (isIt && holds(link, storedValues(context).same))
      return { ...planned, action: 'unchanged', steps: [] };
    return unknown(unlistedText(posting, isIt));
  }
  // What a run sent without an answer the user settles by that run.
  if ((posting === undefined && isNew) || (await gaps.proves(-1, { values: {} }))) return null;
  return unknown(posting === undefined ? UNTOLD : openText(posting));
}

const open = detailAnswer(membersRecord({}));

/** A link by an id of its own: what the service answers to that is not shown (interface 4.5). */
async function readLink({ service, resource }: LinkContext, id: number): Promise<Values | null> {
  const each = resource.fields[resource.child]?.record?.each;
  if (each === undefined) return null;
  const [parameter = 'ID'] = pathParameters(each);
  try {
    const answer = await service.send(each, { params: { [parameter]: id } });
    const read = open.safeParse(each.returns === 'any' ? (answer as OpenAnswer).content : answer);
    if (!read.success || read.data === null) return null;
    const ends = [resource.parent, resource.child].map((end) => [end, numberIn(read.data ?? {}, end)]);
    return { ...readValues(resource, read.data), ...Object.fromEntries(ends) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return null;
  }
}

const unlistedText = ({ run, at }: Posting, isThere: boolean): Bilingual =>
  isThere
    ? t(
        `run ${run} linked it on ${shownMinute(at).en}; it is there still, holds something else, and the list leaves it out: change it on the service`,
        `run ${run} heeft het op ${shownMinute(at).nl} gekoppeld; het is er nog, er staat iets anders in, en de lijst laat het weg: wijzig het in het systeem`,
      )
    : t(
        `run ${run} linked it on ${shownMinute(at).en}, and the list does not show it: someone unlinked it, or the list ends before it, so it is not linked again; look for it on the service`,
        `run ${run} heeft het op ${shownMinute(at).nl} gekoppeld, en de lijst toont het niet: iemand heeft het ontkoppeld, of de lijst houdt ervoor op, dus het wordt niet opnieuw gekoppeld; kijk of het in het systeem staat`,
      );

const openText = ({ run, at }: Posting): Bilingual =>
  t(
    `run ${run} sent it on ${shownMinute(at).en} and no answer is known; lists of the service end before their last link, so look for it there`,
    `run ${run} heeft het op ${shownMinute(at).nl} verstuurd en er is geen antwoord bekend; lijsten van het systeem houden op voor hun laatste koppeling, dus kijk of het er staat`,
  );

const UNTOLD = t(
  'lists of the service end before their last link, so it may be linked already; look for it there, and put create in #action where it is not',
  'lijsten van het systeem houden op voor hun laatste koppeling, dus misschien is het al gekoppeld; kijk of het er staat, en zet create in #action als dat niet zo is',
);
