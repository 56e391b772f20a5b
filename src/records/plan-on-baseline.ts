import { type Finding, shorten } from '../core/issue.ts';
import { type Language, t } from '../core/language.ts';
import { moneyText, valueText } from '../core/row-text.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Value } from '../core/value.ts';
import { toldApart } from '../core/visible-text.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { ExistingRecord, SameField } from './existing-record.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import { conflictOn, seenThen } from './open-conflicts.ts';
import { onConflictOf, type PlannerSetup, type Planning, type UnplacedRow } from './planning.ts';
import {
  afterSending,
  type ComparedField,
  type ComparedRow,
  canChange,
  changesByOthers,
  compare,
  type SentSince,
  withoutUntouched,
} from './three-way.ts';

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

/** The same, where the service has the record; with what is compared by. */
type Seen = Subject & ComparedRow;

const UNSENT = { changes: [], steps: [], needs: [] };

/**
 * Plans a row by what the user changed since the workbook was written, or since a run that left it as a
 * conflict planned it. A field that only the service changed is left alone; one that both changed is a
 * conflict, or what `--on-conflict` says.
 */
export function planOnBaseline(subject: Subject): Planning {
  const { row, key, service, same, setup } = subject;
  const { base, conflicts } = setup;
  const { resource } = row.mapping;
  const was = key === null ? undefined : base.find(resource.name, key);
  if (was === undefined) {
    const external = 'external' in resource ? (row.values[resource.external] ?? service?.external) : null;
    const open = conflictOn(conflicts, { key, external });
    if (open === undefined || service === null) return subject.plan(row);
    return planSince({ ...subject, service, was: seenThen(open, row, same), sent: {} });
  }
  const held = withoutUntouched(row, was);
  const decide = (sent: SentSince): UnplacedRow =>
    service === null
      ? planGone({ ...subject, row: held }, afterSending(was, sent))
      : planSince({ ...subject, row: held, service, was, sent });
  if (service !== null) base.emptied?.(held, row.issues, was, service);
  // It is looked up only where it matters: it costs reads of the ledger.
  const matters =
    service === null ||
    row.action === 'delete' ||
    compare({ row: held, service, same, was, sent: {} }).some(({ by }) => by !== 'nobody' && by !== 'alike');
  return base.sent !== null && matters ? base.sent(was).then(decide) : decide({});
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
    for (const one of apart) row.issues.push(issueOn(row, one.field, apartFinding(one, seen)));
    const all = apart.map(({ field, base: was, theirs: now = null, mine }) => ({ field, was, now, mine }));
    return { ...planned, ...UNSENT, action: 'conflict', apart: all, message: BOTH };
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
  const why = t(
    `not deleted: someone else changed it meanwhile (${namesOf(moved)})`,
    `niet verwijderd: een ander wijzigde het intussen (${namesOf(moved)})`,
  );
  const message = t(
    `${why.en}; --on-conflict mine deletes it all the same`,
    `${why.nl}; --on-conflict mine verwijdert het toch`,
    why,
  );
  if (onConflict === 'theirs') return { ...planned, ...UNSENT, action: 'skip', message };
  const apart = moved.map(({ field, from: was, to: now }) => ({ field, was, now }));
  return { ...planned, ...UNSENT, action: 'conflict', apart, message };
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
  return { ...planned, ...UNSENT, action: 'conflict', issues, message };
}

/** A field that both changed: what it was, what the sheet says and what the service holds. */
function apartFinding({ field, base, mine, theirs = null }: ComparedField, seen: Seen): Finding {
  const told = (language: Language) => {
    const [own, ...others] = [mine, base, theirs].map((value) => shown(field, value, language, seen));
    return toldApart(mine === null ? '#CLEAR' : (own ?? ''), ...others);
  };
  const [[found = '', before, now], [, toen, nu]] = [told('en'), told('nl')];
  const hint = t(`was ${before}, is now ${now}`, `was ${toen}, is nu ${nu}`);
  return { code: 'changed-by-both', found, hint };
}

const namesOf = (fields: readonly { readonly field: string }[]): string =>
  fields.map(({ field }) => field).join(', ');

function shown(field: string, value: Value, language: Language, { row, setup }: Seen): string {
  const { locale = language } = setup.rules;
  return typeof value === 'number' && row.mapping.resource.fields[field]?.money === true
    ? moneyText(value, locale)
    : shorten(valueText(value, language, locale));
}
