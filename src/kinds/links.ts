import { type Bilingual, t } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import type { Value, Values } from '../core/value.ts';
import type { Posting } from '../ledger/ledger.ts';
import { type FindDoubles, rememberResend } from '../records/doubts.ts';
import {
  type ExistingRecord,
  holdsSent,
  mayBeMissing,
  numberIn,
  plainValues,
} from '../records/existing-record.ts';
import type { ContextOf, UnplacedRow } from '../records/planning.ts';
import { referenceColumn } from '../records/references.ts';
import { neverSent } from '../records/sent-before.ts';
import { sharedReading } from '../records/shared-reading.ts';
import type { Context } from '../run/context.ts';
import type { AnswerRecord } from '../schema/answer.ts';
import type { LinkResource } from '../schema/resource.ts';
import { listRecords } from '../service/pages.ts';
import { RequestError } from '../service/request-error.ts';
import { createEventCheck } from './event-reads.ts';

/** What working on links is handed. */
export type LinkContext = ContextOf<LinkResource>;

/** What is linked to a parent, by what is linked: more than one where it was linked again. */
type Links = ReadonlyMap<number, readonly Values[]>;

const OK = 200;

/**
 * The list of what is linked to a record (interface 4.5). A record without links may have none, so the record
 * itself is asked for: null where it is gone, `none` where it is there. Throws RequestError, which names it.
 */
export async function listLinks(
  { service }: Pick<Context, 'service'>,
  { parent, requests }: LinkResource,
  ID: number,
  isThere: (id: number) => Promise<boolean>,
  signal?: AbortSignal,
): Promise<AnswerRecord[] | 'none' | null> {
  try {
    return await listRecords(service, requests.list, { params: { ID }, ...(signal && { signal }) });
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    const { endpoint, status, words, attempts, reasons } = cause;
    if (mayBeMissing(cause) && !(await isThere(ID))) return null;
    const isMissing = cause.kind === 'missing';
    // A success that says there is nothing, where there is something, may be a fault of the service.
    if (isMissing && status !== OK) return 'none';
    const name = `${parent} ${ID}`;
    const reason = t(`${name}: ${reasons.en}`, `${name}: ${reasons.nl}`);
    // What is wrong with one of many is no matter of the address.
    const kind = isMissing ? 'malformed' : cause.kind;
    throw new RequestError({ endpoint, status, words, attempts, cause, kind, reason });
  }
}

/** Reads a parent's links; null when the service has no such parent. */
export async function readLinks(
  context: LinkContext,
  parent: number,
  isThere = createEventCheck(context),
): Promise<Links | null> {
  const { resource } = context;
  const records = await listLinks(context, resource, parent, isThere);
  if (records === null) return null;
  const links = new Map<number, Values[]>();
  const of = resource.fields[resource.child]?.record;
  for (const record of records === 'none' ? [] : records) {
    const child = numberIn(record, resource.child);
    if (child === null) continue;
    const same = links.get(child) ?? [];
    links.set(child, same);
    if (of !== undefined) context.named.saw(of, child, record);
    const read = (name: string): Value => resource.fields[name]?.codec.read(record[name]) ?? null;
    same.push(Object.fromEntries(heldFields(resource).map((name) => [name, read(name)])));
  }
  return links;
}

/** Links that were sent again and stand twice in their parent's list. */
export function linkDoubles(context: LinkContext): FindDoubles {
  const { parent, child } = context.resource;
  return async ({ body, posting: { run } }) => {
    const links = (await readLinks(context, Number(body[parent])))?.get(Number(body[child])) ?? [];
    if (links.filter((values) => holdsSent(context.resource, { values }, body)).length < 2) return [];
    const ends = `${parent}:${child} ${body[parent]}:${body[child]}`;
    const text = t(
      `${ends} is linked twice, as one link came late beside the one that run ${run} sent again: the service can't tell them apart for this program, so take one away there by hand`,
      `${ends} is twee keer gekoppeld, omdat een koppeling laat kwam naast die run ${run} opnieuw verstuurde: dit programma kan ze niet uit elkaar houden, dus haal er in het systeem met de hand één weg`,
    );
    return [text];
  };
}

/** The fields that are a link's own to change: not what it links. */
export function ownFields({ fields, parent, child }: LinkResource): string[] {
  return Object.entries(fields).flatMap(([name, { update }]) =>
    update === 'none' || name === parent || name === child ? [] : [name],
  );
}

/** The same, and those that are only read. */
const heldFields = ({ fields, parent, child }: LinkResource): string[] =>
  Object.entries(fields).flatMap(([name, { refers }]) =>
    refers !== undefined || name === parent || name === child ? [] : [name],
  );

/** A link as a record, with its place among those of its pair: what they held stands for an LMT. */
export function stateOf(resource: LinkResource, values: Values, links: readonly Values[]): ExistingRecord {
  const names = ownFields(resource);
  const lmt = JSON.stringify(
    links.map((link) => Object.fromEntries(names.map((name) => [name, link[name]]))),
  );
  return { id: null, external: null, lmt, values };
}

/** Reads the lists of parents: one that was read before, or as `sharedReading` says where it may not be as old. */
export function createParentLists(context: LinkContext) {
  const isThere = createEventCheck(context);
  return sharedReading(context.time, (parent: number) => readLinks(context, parent, isThere));
}

/** Names a link by its parent's id and by its ExternalID, under which the run knows it that creates it. */
async function linkNames(
  { ledger, serviceKey, resource }: LinkContext,
  key: string,
): Promise<[string, ...string[]]> {
  const [, external, id = '', child = ''] = /^(external:)?(\d+):(.+)$/.exec(key) ?? [];
  const parent = Number(id);
  const names: [string, ...string[]] = [`link:${key}`];
  for (const other of parentColumn(resource)?.refers.resources ?? []) {
    const also =
      external === undefined
        ? (await ledger.findKeys(serviceKey, other, [parent], 'id')).get(parent)?.external
        : (await ledger.findKeys(serviceKey, other, [parent])).get(parent)?.id;
    if (also !== undefined) names.push(`link:${external === undefined ? 'external:' : ''}${also}:${child}`);
  }
  return names;
}

/**
 * A row that would link, named so that it is sent once. What an earlier run sent of it is looked for, by `isShown`,
 * until it can arrive no more: null where it did, else it may be sent again, unless another program may be sending
 * it now.
 */
export async function linkedBefore(
  context: LinkContext,
  planned: UnplacedRow,
  isShown: () => Promise<boolean>,
): Promise<UnplacedRow | null> {
  const { ledger, serviceKey, exclusive, resource, doubts, signal } = context;
  const [step, ...rest] = planned.steps;
  if (step?.purpose !== 'create' || planned.key === null) return planned;
  const names = await linkNames(context, planned.key);
  const [fingerprint, ...also] = names;
  const named = { ...step, fingerprint, ...(also.length === 0 ? {} : { also }) };
  const postings = await ledger.findPostings(serviceKey, resource.name, names);
  const open = [...postings.values()].find(({ state }) => state === 'sending');
  if (open !== undefined && !exclusive)
    return { ...planned, action: 'unknown', steps: [], message: inDoubtText(open) };
  const isLinkable = typeof step.body[resource.parent] === 'number';
  if (open !== undefined && isLinkable && !(await neverSent(context, open))) {
    // How long ago that was only our clock tells, which may have been set since.
    if (await doubts.look(doubts.fromStart(), isShown, (seen) => seen)) return null;
    signal?.throwIfAborted();
    const { fingerprint: name, run } = open;
    const resend = { fingerprint: name, run, body: plainValues(step.body) };
    await rememberResend(context, resend);
  }
  await freePostings(context, postings);
  return { ...planned, steps: [named, ...rest] };
}

/** Lets a link be made anew: it is known not to be there. */
export async function freeLink(context: LinkContext, key: string): Promise<void> {
  const { ledger, serviceKey, resource } = context;
  const names = await linkNames(context, key);
  await freePostings(context, await ledger.findPostings(serviceKey, resource.name, names));
}

/** Frees each posting once, by whichever name it was found. */
async function freePostings(
  { ledger, serviceKey, resource: { name } }: LinkContext,
  postings: ReadonlyMap<string, Posting>,
): Promise<void> {
  const names = new Set([...postings.values()].map(({ fingerprint }) => fingerprint));
  for (const fingerprint of names) await ledger.settlePosting(serviceKey, name, fingerprint, null);
}

const inDoubtText = ({ run, at }: Posting): Bilingual =>
  t(
    `run ${run} sent it on ${shownMinute(at).en} and no answer is known; it may be at it still, so import to send what is not there`,
    `run ${run} heeft het op ${shownMinute(at).nl} verstuurd en er is geen antwoord bekend; misschien is die nog bezig, dus importeer om te versturen wat er niet staat`,
  );

/** The column that names the parent by a key of its own; null where a resource has none. */
export const parentColumn = (resource: LinkResource) => referenceColumn(resource, resource.parent);
