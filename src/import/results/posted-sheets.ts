import type { PlannedRow, RowResult } from '../../core/plan.ts';
import { type PostedRow, postedSheet, type SentFields } from '../../files/posted-sheet.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { rowPages } from '../../ledger/ledger.ts';
import { unreadIn } from '../../records/last-applied.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';

/** The hidden sheet that says what a result is of, with what was posted, or no read returns, of its rows. */
export function postedSheets(
  context: Context,
  run: string,
  sheets: readonly { readonly resource: string }[],
): readonly ResultSheet[] {
  const named = context.resources.filter(({ name }) => sheets.some(({ resource }) => resource === name));
  const posts = named.some((one) => kindOf(one).undoPosted !== undefined);
  const unread = named.filter(({ fields }) => Object.values(fields).some(({ reads }) => reads === 'none'));
  const names = new Map(unread.map((one) => [one.name, one]));
  return [postedSheet({ service: context.serviceKey, run }, () => toldBy(context, run, names, posts))];
}

async function* toldBy(
  { ledger, serviceKey }: Context,
  run: string,
  unread: ReadonlyMap<string, Resource>,
  posts: boolean,
): AsyncGenerator<PostedRow | SentFields, undefined> {
  if (!posts && unread.size === 0) return undefined;
  for await (const page of rowPages(ledger, run))
    for (const resource of new Set(page.map(({ planned }) => planned.resource))) {
      const rows = page.filter(({ planned }) => planned.resource === resource);
      const names = rows.flatMap(({ planned }) => namesOf(planned));
      const postings = await ledger.findPostings(serviceKey, resource, names);
      const of = unread.get(resource);
      const keys = of === undefined ? [] : rows.map((row) => `id:${idOf(row)}`);
      const applied = await ledger.recall(serviceKey, resource, 'applied', keys);
      for (const row of rows) {
        const own = namesOf(row.planned);
        const posting = own.map((name) => postings.get(name)).find((one) => one !== undefined);
        if (posting !== undefined) yield { ...posting, resource, names: own };
        const id = idOf(row);
        const sent = of === undefined ? {} : unreadIn(of, applied.get(`id:${id}`));
        if (id !== null && Object.keys(sent).length > 0) yield { resource, id, sent };
      }
    }
  return undefined;
}

const idOf = ({ planned, outcome }: RowResult): number | null => outcome?.id ?? planned.id;

/** What a row may have been posted as. */
function namesOf({ steps, posted }: PlannedRow): readonly string[] {
  const step = steps.find(({ purpose }) => purpose === 'post');
  // A plan that an earlier version kept may have null here.
  return step?.fingerprint === undefined ? (posted ?? []) : [step.fingerprint, ...(step.also ?? [])];
}
