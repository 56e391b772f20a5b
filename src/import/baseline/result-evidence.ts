import { EXIT, StopError } from '../../core/errors.ts';
import { t, withFlag } from '../../core/language.ts';
import { resultFact } from '../../files/file-name.ts';
import { isPostedSheet, type PostedRow, readPosted, type SentFields } from '../../files/posted-sheet.ts';
import { kindOf } from '../../kinds/kinds.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import type { PlanRules } from '../../records/planning.ts';
import { isDone, nameByEvidence } from '../../records/sent-before.ts';
import type { Context } from '../../run/context.ts';
import { keyText, nameText } from '../../run/service-text.ts';
import { sameAddress } from '../../service/address.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';

/** What a workbook says of the result that it is. */
interface ResultSource {
  /** Whether the ids in it are of this service; null where it does not say. */
  readonly isHere: boolean | null;
  /** The service and the run that it names. */
  readonly service: string;
  readonly run: string | null;
  /** What was posted, each as `resource id`; null where it does not say. */
  readonly posted: ReadonlySet<string> | null;
}

const SAYS_NOTHING: ResultSource = { isHere: null, service: '', run: null, posted: null };

/**
 * Reads which result a workbook is, and remembers what it says was posted by runs of other ledgers, so that
 * it is not posted again. Throws StopError with EXIT.usage where it was posted at another address, unless
 * the user said what that is.
 */
export async function learnPosted(
  context: Context,
  workbook: Workbook,
  { onConflict }: Pick<PlanRules, 'onConflict'>,
): Promise<ResultSource> {
  const { ledger, serviceKey, elsewhere } = context;
  const sheet = workbook.format === 'xlsx' ? workbook.sheets.find(isPostedSheet) : undefined;
  if (sheet === undefined) return SAYS_NOTHING;
  const own = new Map<string, boolean>();
  const posted = new Set<string>();
  let source = SAYS_NOTHING;
  const learn = async ({ resource, names, ...posting }: PostedRow): Promise<void> => {
    const [fingerprint = '', ...also] = names;
    const known = [...(await ledger.findPostings(serviceKey, resource, names)).values()][0];
    if (known === undefined)
      await ledger.claimPosting(serviceKey, resource, { fingerprint, ...posting }, also);
    else if (known.state === 'sending' && posting.state === 'done' && known.run === posting.run)
      await ledger.settlePosting(serviceKey, resource, known.fingerprint, { state: 'done', id: posting.id });
  };
  for await (const { of, rows, sent } of readPosted(sheet)) {
    const isHere = elsewhere === 'same' || sameAddress(of.service, serviceKey);
    source = { isHere, service: of.service, run: of.run, posted };
    if (!isHere) {
      if (rows.length === 0) continue;
      if (onConflict !== 'mine' && elsewhere !== 'other') throw sentElsewhere(of.service, context);
      return source;
    }
    for (const { run, resource, id } of rows) {
      if (id !== null) posted.add(`${resource} ${id}`);
      if (!own.has(run)) own.set(run, (await ledger.findRun(run)) !== undefined);
    }
    await Promise.all(sent.map((one) => learnSent(context, one)));
    // Of its own runs this ledger knows better.
    await Promise.all(rows.filter(({ run }) => own.get(run) === false).map(learn));
  }
  return source;
}

/** What this ledger sent itself came after. */
async function learnSent({ ledger, serviceKey }: Context, { resource, id, sent }: SentFields): Promise<void> {
  const key = `id:${id}`;
  const known = (await ledger.recall(serviceKey, resource, 'applied', [key])).get(key);
  const unknown = Object.entries(sent).filter(([field]) => known?.[field] === undefined);
  const learned = Object.fromEntries(unknown.map(([field, value]) => [field, { sent: value, held: value }]));
  if (unknown.length > 0)
    await ledger.remember(serviceKey, resource, 'applied', key, { ...known, ...learned });
}

/** It may be the same service by another of its names: then all would be posted twice. */
function sentElsewhere(service: string, { serviceName }: Context): StopError {
  const message = t(
    `Rows of this file were sent to ${keyText(service).en}, not to ${nameText(serviceName).en}: if that is the same service, they would be posted twice.`,
    `Rijen van dit bestand zijn verstuurd naar ${keyText(service).nl}, niet naar ${nameText(serviceName).nl}: is dat hetzelfde systeem, dan zouden ze dubbel geboekt worden.`,
  );
  const next = withFlag(
    t(
      'Use it with that address, or say whether this is the same service.',
      'Gebruik het met dat adres, of zeg of dit hetzelfde systeem is.',
    ),
    '--elsewhere same|other',
  );
  return new StopError(EXIT.usage, message, { next });
}

/** What is known of the run whose result a file is; the same each time that its rows are planned. */
export interface ReadEvidence extends ResultSource {
  /** This ledger has the run. */
  readonly own: boolean;
  /** The user said that what it was sent to is another service than this one. */
  readonly isOther: boolean;
}

/**
 * Reads what a file says of the result that it is; `run`: the one that its summary names.
 */
export async function readEvidence(
  context: Context,
  workbook: Workbook,
  run: string | undefined,
  options: Pick<PlanRules, 'onConflict'>,
): Promise<ReadEvidence> {
  const { ledger, serviceKey, elsewhere } = context;
  const source = await learnPosted(context, workbook, options);
  const named = source.run ?? run;
  const written = (await ledger.findFact(serviceKey, resultFact(workbook.file))) !== undefined;
  const isKnown = named !== undefined && (await ledger.findRun(named))?.service === serviceKey;
  const isOther = source.isHere === false && (options.onConflict === 'mine' || elsewhere === 'other');
  const isHere = source.isHere ?? (written || isKnown ? true : null);
  return { ...source, isHere, own: isKnown || (named === undefined && written), isOther };
}

/**
 * Puts what a result says beside rows, which are then about the records with their `#id`. Throws StopError
 * with EXIT.usage at the first row that was sent to another service: the same number is another record here,
 * or the row would be sent twice.
 */
export function takeEvidence(context: Context, of: ReadEvidence, rows: readonly MappedRow[]): void {
  const { service, posted, own } = of;
  for (const row of rows) {
    if (row.evidence === undefined) continue;
    const { resource } = row.mapping;
    const { id } = row.evidence;
    if (row.action === 'skip' || of.isOther) Object.assign(row, { evidence: undefined });
    else if (of.isHere === false) {
      if (id !== null || isDone(row.evidence.status)) throw sentElsewhere(service, context);
    } else {
      const isListed = posted !== null && (id === null || posted.has(`${resource.name} ${id}`));
      Object.assign(row, { evidence: { ...row.evidence, own, isListed, isHere: of.isHere === true } });
      if (kindOf(resource).rows !== undefined && 'id' in resource) nameByEvidence(row, resource.id);
    }
  }
}
