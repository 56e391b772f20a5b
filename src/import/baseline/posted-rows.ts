import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import {
  isPostedSheet,
  type PostedRow,
  postedSheet,
  readPosted,
  type SentFields,
} from '../../files/posted-sheet.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
import type { PlanRules } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { keyText, nameText } from '../../run/service-text.ts';
import { sameAddress } from '../../service/address.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';

/** The hidden sheet that says what a result is of, with what was posted, or no read returns, of its rows. */
export function postedSheets(
  context: Context,
  run: string,
  sheets: readonly { readonly resource: string }[],
): readonly ResultSheet[] {
  const named = context.resources.filter(({ name }) => sheets.some(({ resource }) => resource === name));
  const posts = named.some((one) => kindOf(one).undoPosted !== undefined);
  const unread = named.filter(({ fields }) => Object.values(fields).some(({ reads }) => reads === 'none'));
  const names = new Set(unread.map(({ name }) => name));
  return [postedSheet({ service: context.serviceKey, run }, () => toldBy(context, run, names, posts))];
}

async function* toldBy(
  { ledger, serviceKey }: Context,
  run: string,
  unread: ReadonlySet<string>,
  posts: boolean,
): AsyncGenerator<PostedRow | SentFields, undefined> {
  if (!posts && unread.size === 0) return undefined;
  for await (const { planned, outcome } of eachRow(ledger, run)) {
    const { resource, steps, posted } = planned;
    const step = steps.find(({ purpose }) => purpose === 'post');
    // A plan that an earlier version kept may have null here.
    const names = step?.fingerprint === undefined ? (posted ?? []) : [step.fingerprint, ...(step.also ?? [])];
    const found = names.length === 0 ? undefined : await ledger.findPostings(serviceKey, resource, names);
    const posting = names.map((name) => found?.get(name)).find((one) => one !== undefined);
    if (posting !== undefined) yield { ...posting, resource, names };
    const id = outcome?.id ?? planned.id;
    const sent =
      id === null || !unread.has(resource) ? undefined : await ledger.findSent(serviceKey, resource, id);
    if (id !== null && sent !== undefined) yield { resource, id, sent };
  }
  return undefined;
}

/** What a workbook says of the result that it is. */
export interface ResultSource {
  /** Whether the ids in it are of this service; null where it does not say. */
  readonly isHere: boolean | null;
  /** Of another service: which one. */
  readonly service: string | null;
  readonly run: string | null;
  /** What was posted, each as `resource id`; null where it does not say. */
  readonly posted: ReadonlySet<string> | null;
}

const SAYS_NOTHING: ResultSource = { isHere: null, service: null, run: null, posted: null };

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
      await ledger.settlePosting(serviceKey, resource, known.fingerprint, posting.id, true);
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
  const known = await ledger.findSent(serviceKey, resource, id);
  if (known === undefined) await ledger.rememberSent(serviceKey, resource, id, sent);
}

/** It may be the same service by another of its names: then all would be posted twice. */
export function sentElsewhere(service: string, { serviceName }: Context): StopError {
  const message = t(
    `Rows of this file were sent to ${keyText(service).en}, not to ${nameText(serviceName).en}: if that is the same service, they would be posted twice.`,
    `Rijen van dit bestand zijn verstuurd naar ${keyText(service).nl}, niet naar ${nameText(serviceName).nl}: is dat hetzelfde systeem, dan zouden ze dubbel geboekt worden.`,
  );
  const next = t(
    'Use it with that address, or say what it is: --elsewhere same leaves those rows, --elsewhere other sends them here too.',
    'Gebruik het met dat adres, of zeg wat het is: --elsewhere same laat die rijen zo, --elsewhere other verstuurt ze hier ook.',
    t('Use it with that address.', 'Gebruik het met dat adres.'),
  );
  return new StopError(EXIT.usage, message, { next });
}
