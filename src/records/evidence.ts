import { type Bilingual, t } from '../core/language.ts';
import type { ShownStatus } from '../core/plan.ts';
import { type ExistingRecord, mayShow, sameValue } from './existing-record.ts';
import { issueOn, type MappedRow, type RowEvidence } from './mapped-row.ts';
import type { OnConflict, UnplacedRow } from './planning.ts';
import { type RowDecision, unsentRow } from './row-decision.ts';

const DONE: ReadonlySet<ShownStatus | null> = new Set(['created', 'updated', 'deleted', 'unchanged']);

/** Whether a result says that its run, or one before it, did what the row asks. */
export const isDone = ({ status }: Pick<RowEvidence, 'status'>): boolean => DONE.has(status);

/**
 * Takes a row with an `#id` as about that record. A key of the row's own goes before it; where the row is
 * done and has another, nobody can tell which of the two is meant.
 */
export function nameByEvidence(row: MappedRow, evidence: RowEvidence, field: string): void {
  const { id } = evidence;
  const own = row.values[field];
  if (id === null || row.action === 'skip') return;
  if (own === undefined && !row.issues.some((issue) => issue.field === field)) {
    row.values[field] = id;
    // What it was to create is there.
    const action = row.action === 'create' ? 'auto' : row.action;
    Object.assign(row, { action, evidence: { ...evidence, names: true } });
  } else if (typeof own === 'number' && own !== id && isDone(evidence)) {
    const hint = t(
      `${field} says ${own}: clear #status and #id if the row is about that one`,
      `${field} zegt ${own}: maak #status en #id leeg als de rij daarover gaat`,
    );
    row.issues.push(issueOn(row, '#id', { code: 'keys-differ', found: String(id), hint }));
  }
}

/**
 * Decides a row of a kind that takes place anew each time, and that this ledger does not know under its
 * names: what a result says was posted is not posted again. Null where no result says so.
 */
export function postedByEvidence({ evidence }: MappedRow): RowDecision | null {
  if (evidence === undefined) return null;
  const { id, status, own, isListed } = evidence;
  if (id === null && (own || !isDone(evidence)))
    return status === 'unknown' && !own ? { action: 'unknown', message: UNKNOWN } : null;
  const { en, nl } = id === null ? t('', '') : t(` as ${id}`, ` als ${id}`);
  if (own || isListed || status === 'conflict')
    return {
      ...{ action: 'conflict', id },
      message: t(
        `#status and #id say that the row was sent before${en}, with other values than stand here now; what was sent can't be changed: to send another one, clear #status and #id`,
        `#status en #id zeggen dat de rij al verstuurd is${nl}, met andere waarden dan er nu staan; wat verstuurd is kan niet veranderen: maak #status en #id leeg om er nog een te versturen`,
      ),
    };
  return { action: 'unchanged', id, message: SENT_BEFORE };
}

/** Of a count these say that nothing was posted: it was right then, or it was refused. */
const COUNTED: ReadonlySet<ShownStatus | null> = new Set(['unchanged', 'conflict', 'failed']);

/**
 * The same of a count, of which nothing may be posted: what came or went since only the ledger of its run can
 * tell. Where a result lists what was right, one that is not among that was not held against a total.
 */
export function countedByEvidence(row: MappedRow, onConflict: OnConflict): RowDecision | null {
  const { evidence } = row;
  if (evidence === undefined || evidence.own || evidence.id !== null || !COUNTED.has(evidence.status))
    return postedByEvidence(row);
  const { status, isListed } = evidence;
  if (onConflict === 'mine' || (status === 'unchanged' && isListed)) return null;
  const message = t(
    `#status says ${status}, and what came or went since that count is not known here: count again, and clear #status; that alone posts up to this amount`,
    `#status zegt ${status}, en wat er sinds die telling bij kwam of af ging is hier niet bekend: tel opnieuw en maak #status leeg; dat laatste alleen boekt tot dit aantal`,
  );
  return { action: 'conflict', message };
}

/** A row that would create a record though the result of a run, which is not known here, says it did. */
export function unlessDone(planned: UnplacedRow, { evidence }: MappedRow): UnplacedRow {
  if (evidence === undefined || evidence.own || planned.steps[0]?.purpose !== 'create') return planned;
  const { status } = evidence;
  if (status === 'unknown') return unsentRow(planned, 'unknown', UNKNOWN);
  if (!isDone(evidence)) return planned;
  // By its key it was looked for.
  if (planned.external !== null || planned.key !== null) {
    const message = t(
      `#status says ${status}, and the service does not have it (any more); clear #status to create it again`,
      `#status zegt ${status}, en het systeem heeft het niet (meer); maak #status leeg om het opnieuw aan te maken`,
    );
    return unsentRow(planned, 'conflict', message);
  }
  return unsentRow(planned, 'unchanged', SENT_BEFORE);
}

const SENT_BEFORE = t(
  'sent before, as #status says: not sent again; clear #status and #id to send it once more',
  'al verstuurd, volgens #status: niet nog eens verstuurd; maak #status en #id leeg om het nog eens te versturen',
);

/**
 * Why the record with a row's `#id` can't be taken for the row's: it has another ExternalID, or nothing tells
 * that the number is of this service and the record has another name. Null where it can.
 */
export function strangeRecord(row: MappedRow, existing: ExistingRecord | null): Bilingual | null {
  const { evidence, mapping, values } = row;
  const { resource } = mapping;
  if (evidence?.names !== true || existing === null || !('external' in resource)) return null;
  const { external, label, id } = resource;
  const says = values[external];
  const isOwn = typeof says !== 'number' || mayShow(says, existing.external);
  const held = existing.values[label] ?? null;
  const isKnown = evidence.isHere || (says !== undefined && existing.external === says);
  if (isOwn && (isKnown || sameValue(held, values[label] ?? null))) return null;
  const name = held === null ? '' : ` "${held}"`;
  const [en, nl] = isOwn
    ? [
        'the file does not say of which service that number is',
        'het bestand zegt niet van welk systeem dat nummer is',
      ]
    : [
        `it has ${external} ${existing.external}, not ${says}`,
        `het heeft ${external} ${existing.external}, niet ${says}`,
      ];
  return t(
    `#id says ${id} ${existing.id}${name} here, and ${en}: put it in ${id} if this record is meant, else clear #status and #id`,
    `#id zegt hier ${id} ${existing.id}${name}, en ${nl}: zet het onder ${id} als dit record bedoeld is, en maak #status en #id anders leeg`,
  );
}

/** The way out for a row whose `#id` is of a record that is no longer there. */
export const GONE_SINCE = t(
  'an earlier run had it under this number, and it is no longer there: delete the row, or clear #status and #id to create it again',
  'een eerdere run had het onder dit nummer, en het is er niet meer: verwijder de rij, of maak #status en #id leeg om het opnieuw aan te maken',
);

const UNKNOWN = t(
  '#status says unknown: an earlier run sent it and no answer is known, also not here, so it is not sent again; look whether it is there: if so, put its number in #id, else clear #status',
  'volgens #status heeft een eerdere run het verstuurd zonder antwoord, en ook hier is dat niet bekend, dus het wordt niet opnieuw verstuurd; kijk of het er staat: zet dan het nummer in #id, en maak #status anders leeg',
);
