import { type Bilingual, t } from '../core/language.ts';
import type { ShownStatus } from '../core/plan.ts';
import type { Resource } from '../schema/resource.ts';
import { type ExistingRecord, sameValue } from './existing-record.ts';
import { mayShow } from './locate.ts';
import { issueOn, type MappedRow, type RowEvidence, rowPlaceText } from './mapped-row.ts';
import type { UnplacedRow } from './planning.ts';
import type { RowDecision } from './row-decision.ts';
import type { OnConflict } from './three-way.ts';

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
  } else if (typeof own === 'number' && own !== id && isDone(evidence) && evidence.from === null) {
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
export function postedByEvidence(row: MappedRow): RowDecision | null {
  const { evidence } = row;
  if (evidence === undefined) return null;
  const { id, status, own, isListed, from } = evidence;
  if (id === null && (own || !isDone(evidence)))
    return status === 'unknown' && !own ? { action: 'unknown', message: unknownText(from) } : null;
  if (evidence.twin !== undefined) {
    row.issues.push(twinIssue(row, evidence.twin));
    return { action: 'invalid' };
  }
  if (evidence.isGiven === true && !isListed) return { action: 'conflict', id, message: givenText(id, from) };
  if (own || isListed || status === 'conflict')
    return { action: 'conflict', id, message: editedText(id, from) };
  return { action: 'unchanged', id, message: postedText(id, from) };
}

/** Of a count these say that nothing was posted: it was right then, or it was refused. */
const COUNTED: ReadonlySet<ShownStatus | null> = new Set(['unchanged', 'conflict', 'failed']);

/** Whether a count with this in its result was held against a total, and nothing was posted. */
export const isCounted = ({ status }: Pick<RowEvidence, 'status'>): boolean => COUNTED.has(status);

/**
 * The same of a count, of which nothing may be posted: what came or went since only the ledger of its run can
 * tell. Where a result lists what was right, one that is not among that was not held against a total.
 */
export function countedByEvidence(row: MappedRow, onConflict: OnConflict): RowDecision | null {
  const { evidence } = row;
  if (evidence === undefined || evidence.own || evidence.id !== null || !isCounted(evidence))
    return postedByEvidence(row);
  const { status, isListed, from } = evidence;
  if (onConflict === 'mine' || (status === 'unchanged' && isListed)) return null;
  return { action: 'conflict', message: countedText(status, from) };
}

/** Says of rows that send nothing which result beside the file names their record. */
export function sayBeside(planned: readonly UnplacedRow[], rows: readonly MappedRow[]): void {
  for (const [at, row] of planned.entries()) {
    const from = rows[at]?.evidence?.from ?? null;
    if (from === null || row.action !== 'unchanged' || row.message !== null) continue;
    const { en, nl } = as(row.id);
    const message = t(
      `sent before${en}, as ${from} beside this file says`,
      `al verstuurd${nl}, volgens ${from} naast dit bestand`,
    );
    // In place, as the row is the planner's own and not saved yet.
    Object.assign(row, { message });
  }
}

/** A row that would create a record though the result of a run, which is not known here, says it did. */
export function unlessDone(planned: UnplacedRow, { evidence }: MappedRow): UnplacedRow {
  if (evidence === undefined || evidence.own || planned.steps[0]?.purpose !== 'create') return planned;
  const { status, from } = evidence;
  const unsent = { ...planned, steps: [], needs: [] };
  if (status === 'unknown') return { ...unsent, action: 'unknown', message: unknownText(from) };
  if (!isDone(evidence)) return planned;
  // By its key it was looked for.
  const isGone = planned.external !== null || planned.key !== null;
  return isGone
    ? { ...unsent, action: 'conflict', message: goneText(status, from) }
    : { ...unsent, action: 'unchanged', message: doneText(status, from) };
}

/**
 * Why the record with a row's `#id` can't be taken for the row's: it has another ExternalID, or nothing tells
 * that the number is of this service and the record has another name. Null where it can.
 */
export function strangeRecord(row: MappedRow, existing: ExistingRecord | null): Bilingual | null {
  const { evidence, mapping, values } = row;
  if (evidence?.names !== true || existing === null) return null;
  const { resource } = mapping;
  const external = externalIn(resource, row);
  if (external !== undefined && !mayShow(external, existing.external))
    return otherKeyText(resource, { id: existing.id, is: existing.external, says: external });
  if (evidence.isHere || (external !== undefined && existing.external === external)) return null;
  const { label } = resource;
  const isCalledSo = label !== undefined && sameValue(existing.values[label], values[label] ?? null);
  return isCalledSo ? null : unsureText(resource, existing);
}

/**
 * The ExternalID that a run of another ledger gave a record, by its result, where the record shows none: not
 * every service keeps it, so the ledger remembers it. Null for any other row.
 */
export function keyByEvidence(row: MappedRow, existing: ExistingRecord | null): number | null {
  const { evidence, mapping } = row;
  if (evidence === undefined || evidence.own || evidence.id === null || !isDone(evidence)) return null;
  if (existing?.id !== evidence.id || existing.external !== null) return null;
  return strangeRecord(row, existing) === null ? (externalIn(mapping.resource, row) ?? null) : null;
}

function externalIn(resource: Resource, { values }: MappedRow): number | undefined {
  const value = 'external' in resource ? values[resource.external] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** The issue on a row with the `#id` of an earlier one: it was copied, or filled down. */
export function twinIssue(row: MappedRow, twin: NonNullable<RowEvidence['twin']>) {
  const { en, nl } = rowPlaceText(twin);
  const hint = t(
    `${en} has the same #id: clear #status and #id of the row that is new, or delete one of the two`,
    `${nl} heeft hetzelfde #id: maak #status en #id leeg bij de rij die nieuw is, of verwijder een van de twee`,
  );
  return issueOn(row, '#id', { code: 'record-copied', found: String(row.evidence?.id ?? ''), hint });
}

/** The way out for a row whose `#id` is of a record that is no longer there. */
export const GONE_SINCE = t(
  'an earlier run had it under this number, and it is no longer there: delete the row, or clear #status and #id to create it again',
  'een eerdere run had het onder dit nummer, en het is er niet meer: verwijder de rij, of maak #status en #id leeg om het opnieuw aan te maken',
);

const beside = (from: string): Bilingual => t(`${from}, beside this file,`, `${from}, naast dit bestand,`);

const as = (id: number | null): Bilingual => (id === null ? t('', '') : t(` as ${id}`, ` als ${id}`));

function postedText(id: number | null, from: string | null): Bilingual {
  const { en, nl } = as(id);
  return from === null
    ? t(
        `#status and #id say that it was sent before${en}: not sent again; clear both to send it once more`,
        `#status en #id zeggen dat het al verstuurd is${nl}: niet nog eens verstuurd; maak beide leeg om het nog eens te versturen`,
      )
    : t(
        `${beside(from).en} says that it was sent before${en}: not sent again; move that file away to send it once more`,
        `${beside(from).nl} zegt dat het al verstuurd is${nl}: niet nog eens verstuurd; zet dat bestand ergens anders neer om het nog eens te versturen`,
      );
}

function editedText(id: number | null, from: string | null): Bilingual {
  const { en, nl } = as(id);
  return from === null
    ? t(
        `#status and #id say that the row was sent before${en}, with other values than stand here now; what was sent can't be changed: to send another one, clear #status and #id`,
        `#status en #id zeggen dat de rij al verstuurd is${nl}, met andere waarden dan er nu staan; wat verstuurd is kan niet veranderen: maak #status en #id leeg om er nog een te versturen`,
      )
    : t(
        `${beside(from).en} says that the row was sent before${en}, with other values than stand here now; what was sent can't be changed: to send another one, give it another #key`,
        `${beside(from).nl} zegt dat de rij al verstuurd is${nl}, met andere waarden dan er nu staan; wat verstuurd is kan niet veranderen: geef de rij een andere #key om er nog een te versturen`,
      );
}

function givenText(id: number | null, from: string | null): Bilingual {
  const { en, nl } = as(id);
  const [says, zegt] =
    from === null
      ? ['#status and #id say', '#status en #id zeggen']
      : [`${beside(from).en} says`, `${beside(from).nl} zegt`];
  const [clear, maak] =
    from === null
      ? ['clear #status and #id', 'maak #status en #id leeg']
      : ['move that file away', 'zet dat bestand ergens anders neer'];
  return t(
    `${says} that it was sent before${en}, and not with which value of what is said here for all rows (DatumTijd, MutatieReden, …): if this is another one, ${clear}; else put skip in #action`,
    `${zegt} dat het al verstuurd is${nl}, en niet met welke waarde van wat hier voor alle rijen gezegd is (DatumTijd, MutatieReden, …): ${maak} als dit een andere is, en zet anders skip in #action`,
  );
}

function doneText(status: ShownStatus | null, from: string | null): Bilingual {
  return from === null
    ? t(
        `#status says ${status}: not sent again; clear #status to send it once more`,
        `#status zegt ${status}: niet nog eens verstuurd; maak #status leeg om het nog eens te versturen`,
      )
    : t(
        `${beside(from).en} says ${status}: not sent again`,
        `${beside(from).nl} zegt ${status}: niet nog eens verstuurd`,
      );
}

function goneText(status: ShownStatus | null, from: string | null): Bilingual {
  return from === null
    ? t(
        `#status says ${status}, and the service does not have it (any more); clear #status to create it again`,
        `#status zegt ${status}, en het systeem heeft het niet (meer); maak #status leeg om het opnieuw aan te maken`,
      )
    : t(
        `${beside(from).en} says ${status}, and the service does not have it (any more); move that file away to create it again`,
        `${beside(from).nl} zegt ${status}, en het systeem heeft het niet (meer); zet dat bestand ergens anders neer om het opnieuw aan te maken`,
      );
}

function unknownText(from: string | null): Bilingual {
  return from === null
    ? t(
        '#status says unknown: an earlier run sent it and no answer is known, also not here, so it is not sent again; look whether it is there: if so, put its number in #id, else clear #status',
        'volgens #status heeft een eerdere run het verstuurd zonder antwoord, en ook hier is dat niet bekend, dus het wordt niet opnieuw verstuurd; kijk of het er staat: zet dan het nummer in #id, en maak #status anders leeg',
      )
    : t(
        `${beside(from).en} says unknown: it was sent and no answer is known, also not here, so it is not sent again; look whether it is there, and import that file with its number in #id, or with #status cleared`,
        `volgens ${beside(from).nl} is het verstuurd zonder antwoord, en ook hier is dat niet bekend, dus het wordt niet opnieuw verstuurd; kijk of het er staat, en importeer dat bestand met het nummer in #id, of met #status leeg`,
      );
}

function countedText(status: ShownStatus | null, from: string | null): Bilingual {
  const why = t(
    `says ${status}, and what came or went since that count is not known here`,
    `zegt ${status}, en wat er sinds die telling bij kwam of af ging is hier niet bekend`,
  );
  return from === null
    ? t(
        `#status ${why.en}: count again, and clear #status; that alone posts up to this amount`,
        `#status ${why.nl}: tel opnieuw en maak #status leeg; dat laatste alleen boekt tot dit aantal`,
      )
    : t(
        `${beside(from).en} ${why.en}: count again, with a DatumTijd of its own, or move that file away to post up to this amount`,
        `${beside(from).nl} ${why.nl}: tel opnieuw, met een eigen DatumTijd, of zet dat bestand ergens anders neer om tot dit aantal te boeken`,
      );
}

/** Says that a key is not sent, as a run gave it to the record before. */
export function keptHereText(external: number, from: string | null): Bilingual {
  const [by, door] = from === null ? ['#status', '#status'] : [beside(from).en, beside(from).nl];
  const [clear, maak] =
    from === null
      ? ['clear #status', 'maak #status leeg']
      : ['move that file away', 'zet dat bestand ergens anders neer'];
  return t(
    `sent before, as ${by} says, and the record shows no ExternalID: this program's ledger remembers ${external} for it; ${clear} to send it once more`,
    `al verstuurd, volgens ${door}, en het record toont geen ExternalID: het register van dit programma onthoudt ${external} ervoor; ${maak} om het nog eens te versturen`,
  );
}

function otherKeyText(
  resource: Resource,
  { id, is, says }: { readonly id: number | null; readonly is: number | null; readonly says: number },
): Bilingual {
  const [own, external] = 'external' in resource ? [resource.id, resource.external] : ['', ''];
  return t(
    `#id says ${own} ${id}, which has ${external} ${is}, and the row says ${says}: clear #status and #id for another record, or put ${id} in ${own} to change its ${external}`,
    `#id zegt ${own} ${id}, dat ${external} ${is} heeft, en de rij zegt ${says}: maak #status en #id leeg voor een ander record, of zet ${id} onder ${own} om de ${external} te wijzigen`,
  );
}

function unsureText(resource: Resource, { id, values }: ExistingRecord): Bilingual {
  const own = 'id' in resource ? resource.id : '';
  const name = resource.label === undefined ? null : (values[resource.label] ?? null);
  const called = name === null ? t(String(id), String(id)) : t(`${id} "${name}"`, `${id} "${name}"`);
  return t(
    `#id says ${own} ${called.en} here, and the file does not say of which service that number is: put it in ${own} if this record is meant, else clear #status and #id`,
    `#id zegt hier ${own} ${called.nl}, en het bestand zegt niet van welk systeem dat nummer is: zet het onder ${own} als dit record bedoeld is, en maak #status en #id anders leeg`,
  );
}
