import { createHash } from 'node:crypto';
import { type Bilingual, composed, inOne, t, withFlag } from '../core/language.ts';
import type { PlannedRow, ShownStatus, Step } from '../core/plan.ts';
import { shownMinute, shownMoment } from '../core/shown-moment.ts';
import { isFromCopy, type Posting, type StoredResult } from '../ledger/ledger.ts';
import { type Context, wallClock } from '../run/context.ts';
import { elsewhereText, openElsewhere } from '../run/posted-elsewhere.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, mayShow, sameValue } from './existing-record.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import {
  type ContextOf,
  type OnConflict,
  type RowDecision,
  type UnplacedRow,
  unsentRow,
} from './planning.ts';

type Content = PlannedRow['steps'][number]['body'];

/** The name of a row with a `#key`. */
export const byReference = (key: string): string => `key:${key}`;

/**
 * Names what rows send, the same row of the same file by the same name again: by the user's own `#key`, else by content with its ordinal among equal rows of the file. One
 * serves all sheets of a resource in a run: equal rows on two sheets are two rows.
 */
export function createNaming() {
  const seen = new Map<string, number>();
  return (key: string | null, content: Content): string => {
    if (key !== null) return byReference(key);
    const hash = hashOf(content);
    const ordinal = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, ordinal);
    return `content:${hash}:${ordinal}`;
  };
}

export function hashOf(content: Content): string {
  const sorted = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 27);
}

/** The row that posted it, in the run that did. */
export async function sentRow(
  { ledger }: Context,
  { run, seq }: Pick<Posting, 'run' | 'seq'>,
): Promise<StoredResult | undefined> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  return sent?.planned.seq === seq ? sent : undefined;
}

/** Whether a run was cut off before its request went out; its place in the ledger is then free again. */
export async function neverSent(context: ContextOf<Resource>, posting: Posting): Promise<boolean> {
  const { ledger, serviceKey, exclusive, resource } = context;
  if (posting.state !== 'sending' || !exclusive) return false;
  const row = await sentRow(context, posting);
  if (row === undefined || row.outcome !== null || row.progress?.sendingSince != null) return false;
  await ledger.settlePosting(serviceKey, resource.name, posting.fingerprint, null);
  return true;
}

/** What earlier runs sent under these names, here and elsewhere; of several the first used one counts. */
export async function findPosted(context: ContextOf<Resource>, fingerprints: readonly string[]) {
  const { ledger, serviceKey, resource } = context;
  const others = await (await openElsewhere(context, resource.name))(fingerprints);
  const postings = await ledger.findPostings(serviceKey, resource.name, fingerprints);
  const first = <P>(among: ReadonlyMap<string, P>, names: readonly string[]): P | undefined =>
    names.map((one) => among.get(one)).find((found) => found !== undefined);
  const there = (names: readonly string[]) => first(others, names);
  return {
    /** Unless it was certainly not sent. Of most rows nothing was, and nothing is to be waited for. */
    here(names: readonly string[]): Promise<Posting | undefined> | undefined {
      const posting = first(postings, names);
      return posting && neverSent(context, posting).then((isNever) => (isNever ? undefined : posting));
    },
    there,
    /** A row that would be posted, unless the same was at another address. */
    unlessElsewhere(decision: RowDecision, names: readonly string[]): RowDecision {
      const other = decision.action === 'create' ? there(names) : undefined;
      return other === undefined ? decision : { action: 'conflict', message: elsewhereText(other) };
    },
  };
}

/** A step that takes place anew each time; the other names are those it may have been sent under before. */
export function postStep(
  endpoint: string,
  body: Step['body'],
  [fingerprint = '', ...also]: readonly string[],
): Step {
  return { purpose: 'post', endpoint, body, fingerprint, ...(also.length === 0 ? {} : { also }) };
}

/** The moment that a wall clock wrote down. */
export const momentOf = (at: string): Date => new Date(at.replace(' ', 'T'));

/**
 * Until when what was posted may still arrive, by when it was given up, or sent (`isOut`); null when it no longer
 * can.
 */
export function arrivesUntil({ doubts, service, time }: Context, at: string, isOut = false): Date | null {
  // Its answer was waited for, and then it was given up at the latest.
  const ended = latestOf(at).getTime() + (isOut ? service.timeout : 0);
  const until = doubts.momentOf(doubts.ofDone(new Date(ended)));
  return until.getTime() <= time.now() ? null : until;
}

/** The moment that a wall clock wrote down: of the hour that comes twice as summer time ends the second. */
function latestOf(at: string): Date {
  const first = momentOf(at);
  const second = new Date(first.getTime() + HOUR);
  return at.startsWith(wallClock(second)) ? second : first;
}

const HOUR = 3_600_000;

/** Says until when something may still arrive. */
export function arrivesText(until: Date): Bilingual {
  const { en, nl } = shownMoment(wallClock(until));
  return t(`it may still arrive until ${en}`, `het kan nog aankomen tot ${nl}`);
}

/** Says how the run that posted a row is told what came of it; until `arrives` it may still arrive. */
export function tellText(
  run: string,
  { sheet, row }: Pick<PlannedRow, 'sheet' | 'row'>,
  arrives: Date | null,
): Bilingual {
  const place = `${sheet}!${row}`;
  const first = arrives === null ? t('look on the service', 'kijk in het systeem') : arrivesText(arrives);
  const [after, daarna] = arrives === null ? ['', ''] : [' after that', ' daarna'];
  const again = withFlag(
    t(
      `${first.en}; is it not there${after}: send it again`,
      `${first.nl}; staat het er${daarna} niet: verstuur het opnieuw`,
    ),
    `catersheet apply ${run} --resend "${place}"`,
  );
  const there = withFlag(
    t('is it there: it did arrive', 'staat het er wel: dan is het aangekomen'),
    `--done "${place}"`,
  );
  return inOne([again, there], '; ');
}

/** Why a posting that may have taken place is not sent again, with the ways out. */
export async function doubtfulText(context: Context, posting: Posting): Promise<Bilingual> {
  const { run, at } = posting;
  const sent = (await sentRow(context, posting))?.planned;
  const isLost = sent === undefined || (await isFromCopy(context.ledger, run));
  const ways = isLost ? OWN_KEY : tellText(run, sent, arrivesUntil(context, at, true));
  return composed([ways], (told) =>
    t(
      `run ${run} sent it on ${shownMinute(at).en} and no answer is known, so it is not sent again by itself; ${told.en}`,
      `run ${run} heeft het op ${shownMinute(at).nl} verstuurd en er is geen antwoord bekend, dus het wordt niet vanzelf opnieuw verstuurd; ${told.nl}`,
    ),
  );
}

/** Of a run that can't go on with this ledger. */
const OWN_KEY = t(
  'that run can’t go on with this ledger: is it not there, give the row a #key of its own',
  'die run kan met dit register niet verder: staat het er niet, geef de rij dan een eigen #key',
);

const DONE: ReadonlySet<ShownStatus | null> = new Set(['created', 'updated', 'deleted', 'unchanged']);

/** Whether a result says that its run, or one before it, did what the row asks. */
export const isDone = (status: ShownStatus | null): boolean => DONE.has(status);

/**
 * Takes a row with an `#id` as about that record. A key of the row's own goes before it; where the row is
 * done and has another, nobody can tell which of the two is meant.
 */
export function nameByEvidence(row: MappedRow, field: string): void {
  const { evidence } = row;
  const own = row.values[field];
  if (evidence === undefined || evidence.id === null || row.action === 'skip') return;
  const { id, status } = evidence;
  if (own === undefined && !row.issues.some((issue) => issue.field === field)) {
    row.values[field] = id;
    // What it was to create is there.
    const action = row.action === 'create' ? 'auto' : row.action;
    Object.assign(row, { action, evidence: { ...evidence, names: true } });
  } else if (typeof own === 'number' && own !== id && isDone(status)) {
    const hint = t(
      `${field} says ${own}: clear #status and #id if the row is about that one`,
      `${field} zegt ${own}: maak #status en #id leeg als de rij daarover gaat`,
    );
    row.issues.push(issueOn(row, '#id', { code: 'keys-differ', found: String(id), hint }));
  }
}

/**
 * Decides a row of a kind that takes place anew each time, and that this ledger does not know under its
 * names: what a result says was posted is not posted again. Null where no result says so.
 */
export function postedByEvidence({ evidence }: MappedRow): RowDecision | null {
  if (evidence === undefined) return null;
  const { id, status, own, isListed } = evidence;
  if (id === null && (own || !isDone(status)))
    return status === 'unknown' && !own ? { action: 'unknown', message: UNKNOWN } : null;
  const { en, nl } = id === null ? t('', '') : t(` as ${id}`, ` als ${id}`);
  if (own || isListed || status === 'conflict')
    return {
      ...{ action: 'conflict', id },
      message: t(
        `#status and #id say that the row was sent before${en}, with other values than stand here now; what was sent can't be changed: to send another one, clear #status and #id`,
        `#status en #id zeggen dat de rij al verstuurd is${nl}, met andere waarden dan er nu staan; wat verstuurd is kan niet veranderen: maak #status en #id leeg om er nog een te versturen`,
      ),
    };
  return { action: 'unchanged', id, message: SENT_BEFORE };
}

/** Of a count these say that nothing was posted: it was right then, or it was refused. */
const COUNTED: ReadonlySet<ShownStatus | null> = new Set(['unchanged', 'conflict', 'failed']);

/**
 * The same of a count, of which nothing may be posted: what came or went since only the ledger of its run can
 * tell. Where a result lists what was right, one that is not among that was not held against a total.
 */
export function countedByEvidence(row: MappedRow, onConflict: OnConflict): RowDecision | null {
  const { evidence } = row;
  if (evidence === undefined || evidence.own || evidence.id !== null || !COUNTED.has(evidence.status))
    return postedByEvidence(row);
  const { status, isListed } = evidence;
  if (onConflict === 'mine' || (status === 'unchanged' && isListed)) return null;
  const message = t(
    `#status says ${status}, and what came or went since that count is not known here: count again, and clear #status; that alone posts up to this amount`,
    `#status zegt ${status}, en wat er sinds die telling bij kwam of af ging is hier niet bekend: tel opnieuw en maak #status leeg; dat laatste alleen boekt tot dit aantal`,
  );
  return { action: 'conflict', message };
}

/** A row that would create a record though the result of a run, which is not known here, says it did. */
export function unlessDone(planned: UnplacedRow, { evidence }: MappedRow): UnplacedRow {
  if (evidence === undefined || evidence.own || planned.steps[0]?.purpose !== 'create') return planned;
  const { status } = evidence;
  if (status === 'unknown') return unsentRow(planned, 'unknown', UNKNOWN);
  if (!isDone(status)) return planned;
  // By its key it was looked for.
  if (planned.external !== null || planned.key !== null) {
    const message = t(
      `#status says ${status}, and the service does not have it (any more); clear #status to create it again`,
      `#status zegt ${status}, en het systeem heeft het niet (meer); maak #status leeg om het opnieuw aan te maken`,
    );
    return unsentRow(planned, 'conflict', message);
  }
  return unsentRow(planned, 'unchanged', SENT_BEFORE);
}

const SENT_BEFORE = t(
  'sent before, as #status says: not sent again; clear #status and #id to send it once more',
  'al verstuurd, volgens #status: niet nog eens verstuurd; maak #status en #id leeg om het nog eens te versturen',
);

/**
 * Why the record with a row's `#id` can't be taken for the row's: it has another ExternalID, or nothing tells
 * that the number is of this service and the record has another name. Null where it can.
 */
export function strangeRecord(row: MappedRow, existing: ExistingRecord | null): Bilingual | null {
  const { evidence, mapping, values } = row;
  const { resource } = mapping;
  if (evidence?.names !== true || existing === null || !('external' in resource)) return null;
  const { external, label, id } = resource;
  const says = values[external];
  const isOwn = typeof says !== 'number' || mayShow(says, existing.external);
  const held = existing.values[label] ?? null;
  const isKnown = evidence.isHere || (says !== undefined && existing.external === says);
  if (isOwn && (isKnown || sameValue(held, values[label] ?? null))) return null;
  const name = held === null ? '' : ` "${held}"`;
  const [en, nl] = isOwn
    ? [
        'the file does not say of which service that number is',
        'het bestand zegt niet van welk systeem dat nummer is',
      ]
    : [
        `it has ${external} ${existing.external}, not ${says}`,
        `het heeft ${external} ${existing.external}, niet ${says}`,
      ];
  return t(
    `#id says ${id} ${existing.id}${name} here, and ${en}: put it in ${id} if this record is meant, else clear #status and #id`,
    `#id zegt hier ${id} ${existing.id}${name}, en ${nl}: zet het onder ${id} als dit record bedoeld is, en maak #status en #id anders leeg`,
  );
}

/** The way out for a row whose `#id` is of a record that is no longer there. */
export const GONE_SINCE = t(
  'an earlier run had it under this number, and it is no longer there: delete the row, or clear #status and #id to create it again',
  'een eerdere run had het onder dit nummer, en het is er niet meer: verwijder de rij, of maak #status en #id leeg om het opnieuw aan te maken',
);

const UNKNOWN = t(
  '#status says unknown: an earlier run sent it and no answer is known, also not here, so it is not sent again; look whether it is there: if so, put its number in #id, else clear #status',
  'volgens #status heeft een eerdere run het verstuurd zonder antwoord, en ook hier is dat niet bekend, dus het wordt niet opnieuw verstuurd; kijk of het er staat: zet dan het nummer in #id, en maak #status anders leeg',
);
