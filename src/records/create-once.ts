import { type Bilingual, t } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import type { Posting } from '../ledger/ledger.ts';
import { elsewhereText, type PostingElsewhere } from '../run/posted-elsewhere.ts';
import { lookUntil, rememberResend } from './doubts.ts';
import { type ExistingRecord, mayShow, plainValues, type RecordResource } from './existing-record.ts';
import type { MappedRow } from './mapped-row.ts';
import { type ContextOf, type UnplacedRow, unsentRow } from './planning.ts';
import { keepsKeys } from './record-guard.ts';
import type { EffectVerdict, SendDoubt } from './row-guard.ts';
import { type createNaming, doubtfulText, findPosted, momentOf, sentRow } from './sent-before.ts';

/** A row that would create its record. */
interface Creation {
  readonly planned: UnplacedRow;
  readonly row: MappedRow;
}

/** How the record of a row is looked at that an earlier run made, or tried to. */
interface CreatedLooks {
  readonly context: ContextOf<RecordResource>;
  readNow(id: number, row: MappedRow): Promise<ExistingRecord | null>;
  tookEffect(doubt: SendDoubt): Promise<EffectVerdict>;
  /** The record with this id, as the plan read it. */
  byId(id: number, row: MappedRow): Promise<ExistingRecord | null>;
  /** Plans a row once more, against such a record. */
  planAgain(row: MappedRow, existing: ExistingRecord): UnplacedRow;
}

/**
 * Names each create, by which it is sent at most once: its ExternalID, `#key`, or content. Holds it against
 * what earlier runs created, or tried to, under that name.
 */
export async function createOnce(
  looks: CreatedLooks,
  creations: readonly Creation[],
  nameContent: ReturnType<typeof createNaming>,
): Promise<UnplacedRow[]> {
  const { context } = looks;
  const names = creations.map(({ planned: { steps, external, key }, row }) => {
    const content = () => Object.assign({}, ...steps.map(({ body }) => body));
    // A record that is new is known by its ExternalID alone.
    const fingerprint =
      external === null ? nameContent(row.reference, content()) : (key ?? `external:${external}`);
    // In place: nobody else has the step yet, and a copy of each of a million takes as long as planning it.
    (steps[0] as { fingerprint?: string }).fingerprint = fingerprint;
    return fingerprint;
  });
  const { here, there } = await findPosted(context, names);
  const held: UnplacedRow[] = [];
  for (const [at, creation] of creations.entries()) {
    const own = [names[at] ?? ''];
    const [found, other] = [here(own), there(own)];
    const posting = found && (await found);
    if (posting !== undefined) held.push(await createdBefore(looks, creation, posting));
    else if (other === undefined || (await isFoundByKey(context, creation.planned, other)))
      held.push(creation.planned);
    else held.push(unsentRow(creation.planned, 'conflict', elsewhereText(other)));
  }
  return held;
}

/** Whether a record that was created at another address is looked for by its key, as that service keeps it. */
export async function isFoundByKey(
  { ledger, resource }: ContextOf<RecordResource>,
  { external }: Pick<UnplacedRow, 'external'>,
  { service }: PostingElsewhere,
): Promise<boolean> {
  return external !== null && (await ledger.findFact(service, keepsKeys(resource))) !== 'no';
}

/** A row whose create an earlier run sent: a lost answer is settled first, then its record is there or gone. */
async function createdBefore(
  looks: CreatedLooks,
  creation: Creation,
  posting: Posting,
): Promise<UnplacedRow> {
  const { context, byId, readNow, planAgain } = looks;
  const { ledger, serviceKey, resource, exclusive, doubts } = context;
  const { planned, row } = creation;
  const { external } = planned;
  const isDone = posting.state === 'done';
  const verdict = isDone ? posting : exclusive ? await settle(looks, posting) : null;
  if (verdict === 'no') return planned;
  const { id } = verdict ?? { id: null };
  // Lists and reads may lag behind: it is looked for as long as it may still appear.
  const existing =
    id === null
      ? null
      : ((await byId(id, row)) ??
        (await doubts.look(
          doubts.ofEarlier(momentOf(posting.at)),
          () => readNow(id, row),
          (seen) => seen !== null,
        )));
  // Interrupted: its name stays taken.
  if (existing === undefined) return planned;
  // What was found a moment ago is not gone.
  if (verdict === null || (existing === null && !isDone))
    return unsentRow(planned, 'unknown', await doubtfulText(context, posting));
  if (id === null || existing === null || (external !== null && !mayShow(external, existing.external))) {
    await ledger.settlePosting(serviceKey, resource.name, posting.fingerprint, null);
    return planned;
  }
  const replan = async () => planAgain({ ...row, action: 'auto' }, (await readNow(id, row)) ?? existing);
  if (external !== null) {
    const held = existing.values[resource.label ?? ''];
    const pair = { external, id, label: typeof held === 'string' ? held : null };
    await ledger.rememberKeys(serviceKey, resource.name, [pair]);
    return await replan();
  }
  const message = doneText(posting, id);
  const sent = await sentRow(context, posting);
  if (sent === undefined || sent.outcome?.status === 'created')
    return { ...unsentRow(planned, 'unchanged', message), id };
  const rest = await replan();
  return rest.action === 'unchanged' ? { ...rest, message } : rest;
}

/** Looks on the service whether an earlier run's create took effect, and writes down what was found. */
async function settle(
  { context, tookEffect }: Pick<CreatedLooks, 'context' | 'tookEffect'>,
  posting: Posting,
): Promise<EffectVerdict> {
  const { ledger, serviceKey, resource } = context;
  const { run, fingerprint, at } = posting;
  const { planned } = (await sentRow(context, posting)) ?? {};
  const step = planned?.steps[0];
  if (planned === undefined || step === undefined) return null;
  const body = plainValues(step.body);
  const doubt = { run, planned, step, id: null, body, since: momentOf(at) };
  // How long ago that was only our clock tells, which may have been set since.
  const until = context.doubts.fromStart();
  const verdict = (await lookUntil(context, until, (when) => tookEffect({ ...doubt, ...when }))) ?? null;
  // It may arrive after all, later than it could.
  if (verdict === 'no') await rememberResend(context, { fingerprint, run, body });
  if (verdict !== null) {
    const now = verdict === 'no' ? null : ({ state: 'done', id: verdict.id } as const);
    await ledger.settlePosting(serviceKey, resource.name, fingerprint, now);
  }
  return verdict;
}

const doneText = ({ run, at }: Posting, id: number): Bilingual =>
  t(
    `created before, in run ${run} on ${shownMinute(at).en}, as ${id}; give the row another #key to create it again`,
    `al eerder aangemaakt, in run ${run} op ${shownMinute(at).nl}, als ${id}; geef de rij een andere #key om het nog eens aan te maken`,
  );
