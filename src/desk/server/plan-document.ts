import type { IssueDocument } from '../../api/documents.ts';
import { isForWorkers, madeOf, moneyOf } from '../../api/known-kinds.ts';
import { causeSign } from '../../api/table-entries.ts';
import { type Counts, noCounts } from '../../core/counts.ts';
import { describeCells, describeIssue } from '../../core/issue.ts';
import { type Language, listedOnPage, onPage, t } from '../../core/language.ts';
import { type IssueGroup, unnamedIn, type WarnedRows } from '../../core/plan-report.ts';
import type { PlanDetails } from '../../import/plan/saved-plan.ts';
import type { PlanDocument } from '../contract/documents.ts';
import type { Desk } from './desk.ts';
import { draftTable } from './draft-table.ts';
import type { StoredDraft } from './drafts.ts';
import { NotFound } from './refusal.ts';
import { runDocument } from './run-document.ts';
import { serviceOfRun } from './service-document.ts';

/** A run's plan without its rows. Throws NotFound for one that was not finished. */
export async function planDocument(desk: Desk, run: string, draft?: StoredDraft): Promise<PlanDocument> {
  const [details, of] = await Promise.all([desk.runs.plan(run), runDocument(desk, run)]);
  if (details === undefined) throw new NotFound(t('plan', 'plan'));
  const { language } = desk;
  const { sheets, requests, estimateMs, left } = details;
  const groups =
    draft?.stale === true
      ? await groupsNow(desk, draft, details.groups)
      : details.groups.map(countedIn(language)).map(groupOf);
  const counts = noCounts();
  for (const sheet of sheets)
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += sheet.counts[name];
  return {
    ...{ run, requests, estimateMs, counts },
    file: of.file,
    service: serviceOfRun(desk, of.service),
    here: of.here,
    sheets: sheets.map(({ sheet, resource, counts: own }) => ({
      ...{ sheet, resource, counts: own, made: madeOf(resource), money: [...moneyOf(resource)] },
      notes: listedOnPage(notesOn(details, sheet), language),
    })),
    leftOut: [...(details.leftOut ?? [])],
    notes: listedOnPage(notesOn(details, null), language),
    groups,
    warned: details.warned ?? warnedBefore(details.groups, counts),
    left: left === undefined ? null : { count: left.count, rows: [...left.rows] },
    unnamed: unnamedIn(groups),
    deletes: counts.deleted,
    workers: desk.workers !== null && sheets.every(({ resource }) => isForWorkers(resource)),
    stale: draft?.stale ?? false,
    sent: of.state !== 'planned' && of.state !== 'planning',
  };
}

/** Of a plan of an earlier version, which counted warnings alone. */
function warnedBefore(groups: readonly IssueGroup[], { created, updated, deleted }: Counts): WarnedRows {
  const warnings = groups.filter(({ issue }) => issue.severity === 'warning');
  const rows = warnings.reduce((sum, { count }) => sum + count, 0);
  return { rows, sends: Math.min(rows, created + updated + deleted) };
}

const notesOn = ({ notes }: PlanDetails, of: string | null) =>
  notes.filter(({ sheet }) => sheet === of).map(({ text }) => text);

type Group = PlanDocument['groups'][number];

/** A group as it is counted on, and whether not the same stands in all of its cells. */
interface Counted {
  readonly of: Omit<Group, 'message' | 'count'>;
  readonly said: string;
  /** Of cells that hold different texts. */
  readonly saidOfAll: string;
  /** What was found in the first of them. */
  readonly found: string | null;
  varied: boolean;
  count: number;
}

const countedIn =
  (language: Language) =>
  ({ sheet, issue, count, places, varied, sends = 0 }: IssueGroup): Counted => ({
    of: {
      ...{
        sends,
        sheet,
        code: issue.code,
        field: issue.field,
        cause: causeSign(issue),
        severity: issue.severity,
      },
      places: places.flatMap(({ address }) => address ?? []),
    },
    said: describeIssue({ ...issue, address: null }, language, onPage),
    saidOfAll: describeCells({ ...issue, address: null }, language, onPage),
    ...{ found: issue.found, varied: varied === true, count },
  });

const groupOf = ({ of, said, saidOfAll, varied, count }: Counted): Group => ({
  ...of,
  ...{ count, message: varied ? saidOfAll : said },
});

/** The problems as they are once the rows that were corrected since count as they would be. */
async function groupsNow(desk: Desk, draft: StoredDraft, planned: readonly IssueGroup[]): Promise<Group[]> {
  const groups = new Map(planned.map(countedIn(desk.language)).map((one) => [keyOf(one.of), one]));
  const table = await draftTable(desk, draft);
  for (const { row, own } of table.replacements()) {
    for (const issue of own.issues) {
      const known = groups.get(keyOf({ sheet: own.sheet, ...issue }));
      if (known !== undefined) known.count--;
    }
    for (const [at, issue] of (row.issues ?? []).entries()) {
      const cause = row.causes[at] ?? '';
      const key = keyOf({ sheet: row.sheet, ...issue, cause });
      const known = groups.get(key) ?? newGroup(row.sheet, issue, cause);
      groups.set(key, known);
      known.count++;
      if (known.found !== issue.found) known.varied = true;
    }
  }
  return [...groups.values()].filter(({ count }) => count > 0).map(groupOf);
}

const keyOf = ({
  sheet,
  code,
  field,
  severity,
  cause,
}: Pick<Group, 'sheet' | 'code' | 'field' | 'severity' | 'cause'>): string =>
  JSON.stringify([sheet, code, field, severity, cause]);

function newGroup(sheet: string, issue: IssueDocument, cause: string): Counted {
  const { code, field, severity, cell, message, expected, found } = issue;
  const place = `${cell} `;
  const said = cell !== null && message.startsWith(place) ? message.slice(place.length) : message;
  return {
    of: { sends: 0, sheet, code, field, severity, cause, places: cell === null ? [] : [cell] },
    ...{ said, saidOfAll: `${field ?? ''}: ${expected}`, found, varied: false, count: 0 },
  };
}
