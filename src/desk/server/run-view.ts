import { basename } from 'node:path';
import { isUnsent, type ShownRun } from '../../api/runs.ts';
import { saidName } from '../../core/header.ts';
import { describeCells, describeIssue } from '../../core/issue.ts';
import { type Language, onPage, same, t } from '../../core/language.ts';
import { totalCounts, unnamedIn } from '../../core/plan-report.ts';
import { overCeiling } from '../../import/ceiling.ts';
import { comesToTexts } from '../../import/plan/comes-to.ts';
import { fingerprintOf } from '../../import/plan/fingerprint.ts';
import type { Corrected } from '../../import/plan/saved-plan.ts';
import { eachRow } from '../../ledger/ledger.ts';
import { allSheets } from '../../resources/registry.ts';
import { madeIn } from '../../schema/resource.ts';
import { sameAddress } from '../../service/address.ts';
import { listProfiles } from '../../session/profile.ts';
import type { Home, Plan, Run } from '../contract/answers.ts';
import { NotNow, refuseBusy, SENT_ALREADY } from './answering.ts';
import type { Desk } from './desk.ts';
import type { Draft } from './row-checks.ts';
import { causeSign, doneTo, type RunRows } from './run-rows.ts';

/** A run as the page knows it. Throws StopError for an unknown one. */
export async function runView(desk: Desk, run: string): Promise<Run> {
  return toView(desk, await desk.runs.state(run));
}

/** Runs of which something was sent, the newest first. */
export async function sentRuns(desk: Desk, limit: number): Promise<Run[]> {
  return (await desk.runs.list(limit, { states: SENT, offset: 0 })).map((run) => toView(desk, run));
}

/** What was sent, or begun: a plan alone is no run to look back at. */
export const SENT = ['applying', 'done', 'interrupted'] as const;

function toView(desk: Desk, shown: ShownRun): Run {
  const { file, service, state, busy, prunedAt, workers } = shown;
  const source = desk.files.idOf(file);
  const here = sameAddress(desk.settings().baseUrl ?? SANDBOX, service);
  const isFree = here && !busy && workers === undefined;
  return {
    ...{ ...shown, here, file: basename(file), source, stale: state === 'planning' && !busy },
    open: isFree && state === 'interrupted',
    result: here && ((state === 'done' && prunedAt === null) || (state === 'planned' && isFree)),
  };
}

/** Runs that are looked through for one of a file. */
const MOST_SEEN = 500;

/** The newest run of a file that was brought, but for a plan that was never completed; undefined for none. */
export async function newestOf(desk: Desk, file: string): Promise<Pick<Run, 'run' | 'state'> | undefined> {
  for (const { run, file: path, state } of await (await desk.ledger()).listRuns(MOST_SEEN))
    if (desk.files.idOf(path) === file && (!isUnsent({ state }) || (await desk.planOf(run)) !== undefined))
      return { run, state };
  return undefined;
}

/** A run as a file on its way; undefined for what is none. */
export async function draftOf(
  desk: Desk,
  { run, source, state }: Pick<Run, 'run' | 'source' | 'state'>,
): Promise<Draft | undefined> {
  if (source === null || !isUnsent({ state })) return undefined;
  const corrected = await correctedIn(desk, run);
  return corrected && { run, source, ...corrected };
}

/** A run with its rows as they are now, and with what was corrected in it where it is a file on its way. */
export async function lookAt(desk: Desk, run: string) {
  const of = await runView(desk, run);
  const draft = await draftOf(desk, of);
  const all = await desk.rowsOf(of);
  if (draft !== undefined) all.done = doneTo(draft);
  return { of, draft, all };
}

/** What was corrected and decided in a plan; undefined for one that was never completed. */
export async function correctedIn(desk: Desk, run: string): Promise<Corrected | undefined> {
  const details = await desk.planOf(run);
  const { corrections = [], options } = details ?? {};
  return options && { corrections, decisions: options.decisions ?? [] };
}

/** Throws NotNow for a run that workers have: it is sent by them alone. */
function refuseTheirs({ workers }: Pick<Run, 'workers'>): void {
  if (workers === undefined) return;
  throw new NotNow(
    t('Workers have this run, and send it.', 'Workers hebben deze run, en versturen hem.'),
    t('Wait until they have sent it.', 'Wacht tot ze hem verstuurd hebben.'),
  );
}

/** A run that nothing works on. Throws StopError. */
async function freeRun(desk: Desk, run: string): Promise<Run> {
  const of = await runView(desk, run);
  refuseBusy(desk.jobs.underWay({ run }));
  refuseTheirs(of);
  return of;
}

/** The same of one for the service in use. */
export async function ownRun(desk: Desk, run: string): Promise<Run> {
  const of = await freeRun(desk, run);
  refuseElsewhere(of);
  return of;
}

/** Changes a file on its way that is not worked on. Throws StopError. */
export async function changing<T>(
  desk: Desk,
  run: string,
  work: (draft: Draft, of: Run) => T | Promise<T>,
): Promise<T> {
  return await desk.inTurn(run, async () => {
    const of = await freeRun(desk, run);
    const draft = await draftOf(desk, of);
    if (draft === undefined) throw SENT_ALREADY();
    return await work(draft, of);
  });
}

/** Rows of a run that delete and were not sent. */
export async function deletesLeft(desk: Desk, { run, state }: Pick<Run, 'run' | 'state'>): Promise<number> {
  const planned = totalCounts((await desk.planOf(run))?.sheets ?? []).deleted;
  if (planned === 0 || isUnsent({ state })) return planned;
  let left = 0;
  for await (const { planned: row } of eachRow(await desk.ledger(), run, { pending: true }))
    if (row.action === 'delete') left++;
  return left;
}

/** Deleting is agreed to on its own, by the number of rows that do: throws NotNow for another number. */
export function refuseDeletes(deletes: number, agreed: number): void {
  if (deletes === agreed) return;
  throw new NotNow(
    t('Deleting was not agreed to.', 'Met verwijderen is niet ingestemd.'),
    t('Agree to it, or leave these rows out.', 'Stem ermee in, of sla deze rijen over.'),
  );
}

/** How many cells were corrected and conflicts decided. */
const changesIn = ({ corrections, decisions }: Draft): number => corrections.length + decisions.length;

/** Plans that are looked through for files on their way. */
const MOST_UNSENT = 100;

/** Files on their way, the newest first. */
export async function unsentFiles(desk: Desk): Promise<Home['drafts']> {
  const states = ['planned', 'planning'] as const;
  const plans = await desk.runs.list(MOST_UNSENT, { states, offset: 0 });
  const drafts = await Promise.all(
    plans.map(async (shown) => {
      const run = toView(desk, shown);
      const draft = await draftOf(desk, run);
      if (draft === undefined) return [];
      const undoes = (await desk.planOf(run.run))?.lineage?.undoes ?? null;
      return { run, corrections: changesIn(draft), undoes };
    }),
  );
  return drafts.flat();
}

const madeBy = madeIn(allSheets);

const fieldsOf = (resource: string) =>
  Object.entries(allSheets.find(({ name }) => name === resource)?.fields ?? {});

/** The fields of a kind of sheet that are amounts of money. */
const moneyOf = (resource: string): readonly string[] =>
  fieldsOf(resource).flatMap(([name, { money }]) => (money === true ? name : []));

/** The names of the fields of a kind of sheet, as people say them. */
const fieldNamesOf = (resource: string, language: Language): Readonly<Record<string, string>> =>
  Object.fromEntries(fieldsOf(resource).map(([name, { help }]) => [name, saidName(help[language])]));

/** A run's plan without its rows; null for one that was not finished. */
export async function planView(desk: Desk, of: Run): Promise<Plan | null> {
  const details = await desk.planOf(of.run);
  if (details === undefined) return null;
  const { language } = desk;
  const { sheets, requests, estimateMs, left, leftOut = [], warned, comesTo = [] } = details;
  const draft = await draftOf(desk, of);
  const planned = { run: of.run, counts: totalCounts(sheets) };
  // Once rows were corrected, problems count as they are now.
  const now = of.stale ? await summaryOf(await desk.rowsOf(of)) : null;
  const names = new Map(sheets.map(({ sheet, resource }) => [sheet, fieldNamesOf(resource, language)]));
  const groups = details.groups.flatMap(({ sheet, issue, places, varied, sends = 0, ...group }) => {
    const { code, field, severity } = issue;
    const key = { sheet, code, field, severity, cause: causeSign(issue) };
    const count = now === null ? group.count : (now.issues.get(JSON.stringify(key)) ?? 0);
    const said = varied === true ? describeCells : describeIssue;
    const named = field && (names.get(sheet)?.[field] ?? field);
    const message = said({ ...issue, address: null, field: named }, language, onPage);
    const cells = places.flatMap(({ address }) => address ?? []);
    return count === 0 ? [] : [{ ...key, count, sends, message, places: cells }];
  });
  return {
    ...{ requests, estimateMs, groups, leftOut, unnamed: unnamedIn(groups) },
    comesTo: comesTo.map((one) => comesToTexts(one, language)),
    fingerprint: await fingerprintOf(await desk.ledger(), { run: of.run, service: details.serviceName }),
    over: onPage(overCeiling(planned, desk.settings())?.texts.message ?? same(''))[language],
    corrections: draft === undefined ? 0 : changesIn(draft),
    createUnnamed: draft !== undefined && desk.files.readingOf(draft.source).createUnnamed,
    counts: now?.counts ?? totalCounts(sheets),
    sheets: sheets.map(({ sheet, resource, counts }) => ({
      ...{ sheet, counts, made: madeBy(resource), money: moneyOf(resource) },
      names: names.get(sheet) ?? {},
    })),
    notes: details.notes.map(({ sheet, text }) => {
      const note = onPage(text)[language];
      return sheet === null ? note : `${sheet}: ${note}`;
    }),
    warned: { rows: now?.warned ?? warned?.rows ?? 0, sends: warned?.sends ?? 0 },
    left: left === undefined ? null : { count: left.count, rows: left.rows },
  };
}

/** All rows as they are now: their counts, how many have a warning, and cells by problem. */
async function summaryOf(rows: RunRows) {
  const issues = new Map<string, number>();
  let warned = 0;
  for (const entry of await rows.entries()) {
    if (entry.issues.some(({ severity }) => severity === 'warning')) warned++;
    for (const { code, field, severity, cause } of entry.issues) {
      const key = JSON.stringify({ sheet: entry.sheet, code, field, severity, cause });
      issues.set(key, (issues.get(key) ?? 0) + 1);
    }
  }
  return { counts: await rows.counts(), warned, issues };
}

/** How a run on the embedded sandbox names its service. */
export const SANDBOX = 'sandbox';

/** The profile that leads to a service; undefined for none. */
export const profileAt = (service: string): string | undefined =>
  listProfiles().profiles.find(({ address }) => address !== null && sameAddress(address, service))?.name;

/** Throws NotNow for a run of another service than the one in use: nothing of it is sent or looked up here. */
export function refuseElsewhere({ here, service }: Pick<Run, 'here' | 'service'>): void {
  if (here) return;
  const name = profileAt(service) ?? service;
  throw new NotNow(
    t(
      `This is for another service (${name}) than the one in use.`,
      `Dit is voor een ander systeem (${name}) dan het systeem dat in gebruik is.`,
    ),
    t(
      `Choose ${name} under Service, or bring the file again.`,
      `Kies ${name} onder Systeem, of breng het bestand opnieuw.`,
    ),
  );
}
