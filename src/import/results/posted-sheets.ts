import { type PostedRow, postedSheet, type SentFields } from '../../files/posted-sheet.ts';
import type { ResultSheet } from '../../files/result-sheet.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { eachRow } from '../../ledger/ledger.ts';
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
  for await (const { planned, outcome } of eachRow(ledger, run)) {
    const { resource, steps, posted } = planned;
    const step = steps.find(({ purpose }) => purpose === 'post');
    // A plan that an earlier version kept may have null here.
    const names = step?.fingerprint === undefined ? (posted ?? []) : [step.fingerprint, ...(step.also ?? [])];
    const found = names.length === 0 ? undefined : await ledger.findPostings(serviceKey, resource, names);
    const posting = names.map((name) => found?.get(name)).find((one) => one !== undefined);
    if (posting !== undefined) yield { ...posting, resource, names };
    const id = outcome?.id ?? planned.id;
    const of = unread.get(resource);
    if (id === null || of === undefined) continue;
    const key = `id:${id}`;
    const sent = unreadIn(of, (await ledger.recall(serviceKey, resource, 'applied', [key])).get(key));
    if (Object.keys(sent).length > 0) yield { resource, id, sent };
  }
  return undefined;
}
