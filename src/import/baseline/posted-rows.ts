import type { PlannedRow } from '../../core/plan.ts';
import { isPostedSheet, type PostedRow, postedSheet, readPosted } from '../../files/posted-sheet.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
import type { Context } from '../../run/context.ts';
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

/** Remembers what a workbook says was posted by runs of other ledgers, so that it is not posted again. */
export async function learnPosted({ ledger, serviceKey }: Context, workbook: Workbook): Promise<void> {
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
  for await (const rows of readPosted(sheet, serviceKey)) {
    for (const { run } of rows) if (!own.has(run)) own.set(run, (await ledger.findRun(run)) !== undefined);
    // Of its own runs this ledger knows better.
    await Promise.all(rows.filter(({ run }) => own.get(run) === false).map(learn));
  }
}
