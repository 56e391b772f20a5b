import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { PlannedRow } from '../../core/plan.ts';
import { isPostedSheet, type PostedRow, postedSheet, readPosted } from '../../files/posted-sheet.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
import type { PlanRules } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { keyText, nameText } from '../../run/service-text.ts';
import { sameAddress } from '../../service/address.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';

/** The hidden sheet with what was posted for the rows of a run; none where nothing can be posted. */
export function postedSheets(
  context: Context,
  run: string,
  sheets: readonly { readonly resource: string }[],
): readonly ResultSheet[] {
  const names = new Set(sheets.map(({ resource }) => resource));
  const posts = context.resources.some((one) => names.has(one.name) && kindOf(one).undoPosted !== undefined);
  return posts ? [postedSheet(context.serviceKey, () => postedBy(context, run))] : [];
}

async function* postedBy(context: Context, run: string): AsyncGenerator<PostedRow, undefined> {
  const { ledger, serviceKey } = context;
  for await (const { planned } of eachRow(ledger, run)) {
    const names = namesOf(planned);
    const found = await ledger.findPostings(serviceKey, planned.resource, names);
    const posting = names.map((name) => found.get(name)).find((one) => one !== undefined);
    if (posting !== undefined) yield { ...posting, resource: planned.resource, names };
  }
  return undefined;
}

function namesOf({ steps, posted = [] }: PlannedRow): readonly string[] {
  const step = steps.find(({ purpose }) => purpose === 'post');
  return step?.fingerprint === undefined ? posted : [step.fingerprint, ...(step.also ?? [])];
}

/**
 * Remembers what a workbook says was posted by runs of other ledgers, so that it is not posted again. Throws
 * StopError with EXIT.usage where it was posted at another address, unless the user said what that is.
 */
export async function learnPosted(
  context: Context,
  workbook: Workbook,
  { onConflict }: Pick<PlanRules, 'onConflict'>,
): Promise<void> {
  const { ledger, serviceKey, elsewhere } = context;
  const sheet = workbook.format === 'xlsx' ? workbook.sheets.find(isPostedSheet) : undefined;
  if (sheet === undefined) return;
  const own = new Map<string, boolean>();
  const learn = async ({ resource, names, ...posting }: PostedRow): Promise<void> => {
    const [fingerprint = '', ...also] = names;
    const known = [...(await ledger.findPostings(serviceKey, resource, names)).values()][0];
    if (known === undefined)
      await ledger.claimPosting(serviceKey, resource, { fingerprint, ...posting }, also);
    else if (known.state === 'sending' && posting.state === 'done' && known.run === posting.run)
      await ledger.settlePosting(serviceKey, resource, known.fingerprint, posting.id, true);
  };
  for await (const { service, rows } of readPosted(sheet)) {
    if (elsewhere !== 'same' && !sameAddress(service, serviceKey)) {
      if (rows.length === 0) continue;
      if (onConflict !== 'mine' && elsewhere !== 'other') throw postedElsewhere(service, context);
      return;
    }
    for (const { run } of rows) if (!own.has(run)) own.set(run, (await ledger.findRun(run)) !== undefined);
    // Of its own runs this ledger knows better.
    await Promise.all(rows.filter(({ run }) => own.get(run) === false).map(learn));
  }
}

/** It may be the same service by another of its names: then all would be posted twice. */
function postedElsewhere(service: string, { serviceName }: Context): StopError {
  const message = t(
    `Rows of this file were posted on ${keyText(service).en}, not on ${nameText(serviceName).en}: if that is the same service, they would be posted twice.`,
    `Rijen van dit bestand zijn geboekt op ${keyText(service).nl}, niet op ${nameText(serviceName).nl}: is dat hetzelfde systeem, dan zouden ze dubbel geboekt worden.`,
  );
  const next = t(
    'Use it with that address, or say what it is: --elsewhere same leaves those rows, --elsewhere other posts them here too.',
    'Gebruik het met dat adres, of zeg wat het is: --elsewhere same laat die rijen zo, --elsewhere other boekt ze hier ook.',
    t('Use it with that address.', 'Gebruik het met dat adres.'),
  );
  return new StopError(EXIT.usage, message, { next });
}
