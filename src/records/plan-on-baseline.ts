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
  type ChangedBy,
  type ComparedField,
  type ComparedRow,
  canChange,
  changesByOthers,
  compare,
  type SentChanges,
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

interface Subject extends Omit<ComparedRow, 'service'> {
  readonly setup: Pick<PlannerSetup, 'base' | 'conflicts' | 'rules'>;
  /** The record's key in the plan. */
  readonly key: string | null;
  /** The record as the service holds it, before earlier rows of the file; null when there is none. */
  readonly service: ExistingRecord | null;
  /** The field by which a row names its record. */
  named(row: MappedRow): string;
  /** Decides a row, whoever changed its record. */
  plan(row: MappedRow): UnplacedRow;
}

/** The same, where the service has the record; with what is compared by. */
type Seen = Subject &
  ComparedRow &
  SentChanges & {
    readonly since: Since;
    /** Someone else created it before the row could: what no read tells of it is theirs too. */
    readonly made?: boolean;
  };

const NO_COPIES: SentChanges['byCopies'] = new Map();

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
  const { after } = base;
  const row = withoutUntouched(subject.row, was);
  if (service === null) {
    const gone = ({ own }: Pick<SentChanges, 'own'>) => planGone({ ...subject, row }, own);
    return after === null ? gone({ own: was }) : after(was).then(gone);
  }
  base.unsent?.(row, was, setup.rules.strict);
  base.emptied?.add(row, subject.row.issues, was, service);
  const there = { ...subject, row, service, since: SINCE_WRITTEN };
  const decide = (sent: SentChanges): UnplacedRow => planSince({ ...there, ...sent });
  // What earlier runs of this workbook wrote is looked up only where it matters: it costs reads of the
  // ledger.
  const nothing = { own: was, byCopies: NO_COPIES };
  return after !== null && differs({ ...there, ...nothing }) ? after(was).then(decide) : decide(nothing);
}

/** Plans a row that an earlier run may have left as a conflict: it stays one while the row says the same. */
function planUnlessLeft(subject: Subject): UnplacedRow {
  const { row, key, service, same, setup } = subject;
  const { resource } = row.mapping;
  const external = 'external' in resource ? row.values[resource.external] : undefined;
  const open = conflictOn(setup.conflicts, { key, external: external ?? service?.external ?? undefined });
  if (open === undefined || service === null) return subject.plan(row);
  const { left, made } = open;
  const own = seenThen(left, row, same);
  return planSince({ ...subject, service, own, byCopies: NO_COPIES, since: sincePlan(left.run), made });
}

function planSince(seen: Seen): UnplacedRow {
  const { fields } = seen.row.mapping.resource;
  const since = { ...seen.since, locale: seen.setup.rules.locale, fields };
  return (seen.row.action === 'delete' ? planDelete : planChange)({ ...seen, since });
}

/** Whether it matters who changed what in the record since the workbook was written. */
const differs = (seen: Seen): boolean =>
  seen.row.action === 'delete' || compare(seen).some(({ by }) => by !== 'nobody' && by !== 'alike');

function planChange(seen: Seen): UnplacedRow {
  const { row, since, same, setup } = seen;
  const onConflict = onConflictOf(setup.rules, row);
  const { resource } = row.mapping;
  const shown = since.code === SINCE_WRITTEN.code ? setup.base.shown : null;
  const record = `${resource.name} ${seen.key}`;
  const compared = compare(seen).map((one): ComparedField => {
    if (seen.made === true && one.by === 'user' && one.theirs === undefined) return { ...one, by: 'apart' };
    const whose =
      one.by === 'apart' && onConflict === 'skip'
        ? shown?.decided(record, one, (...pair) => same(one.field, ...pair))
        : undefined;
    return whose === undefined ? one : { ...one, by: whose === 'mine' ? 'user' : 'service' };
  });
  const apart = compared.filter(({ by, field }) => by === 'apart' && canChange(resource, field));
  const yields = (by: ChangedBy): boolean =>
    by === 'nobody' || by === 'service' || (by === 'apart' && onConflict === 'theirs');
  const left = new Set(compared.filter(({ by }) => yields(by)).map(({ field }) => field));
  const values = Object.fromEntries(Object.entries(row.values).filter(([field]) => !left.has(field)));
  const planned = seen.plan({ ...row, values });
  if (onConflict !== 'mine' && sends(planned))
    for (const field of apart) shown?.show(record, field, onConflict === 'theirs');
  if (onConflict === 'skip' && apart.length > 0 && sends(planned)) {
    for (const field of apart) row.issues.push(issueOn(row, field.field, apartFinding(field, since)));
    return {
      ...planned,
      ...UNSENT,
      action: 'conflict',
      apart: apart.map(fieldApart),
      message: bothText(since),
    };
  }
  const theirs = compared.filter(({ field, by }) => left.has(field) && by !== 'nobody');
  const copied = compared.filter(({ copy }) => copy !== undefined);
  if (planned.message !== null) return planned;
  if (theirs.length > 0) return { ...planned, message: leftText(theirs, since) };
  return copied.length > 0 && planned.action === 'update'
    ? { ...planned, message: copiedText(copied, since) }
    : planned;
}

/** A field that both changed; what the service does not tell is nothing. */
const fieldApart = ({ field, base: was, theirs = null, mine }: ComparedField): FieldApart => ({
  ...{ field, was, now: theirs, mine },
});

const UNSENT = { changes: [], steps: [], needs: [] };

const sends = ({ action }: UnplacedRow): boolean => action === 'update' || action === 'unchanged';

function planDelete(seen: Seen): UnplacedRow {
  const planned = seen.plan(seen.row);
  const onConflict = onConflictOf(seen.setup.rules, seen.row);
  if (planned.action !== 'delete' || onConflict === 'mine') return planned;
  const moved = changesByOthers(seen);
  if (moved === null) return planned;
  return onConflict === 'theirs'
    ? { ...planned, ...UNSENT, action: 'skip', message: keptText(moved, seen.since) }
    : {
        ...{ ...planned, ...UNSENT, action: 'conflict', message: notDeletedText(moved, seen.since) },
        apart: moved.map(({ field, from: was, to: now }) => ({ field, was, now })),
      };
}

/** Plans a row whose record someone deleted since it was `was`: nothing is made anew without being asked. */
function planGone({ row, named, plan, same, setup }: Subject, was: BaselineRecord): UnplacedRow {
  const planned = plan(row);
  const { at } = setup.base;
  const anew = planned.action === 'create' && row.action !== 'create' && !isEmpty(was.values, row);
  const missing = planned.issues.filter(({ code }) => code === MISSING);
  if (!anew && missing.length === 0) return planned;
  const others = planned.issues.filter(({ code }) => code !== MISSING);
  const unsent = { ...planned, ...UNSENT };
  if (!stopsRow(others) && isUntouched(row, was.values, same))
    return { ...unsent, action: 'skip', issues: others, message: goneText(at) };
  return { ...unsent, action: 'invalid', issues: [...others, deletedIssue(row, at, named(row))] };
}

const MISSING: Issue['code'] = 'record-missing';

function deletedIssue(row: MappedRow, at: string, field: string): Issue {
  const { resource } = row.mapping;
  const keys = 'create' in resource.requests && 'id' in resource ? resource.id : null;
  const found = String(row.values[field] ?? '');
  return issueOn(row, field, { code: 'record-deleted', found, hint: deletedText(at, keys) });
}

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

const bothText = ({ words }: Since): Bilingual =>
  t(`changed here and on the service ${words.en}`, `zowel hier als in het systeem gewijzigd ${words.nl}`);

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
    `left as someone else changed it ${since.words.en}: ${list(moves, 'en', since)}`,
    `gelaten zoals een ander het wijzigde ${since.words.nl}: ${list(moves, 'nl', since)}`,
  );
}

/** Fields for which a copy of the file sent other values, which are overwritten now. */
function copiedText(fields: readonly ComparedField[], since: Since): Bilingual {
  const runs = [...new Set(fields.map(({ copy }) => copy))].join(', ');
  const moves = fields.map(({ field, mine, theirs = null }) => ({ field, from: theirs, to: mine }));
  return t(
    `a copy of this file sent other values before, in run ${runs}: ${list(moves, 'en', since)}`,
    `een kopie van dit bestand heeft eerder andere waarden verstuurd, in run ${runs}: ${list(moves, 'nl', since)}`,
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

/** The same, where the user said that theirs goes before. */
function keptText(moved: readonly FieldChange[], since: Since): Bilingual {
  return t(
    `kept, as someone else changed it ${since.words.en} (${list(moved, 'en', since)})`,
    `behouden, omdat een ander het wijzigde ${since.words.nl} (${list(moved, 'nl', since)})`,
  );
}

/** For a changed row of a deleted record; `at`: when it was there (ISO, UTC); `id`: the key to empty. */
function deletedText(at: string, id: string | null): Bilingual {
  const day = shownMoment(at.slice(0, 10));
  const anew = {
    en: id === null ? '' : `, or empty ${id} and put create in #action to make it anew`,
    nl: id === null ? '' : `, of maak ${id} leeg en zet create in #action om het opnieuw te maken`,
  };
  return t(
    `it was there when the file was written (${day.en}) and someone removed it since; delete the row${anew.en}`,
    `het was er toen het bestand geschreven werd (${day.nl}) en iemand heeft het sindsdien weggehaald; verwijder de rij${anew.nl}`,
  );
}

/** The same, for a row that nobody touched. */
function goneText(at: string): Bilingual {
  const day = shownMoment(at.slice(0, 10));
  return t(
    `someone removed it since the file was written (${day.en}), and nothing was changed in this row`,
    `iemand heeft het weggehaald sinds het bestand geschreven is (${day.nl}), en in deze rij is niets gewijzigd`,
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
