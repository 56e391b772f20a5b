import { madeOf, moneyOf } from '../../api/known-kinds.ts';
import { noCounts } from '../../core/counts.ts';
import { causeOf, describeIssue } from '../../core/issue.ts';
import { type Language, listedOnPage, onPage, t } from '../../core/language.ts';
import type { IssueDocument } from '../../import/import-document.ts';
import type { IssueGroup } from '../../import/plan/plan-report.ts';
import type { PlanDetails } from '../../import/plan/saved-plan.ts';
import type { PlanDocument } from '../contract/documents.ts';
import { draftTable } from './correcting.ts';
import type { Desk } from './desk.ts';
import type { StoredDraft } from './drafts.ts';
import { NotFound } from './refusal.ts';
import { runDocument } from './run-document.ts';
import { serviceOfRun } from './service-document.ts';

/** A run's plan without its rows. Throws NotFound for one that was not finished. */
export async function planDocument(desk: Desk, run: string, draft?: StoredDraft): Promise<PlanDocument> {
  const [details, of] = await Promise.all([desk.runs.plan(run), runDocument(desk, run)]);
  if (details === undefined) throw new NotFound(t('plan', 'plan'));
  const { language } = desk;
  const { sheets, groups, requests, estimateMs } = details;
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
    groups: draft?.stale === true ? await groupsNow(desk, draft, groups) : groups.map(groupIn(language)),
    deletes: counts.deleted,
    stale: draft?.stale ?? false,
    sent: of.state !== 'planned' && of.state !== 'planning',
  };
}

const notesOn = ({ notes }: PlanDetails, of: string | null) =>
  notes.filter(({ sheet }) => sheet === of).map(({ text }) => text);

type Group = PlanDocument['groups'][number];

const groupIn =
  (language: Language) =>
  ({ sheet, issue, count, places }: IssueGroup): Group => ({
    ...{ sheet, count, code: issue.code, field: issue.field, severity: issue.severity },
    message: describeIssue({ ...issue, address: null }, language, onPage),
    places: places.flatMap(({ address }) => address ?? []),
  });

/** The problems as they are once the rows that were corrected since count as they would be. */
async function groupsNow(desk: Desk, draft: StoredDraft, planned: readonly IssueGroup[]): Promise<Group[]> {
  const groups = planned.map((group) => ({
    cause: causeOf(group.issue),
    shown: groupIn(desk.language)(group),
  }));
  const table = await draftTable(desk, draft);
  for await (const { was, now } of table.replacements()) {
    const { sheet } = now;
    for (const issue of was.planned.issues) {
      const cause = causeOf(issue);
      const own = groups.find((one) => isOf(one.shown, { sheet, ...issue }) && one.cause === cause);
      if (own !== undefined) own.shown.count--;
    }
    for (const issue of now.issues ?? []) {
      const own = groups.find((one) => isOf(one.shown, { sheet, ...issue }));
      if (own !== undefined) own.shown.count++;
      else groups.push({ cause: '', shown: newGroup(sheet, issue) });
    }
  }
  return groups.map(({ shown }) => shown).filter(({ count }) => count > 0);
}

const isOf = (group: Group, issue: Pick<Group, 'sheet' | 'code' | 'field' | 'severity'>): boolean =>
  (['sheet', 'code', 'field', 'severity'] as const).every((name) => group[name] === issue[name]);

const newGroup = (sheet: string, { code, field, severity, cell, message }: IssueDocument): Group => ({
  ...{ sheet, code, field, severity, message, count: 1 },
  places: cell === null ? [] : [cell],
});
