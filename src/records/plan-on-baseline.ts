import { datetimeCodec } from '../core/codecs/datetime.ts';
import { textCodec } from '../core/codecs/text.ts';
import { type Finding, type Issue, shorten } from '../core/issue.ts';
import { type Language, t, withFlag } from '../core/language.ts';
import type { FieldChange, PlannedRow, Step } from '../core/plan.ts';
import { amountText, isMade, moneyText, sentValues, valueText } from '../core/row-text.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Value } from '../core/value.ts';
import { toldApart } from '../core/visible-text.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { Memory } from '../ledger/ledger.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import {
  type ExistingRecord,
  heldIn,
  plainValues,
  type SameField,
  sameMoment,
  sameValue,
} from './existing-record.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import {
  onConflictOf,
  type PlannerSetup,
  type PlanRules,
  type SentSince,
  type UnplacedRow,
  unsentRow,
} from './planning.ts';

interface Subject {
  readonly row: MappedRow;
  readonly setup: Pick<PlannerSetup, 'base' | 'conflicts' | 'rules'>;
  /** The record's key in the plan. */
  readonly key: string | null;
  /** The record as the service holds it, before earlier rows of the file; null when there is none. */
  readonly service: ExistingRecord | null;
  readonly same: SameField;
  /** Decides a row, whoever changed its record. */
  plan(row: MappedRow): UnplacedRow;
}

/** The same, where the service has the record: beside what it was, and what was sent of the workbook since. */
interface Seen extends Subject {
  readonly service: ExistingRecord;
  readonly was: BaselineRecord;
  readonly sent: SentSince;
}

/**
 * Plans a row by what the user changed since the workbook was written, or since a run that left it as a
 * conflict planned it. A field that only the service changed is left alone; one that both changed is a
 * conflict, or what `--on-conflict` says.
 */
export function planOnBaseline(subject: Subject): UnplacedRow | Promise<UnplacedRow> {
  const { row, key, service, same, setup } = subject;
  const { base, conflicts } = setup;
  const { resource } = row.mapping;
  const was = key === null ? undefined : base.find(resource.name, key);
  if (was === undefined) {
    const external = 'external' in resource ? (row.values[resource.external] ?? service?.external) : null;
    const open = conflictOn(conflicts, { key, external });
    if (open === undefined || service === null)
      return unlessMoved(subject.plan(row), row, service, setup.rules);
    return planSince({ ...subject, service, was: seenThen(open, row, same), sent: {} });
  }
  const held = { ...subject, row: withoutUntouched(row, was) };
  if (service === null) return planGone(held, was);
  base.emptied?.(held.row, row.issues, was, service);
  const seen: Seen = { ...held, service, was, sent: {} };
  // It is looked up only where it matters: it costs reads of the ledger.
  const matters = row.action === 'delete' || compare(seen).some(({ by }) => by !== 'nobody');
  return base.sent !== null && matters
    ? base.sent(was).then((sent) => planSince({ ...seen, sent }))
    : planSince(seen);
}

const planSince = (seen: Seen): UnplacedRow =>
  seen.row.action === 'delete' ? planDelete(seen) : planChange(seen);

function planChange(seen: Seen): UnplacedRow {
  const { row, setup } = seen;
  const onConflict = onConflictOf(setup.rules, row);
  const compared = compare(seen);
  const theirs = compared.filter(({ by }) => by === 'service' || (by === 'apart' && onConflict === 'theirs'));
  const values = { ...row.values };
  for (const one of compared) if (one.by === 'nobody' || theirs.includes(one)) delete values[one.field];
  const planned = seen.plan({ ...row, values });
  const apart = compared.filter(({ by, field }) => by === 'apart' && canChange(row.mapping.resource, field));
  const sends = planned.action === 'update' || planned.action === 'unchanged';
  if (onConflict === 'skip' && apart.length > 0 && sends) {
    for (const one of apart)
      row.issues.push(
        issueOn(row, one.field, apartFinding('changed-by-both', one, row.mapping.resource, setup.rules)),
      );
    const all = apart.map(({ field, base: was, theirs: now = null, mine }) => ({ field, was, now, mine }));
    return { ...unsentRow(planned, 'conflict', BOTH), apart: all };
  }
  if (planned.message !== null || theirs.length === 0) return planned;
  const message = t(
    `left as it was changed meanwhile: ${namesOf(theirs)}`,
    `gelaten zoals het intussen gewijzigd werd: ${namesOf(theirs)}`,
  );
  return { ...planned, message };
}

const BOTH = t(
  'changed here and meanwhile on the service',
  'zowel hier als intussen in het systeem gewijzigd',
);

function planDelete(seen: Seen): UnplacedRow {
  const planned = seen.plan(seen.row);
  const onConflict = onConflictOf(seen.setup.rules, seen.row);
  const moved = planned.action === 'delete' && onConflict !== 'mine' ? changesByOthers(seen) : [];
  if (moved.length === 0) return planned;
  const message = withFlag(
    t(
      `not deleted: someone else changed it meanwhile (${namesOf(moved)}); delete it all the same, or leave it`,
      `niet verwijderd: een ander wijzigde het intussen (${namesOf(moved)}); verwijder het toch, of laat het staan`,
    ),
    '--on-conflict mine|theirs',
  );
  if (onConflict === 'theirs') return unsentRow(planned, 'skip', message);
  const apart = moved.map(({ field, from: was, to: now }) => ({ field, was, now }));
  return { ...unsentRow(planned, 'conflict', message), apart };
}

/**
 * A row of a file that carries no memory but the LMT of its records, such as a CSV export: unless the record was
 * changed after that, by someone else as far as is known. Which of its fields were can't be told.
 */
export function unlessMoved(
  planned: UnplacedRow,
  row: MappedRow,
  existing: ExistingRecord | null,
  rules: PlanRules,
): UnplacedRow {
  const { action, changes } = planned;
  if ((action !== 'update' && action !== 'delete') || existing?.lmt == null) return planned;
  const cell = row.told?.find(({ header }) => header === 'LMT')?.cell;
  const read = cell && datetimeCodec.decode(cell, rules.locale ?? 'nl');
  if (read?.ok !== true) return planned;
  const { lmt, shownLmt } = existing;
  const seen = { ...planned, shownLmt: read.value };
  // A spreadsheet may show less of a moment.
  const told = read.value.replace(/( 00:00)?:00(\.0+)?$/, '');
  const isSeen =
    lmt.slice(0, told.length) <= told || (shownLmt !== undefined && sameMoment(shownLmt, read.value));
  const onConflict = onConflictOf(rules, row);
  if (isSeen || onConflict === 'mine') return seen;
  const [was, is] = [shownMoment(told), shownMoment(lmt)];
  const { fields } = row.mapping.resource;
  const held = (language: Language): string =>
    changes
      .map(
        ({ field, from }) =>
          `${field} ${amountText(from, fields[field]?.money === true, language, rules.locale)}`,
      )
      .join(', ');
  const [now, nu] = changes.length === 0 ? ['', ''] : [`; now ${held('en')}`, `; nu ${held('nl')}`];
  const message = withFlag(
    t(
      `someone else changed it after this file was written (LMT was ${was.en}, is ${is.en}${now}); send it all the same, or leave it`,
      `een ander wijzigde het nadat dit bestand geschreven was (LMT was ${was.nl}, is ${is.nl}${nu}); verstuur het toch, of laat het staan`,
    ),
    '--on-conflict mine|theirs',
  );
  if (onConflict === 'theirs') return unsentRow(planned, 'skip', message);
  const apart = changes.map(({ field, from, to }) => ({ field, now: from, mine: to }));
  return { ...unsentRow(planned, 'conflict', message), apart };
}

/** Plans a row whose record someone deleted since it was `was`: nothing is made anew without being asked. */
function planGone({ row, plan, setup }: Subject, was: BaselineRecord): UnplacedRow {
  const planned = plan(row);
  const { keys, requests } = row.mapping.resource;
  // A workbook may say that there was nothing: what it has for the row is to be made.
  const wasThere = Object.entries(was.values).some(([field, base]) => base !== null && !keys.includes(field));
  const anew = planned.action === 'create' && row.action !== 'create' && wasThere;
  const issues = planned.issues.filter(({ code }) => code !== 'record-missing');
  if (!anew && issues.length === planned.issues.length) return planned;
  const day = shownMoment(setup.base.at.slice(0, 10));
  const again = t(
    ', or empty its id and put create in #action',
    ', of maak de id leeg en zet create in #action',
  );
  const { en, nl } = 'create' in requests ? again : t('', '');
  const message = t(
    `it was there when the file was written (${day.en}) and someone removed it since; delete the row${en}`,
    `het was er toen het bestand geschreven werd (${day.nl}) en iemand heeft het sindsdien weggehaald; verwijder de rij${nl}`,
  );
  return unsentRow(planned, 'conflict', message, issues);
}

/** What was found of a field that both changed: what it was, what the sheet says and what the service holds. */
export function apartFinding(
  code: Finding['code'],
  { field, mine, base, theirs = null }: Omit<ComparedField, 'by'>,
  { fields }: Resource,
  rules: Pick<PlanRules, 'locale'>,
): Finding {
  const told = (language: Language) => {
    const { locale = language } = rules;
    const [own = '', ...others] = [mine, base, theirs].map((value) =>
      typeof value === 'number' && fields[field]?.money === true
        ? moneyText(value, locale)
        : shorten(valueText(value, language, locale)),
    );
    return toldApart(mine === null ? '#CLEAR' : own, ...others);
  };
  const [[found = '', before, now], [, toen, nu]] = [told('en'), told('nl')];
  return { code, found, hint: t(`was ${before}, is now ${now}`, `was ${toen}, is nu ${nu}`) };
}

const namesOf = (fields: readonly { readonly field: string }[]): string =>
  fields.map(({ field }) => field).join(', ');

/** Who changed a field since the workbook was written; `apart`: both did, to other values. */
type ChangedBy = 'nobody' | 'user' | 'service' | 'apart';

/** A field of which is known who changed it. */
interface ComparedField {
  readonly field: string;
  readonly mine: Value;
  /** What the record held when the workbook was written, or what was sent of the workbook since. */
  readonly base: Value;
  /** Undefined where the service does not tell: then only the user's change can be known. */
  readonly theirs: Value | undefined;
  readonly by: ChangedBy;
}

/** Whether two values are the same to the user. */
type Same = (one: Value | undefined, other: Value) => boolean;

/** Who changed a field. */
export function changedBy(
  { mine, base, theirs }: Pick<ComparedField, 'mine' | 'base' | 'theirs'>,
  same: Same,
): ChangedBy {
  const moved = theirs !== undefined && hasMoved(base, theirs, same);
  if (same(base, mine)) return moved ? 'service' : 'nobody';
  return moved && !same(theirs, mine) ? 'apart' : 'user';
}

/** Whether the service holds another value; an off flag equals one never set. */
const hasMoved = (base: Value, theirs: Value, same: Same): boolean =>
  !same(theirs, base) && !same(base, theirs);

/**
 * The row's fields of which is known what they were: who changed which. What was sent of the workbook since is
 * nobody else's change; a cell of a copy that is as it was exported takes nothing of it back.
 */
function compare({ row, service, same, was, sent }: Seen): ComparedField[] {
  const { resource } = row.mapping;
  return Object.entries(row.values).flatMap(([field, mine]) => {
    const written = was.values[field];
    if (written === undefined || !canMove(resource, field)) return [];
    const alike: Same = (...pair) => same(field, ...pair);
    const last = sent[field];
    const base = last !== undefined && (last.here || !alike(written, mine)) ? last.to : written;
    const theirs = heldIn(resource, service, field);
    return [{ field, mine, base, theirs, by: changedBy({ mine, base, theirs }, alike) }];
  });
}

/** Whether a field says something of its record, and not which record it is. */
function canMove(resource: Resource, field: string): boolean {
  const external = 'external' in resource ? resource.external : null;
  return field === external || !resource.keys.includes(field);
}

/** Whether an update can change a field. */
export function canChange({ fields }: Resource, field: string): boolean {
  const update = fields[field]?.update;
  return update !== 'none' && update !== 'unsent';
}

/** What someone else changed; by LMT where no known field differs. What the sheet says is the user's. */
function changesByOthers({ row, service, same, was, sent }: Seen): FieldChange[] {
  const { resource } = row.mapping;
  const written = Object.entries(sent).map(([field, { to }]) => [field, to] as const);
  const fields = Object.entries({ ...was.values, ...Object.fromEntries(written) }).flatMap(
    ([field, from]) => {
      const to = service.values[field];
      const tells = to !== undefined && canMove(resource, field) && canChange(resource, field);
      return tells && hasMoved(from, to, (...pair) => same(field, ...pair)) ? [{ field, from, to }] : [];
    },
  );
  // Of what was written since the old LMT says nothing.
  const isAlone = fields.length === 0 && written.length === 0;
  if (isAlone && was.lmt !== null && service.lmt !== null && !sameMoment(was.lmt, service.lmt))
    return [{ field: 'LMT', from: was.lmt, to: service.lmt }];
  return fields.filter(({ field, to }) => {
    const mine = row.values[field];
    return mine === undefined || !same(field, to, mine);
  });
}

/**
 * The row without issues of cells that are as the workbook was written: nothing of them is sent. A service
 * may hold what its fields don't take, such as a price "on request".
 */
export function withoutUntouched<R extends Resource>(
  row: MappedRow<R>,
  was: Pick<BaselineRecord, 'values'>,
): MappedRow<R> {
  const { values, mapping } = row;
  // One on a key or a doubled column always counts.
  const isUntouched = ({ field, found, code }: Issue): boolean => {
    if (field === null || mapping.resource.keys.includes(field) || code === 'header-twice') return false;
    const base = was.values[field];
    if (base === undefined || base === null) return false;
    const mine = values[field];
    // As text is compared everywhere: without outer blanks and what can't be seen, whatever its line ends.
    return mine === undefined ? textCodec.read(base) === textCodec.read(found) : sameValue(base, mine);
  };
  const issues = row.issues.filter((issue) => !isUntouched(issue));
  return issues.length === row.issues.length ? row : { ...row, issues };
}

/** The conflicts of a resource's records that are still to be decided, by the record's key. */
export async function readOpenConflicts(
  { ledger, serviceKey }: Context,
  resource: string,
): Promise<Map<string, Memory['conflict']>> {
  return await ledger.recall(serviceKey, resource, 'conflict');
}

/** The open conflict of a record: by its own key, else by the ExternalID that it was to be created with. */
function conflictOn(
  open: ReadonlyMap<string, Memory['conflict']>,
  { key, external }: { readonly key: string | null; readonly external: Value | undefined },
): Memory['conflict'] | undefined {
  const own = key === null ? undefined : open.get(key);
  return own ?? (typeof external === 'number' ? open.get(`external:${external}`) : undefined);
}

/**
 * What the record was when its row was left as a conflict. A field in which the row says something else now
 * is left out: that is the user's answer.
 */
function seenThen(
  { key, lmt, fields }: Memory['conflict'],
  { action, values, mapping }: MappedRow,
  same: SameField,
): BaselineRecord {
  const known = Object.entries(fields).filter(([field, { to }]) => {
    const mine = values[field];
    return action === 'delete' || (mine !== undefined && same(field, to, mine));
  });
  const seen = Object.fromEntries(known.map(([field, { from }]) => [field, from]));
  return { resource: mapping.resource.name, key, lmt, values: seen };
}

/** Remembers conflicts of a resource as rows of a run are sent, and forgets them as they are decided. */
export function createConflictKeeper(context: Context, name: string, run: string) {
  const { ledger, serviceKey } = context;
  let reading: ReturnType<typeof readOpenConflicts> | undefined;
  const read = () => (reading ??= readOpenConflicts(context, name));
  const keep = async (key: string, conflict: Memory['conflict'] | null): Promise<void> => {
    const open = await read();
    if (conflict === null) open.delete(key);
    else open.set(key, conflict);
    await ledger.remember(serviceKey, name, 'conflict', key, conflict);
  };
  return {
    /** A row was not sent, as someone else changed its record. */
    async left(planned: PlannedRow): Promise<void> {
      const { key, lmt, action } = planned;
      const fields = wantedBy(planned);
      if (key === null || (Object.keys(fields).length === 0 && action !== 'delete')) return;
      const known = (await read()).get(key);
      await keep(key, { key, run, lmt, fields: { ...known?.fields, ...fields } });
    },
    /** A request went through: what it changed is decided. */
    async decided(planned: PlannedRow, { purpose }: Step): Promise<void> {
      const known = conflictOn(await read(), planned);
      if (known === undefined) return;
      const sent = new Set(planned.changes.map(({ field }) => field));
      const all = Object.entries(known.fields);
      const rest = all.filter(([field]) => !sent.has(field));
      if (purpose === 'delete' || purpose === 'create' || rest.length === 0) await keep(known.key, null);
      else if (rest.length < all.length)
        await keep(known.key, { ...known, fields: Object.fromEntries(rest) });
    },
  };
}

/** What a row would change, and from what; from null for a new record. */
export function wantedBy(planned: PlannedRow): Memory['conflict']['fields'] {
  const made = isMade(planned) ? plainValues(sentValues(planned)) : {};
  const all = [...planned.changes, ...Object.entries(made).map(([field, to]) => ({ field, from: null, to }))];
  return Object.fromEntries(all.map(({ field, from, to }) => [field, { from, to }]));
}
