import { type Finding, type Issue, shorten, stopsRow } from '../core/issue.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import type { FieldApart, FieldChange } from '../core/plan.ts';
import { moneyText, valueText } from '../core/row-text.ts';
import { shownMoment } from '../core/shown-moment.ts';
import type { Locale, Value, Values } from '../core/value.ts';
import { toldApart } from '../core/visible-text.ts';
import type { BaselineRecord } from '../files/baseline-sheet.ts';
import type { Fields } from '../schema/field.ts';
import type { ExistingRecord, SameField } from './existing-record.ts';
import { issueOn, type MappedRow } from './mapped-row.ts';
import { conflictOn, seenThen } from './open-conflicts.ts';
import { onConflictOf, type PlannerSetup, type UnplacedRow } from './planning.ts';
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

/** Since when it matters who changed what, as messages say it. */
interface Since {
  readonly code: 'changed-by-both' | 'changed-since-plan';
  readonly words: Bilingual;
  /** How numbers are written in messages: as in the file. */
  readonly locale?: Locale | undefined;
  readonly fields?: Fields;
}

const SINCE_WRITTEN: Since = {
  code: 'changed-by-both',
  words: t('since the file was written', 'sinds het bestand geschreven is'),
};

const sincePlan = (run: string): Since => ({
  code: 'changed-since-plan',
  words: t(`since run ${run} planned it`, `sinds run ${run} de rij plande`),
});

interface Subject {
  readonly row: MappedRow;
  readonly setup: Pick<PlannerSetup, 'base' | 'conflicts' | 'rules'>;
  /** The record's key in the plan. */
  readonly key: string | null;
  /** The record as the service holds it, before earlier rows of the file; null when there is none. */
  readonly service: ExistingRecord | null;
  readonly same: SameField;
  /** The field by which a row names its record. */
  named(row: MappedRow): string;
  /** Decides a row, whoever changed its record. */
  plan(row: MappedRow): UnplacedRow;
}

/** The same, where the service has the record; with what is compared by. */
type Seen = Subject & ComparedRow & { readonly since: Since };

const NOTHING_SENT: SentSince = {};

/**
 * Plans a row by what the user changed since the workbook was written. A field that only the service changed
 * is left alone; one that both changed is a conflict, or what `--on-conflict` says. Without a baseline only
 * open conflicts count.
 */
export function planOnBaseline(subject: Subject): UnplacedRow | Promise<UnplacedRow> {
  const { key, service, setup } = subject;
  const { base } = setup;
  const was = key === null ? undefined : base.find(subject.row.mapping.resource.name, key);
  if (was === undefined) return planUnlessLeft(subject);
  const row = withoutUntouched(subject.row, was);
  const decide = (sent: SentSince): UnplacedRow =>
    service === null
      ? planGone({ ...subject, row }, afterSending(was, sent))
      : planSince({ ...subject, row, service, was, sent, since: SINCE_WRITTEN });
  if (service !== null) base.emptied?.(row, subject.row.issues, was, service);
  if (base.sent === null) return decide(NOTHING_SENT);
  // It is looked up only where it matters: it costs reads of the ledger.
  const matters =
    service === null ||
    row.action === 'delete' ||
    compare({ ...subject, row, service, was, sent: NOTHING_SENT }).some(
      ({ by }) => by !== 'nobody' && by !== 'alike',
    );
  return matters ? base.sent(was).then(decide) : decide(NOTHING_SENT);
}

/** Plans a row that an earlier run may have left as a conflict: it stays one while the row says the same. */
function planUnlessLeft(subject: Subject): UnplacedRow {
  const { row, key, service, same, setup } = subject;
  const { resource } = row.mapping;
  const external = 'external' in resource ? row.values[resource.external] : undefined;
  const open = conflictOn(setup.conflicts, { key, external: external ?? service?.external ?? undefined });
  if (open === undefined || service === null) return subject.plan(row);
  const was = seenThen(open, row, same);
  return planSince({ ...subject, service, was, sent: NOTHING_SENT, since: sincePlan(open.run) });
}

function planSince(seen: Seen): UnplacedRow {
  const { fields } = seen.row.mapping.resource;
  const since = { ...seen.since, locale: seen.setup.rules.locale, fields };
  return (seen.row.action === 'delete' ? planDelete : planChange)({ ...seen, since });
}

function planChange(seen: Seen): UnplacedRow {
  const { row, since, setup } = seen;
  const onConflict = onConflictOf(setup.rules, row);
  const compared = compare(seen);
  const theirs = compared.filter(({ by }) => by === 'service' || (by === 'apart' && onConflict === 'theirs'));
  const left = new Set(
    [...theirs, ...compared.filter(({ by }) => by === 'nobody')].map(({ field }) => field),
  );
  const values = Object.fromEntries(Object.entries(row.values).filter(([field]) => !left.has(field)));
  const planned = seen.plan({ ...row, values });
  const apart = compared.filter(({ by, field }) => by === 'apart' && canChange(row.mapping.resource, field));
  const sends = planned.action === 'update' || planned.action === 'unchanged';
  if (onConflict === 'skip' && apart.length > 0 && sends) {
    for (const field of apart) row.issues.push(issueOn(row, field.field, apartFinding(field, since)));
    const { en, nl } = since.words;
    const message = t(
      `changed here and on the service ${en}`,
      `zowel hier als in het systeem gewijzigd ${nl}`,
    );
    return { ...planned, ...UNSENT, action: 'conflict', apart: apart.map(fieldApart), message };
  }
  if (planned.message !== null || theirs.length === 0) return planned;
  return { ...planned, message: leftText(theirs, since) };
}

/** A field that both changed; what the service does not tell is nothing. */
const fieldApart = ({ field, base: was, theirs = null, mine }: ComparedField): FieldApart => ({
  ...{ field, was, now: theirs, mine },
});

const UNSENT = { changes: [], steps: [], needs: [] };

function planDelete(seen: Seen): UnplacedRow {
  const planned = seen.plan(seen.row);
  const onConflict = onConflictOf(seen.setup.rules, seen.row);
  if (planned.action !== 'delete' || onConflict === 'mine') return planned;
  const moved = changesByOthers(seen);
  if (moved === null) return planned;
  const unsent = { ...planned, ...UNSENT, message: notDeletedText(moved, seen.since) };
  if (onConflict === 'theirs') return { ...unsent, action: 'skip' };
  const apart = moved.map(({ field, from: was, to: now }) => ({ field, was, now }));
  return { ...unsent, action: 'conflict', apart };
}

/** Plans a row whose record someone deleted since it was `was`: nothing is made anew without being asked. */
function planGone({ row, named, plan, same, setup }: Subject, was: BaselineRecord): UnplacedRow {
  const planned = plan(row);
  const { at } = setup.base;
  const anew = planned.action === 'create' && row.action !== 'create' && !isEmpty(was.values, row);
  const others = planned.issues.filter(({ code }) => code !== MISSING);
  if (!anew && others.length === planned.issues.length) return planned;
  const unsent = { ...planned, ...UNSENT };
  const hint = goneText(at, row);
  if (!stopsRow(others) && isUntouched(row, was.values, same))
    return { ...unsent, action: 'skip', issues: others, message: hint };
  const field = named(row);
  const finding: Finding = { code: 'record-deleted', found: String(row.values[field] ?? ''), hint };
  return { ...unsent, action: 'invalid', issues: [...others, issueOn(row, field, finding)] };
}

const MISSING: Issue['code'] = 'record-missing';

function isUntouched({ values, mapping }: MappedRow, was: Values, same: SameField): boolean {
  const { keys } = mapping.resource;
  return Object.entries(values).every(([field, mine]) => {
    const base = was[field];
    return base === undefined ? keys.includes(field) : same(field, base, mine);
  });
}

/** Whether the workbook says that there was nothing: what it has for the row is to be made. */
function isEmpty(was: Values, { mapping }: MappedRow): boolean {
  const { keys } = mapping.resource;
  return Object.entries(was).every(([field, base]) => base === null || keys.includes(field));
}

/** A field that both changed: what it was, what the sheet says and what the service holds. */
function apartFinding({ field, base, mine, theirs }: ComparedField, since: Since): Finding {
  const { code, locale } = since;
  const own =
    mine === null ? '#CLEAR' : typeof mine === 'number' ? valueText(mine, 'en', locale) : String(mine);
  const told = (language: Language): readonly [own: string, before: string, now: string] =>
    toldApart(
      own,
      shown(field, base, language, since),
      theirs === undefined ? UNTOLD[language] : shown(field, theirs, language, since),
    );
  const [[found, before, now], [, toen, nu]] = [told('en'), told('nl')];
  const hint = t(`was ${before}, is now ${now}`, `was ${toen}, is nu ${nu}`);
  return { code, found, hint };
}

const UNTOLD = t('not shown by the service', 'niet te zien in het systeem');

function leftText(fields: readonly ComparedField[], since: Since): Bilingual {
  const moves = fields.map(({ field, base, theirs = null }) => ({ field, from: base, to: theirs }));
  return t(
    `left as it was changed ${since.words.en}: ${list(moves, 'en', since)}`,
    `gelaten zoals het gewijzigd werd ${since.words.nl}: ${list(moves, 'nl', since)}`,
  );
}

function notDeletedText(moved: readonly FieldChange[], since: Since): Bilingual {
  const why = t(
    `not deleted: someone else changed it ${since.words.en} (${list(moved, 'en', since)})`,
    `niet verwijderd: een ander wijzigde het ${since.words.nl} (${list(moved, 'nl', since)})`,
  );
  return t(
    `${why.en}; --on-conflict mine deletes it all the same`,
    `${why.nl}; --on-conflict mine verwijdert het toch`,
    why,
  );
}

/** For a row whose record is gone; `at`: when it was there (ISO, UTC). */
function goneText(at: string, { mapping: { resource } }: MappedRow): Bilingual {
  const day = shownMoment(at.slice(0, 10));
  const id = 'create' in resource.requests && 'id' in resource ? resource.id : null;
  const anew = {
    en: id === null ? '' : `, or empty ${id} and put create in #action to make it anew`,
    nl: id === null ? '' : `, of maak ${id} leeg en zet create in #action om het opnieuw te maken`,
  };
  return t(
    `it was there when the file was written (${day.en}) and someone removed it since; delete the row${anew.en}`,
    `het was er toen het bestand geschreven werd (${day.nl}) en iemand heeft het sindsdien weggehaald; verwijder de rij${anew.nl}`,
  );
}

function list(moved: readonly FieldChange[], language: Language, since: Since): string {
  return moved
    .map(({ field, from, to }) => {
      const [was, is] = toldApart(shown(field, from, language, since), shown(field, to, language, since));
      return `${field}: ${was} → ${is}`;
    })
    .join('; ');
}

function shown(
  field: string,
  value: Value,
  language: Language,
  { fields, locale = language }: Since,
): string {
  return typeof value === 'number' && fields?.[field]?.money === true
    ? moneyText(value, locale)
    : shorten(valueText(value, language, locale));
}
