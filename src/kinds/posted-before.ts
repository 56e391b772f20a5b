import type { Posting, StoredResult } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';

/** The row that posted it, in the run that did. */
export async function sentRow({ ledger }: Context, { run, seq }: Posting): Promise<StoredResult | undefined> {
  const [sent] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
  return sent?.planned.seq === seq ? sent : undefined;
}

/** Cut off after it took its place and before its request was about to go out: the place is free again. */
export async function neverSent(context: Context, resource: string, posting: Posting): Promise<boolean> {
  const { ledger, serviceKey, exclusive } = context;
  const row = await sentRow(context, posting);
  if (!exclusive || row === undefined || row.outcome !== null || row.progress?.sendingSince != null)
    return false;
  await ledger.settlePosting(serviceKey, resource, posting.fingerprint, null, false);
  return true;
}
