import { type ExitCode, type StopError, usageStop } from '../core/errors.ts';
import { normaliseHeader } from '../core/header.ts';
import { type Bilingual, type Form, t, withFlag } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import type { RowResult } from '../core/plan.ts';
import { systemTime } from '../core/time.ts';
import { rowsNow } from '../import/apply/outcomes.ts';
import { findTakenBack } from '../import/baseline/open-baseline.ts';
import type { Ceilings } from '../import/ceiling.ts';
import { findFinishedBy, finishedText, reopenPlan, reopenRows } from '../import/earlier-runs.ts';
import {
  exitCodeOf,
  finishImport,
  type ImportRequest,
  type ImportResult,
  planFile,
  importWorkbook as runImport,
} from '../import/import.ts';
import { asMoment } from '../import/map/given-values.ts';
import { CREATE_UNNAMED, type SetValue } from '../import/map/sheet-mapping.ts';
import { expectPlan } from '../import/plan/fingerprint.ts';
import type { Plan } from '../import/plan/plan-import.ts';
import { eachRow } from '../ledger/ledger.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import { checkOptions, type OptionsOf, ownOptions } from '../options/options.ts';
import { isWithWorkers, sendByWorkers } from '../queue/follow.ts';
import { allSheets, resources } from '../resources/registry.ts';
import type { Context } from '../run/context.ts';
import { refuseFromCopy } from '../run/runs.ts';
import type { Resource } from '../schema/resource.ts';
import { type Exclusive, type Session, withSession } from '../session/open-session.ts';
import { resolveSettings } from '../session/settings.ts';
import type { ImportDocument, RowDocument } from './documents.ts';
import { importHead, rowDocuments } from './make-documents.ts';
import { resourceNamed } from './resource-named.ts';

/** The options of an import; the defaults are those of the command line. */
export type ImportWorkbookOptions = OptionsOf<'importWorkbook'>;

/** A plan that is saved in the ledger and can be sent. */
export interface ImportPlan extends Plan {
  /** Every row and what would become of it, from the ledger. */
  rows(): AsyncIterable<RowDocument>;
}

/** The outcome of a run, to be shown while its session is open. */
export interface ImportEnd {
  readonly result: ImportResult;
  readonly service: string;
  /** The run's rows, from the ledger. */
  readonly rows: AsyncIterable<RowResult>;
  readonly logFile: string;
  readonly exit: ExitCode;
  /** Where its file was moved. */
  readonly moved?: string;
  /** The run that took it back before. */
  readonly takenBack?: string | undefined;
}

/** The options of an import, from the library or the command line. */
type ImportInput = Omit<ImportWorkbookOptions, 'set'> & {
  readonly set?: ImportWorkbookOptions['set'] | readonly SetValue[];
};

/** The same within an open session, where a page may say more of the file. */
export type SessionInput = ImportInput &
  Pick<ImportRequest, 'command' | 'folder' | 'questions' | 'corrections' | 'decisions' | 'memory'> & {
    /** How this file writes its numbers and dates; that of the settings where it is left out. */
    readonly locale?: ImportRequest['locale'] | undefined;
  };

/** Asks before a plan is sent; false leaves it unsent. */
export type Confirm = (plan: Plan) => Promise<boolean>;

/**
 * Imports a workbook or CSV: reads, plans and sends it, and writes the result workbook. Asks nothing.
 * Resolves to what `catersheet import --json` prints, bad rows included. Throws StopError for what stops a
 * run.
 */
export async function importWorkbook(
  file: string,
  options: ImportWorkbookOptions = {},
): Promise<ImportDocument> {
  const given = checkOptions('importWorkbook', options, { file });
  return await withSession(given, exclusiveFor(given), async (session) =>
    documentOf(session, await importIn(session, file, given), given),
  );
}

/** Reads and plans a workbook or CSV and saves the plan; sends only reads. Throws StopError. */
export async function planImport(file: string, options: ImportWorkbookOptions = {}): Promise<ImportPlan> {
  const given = checkOptions('planImport', options, { file });
  const plan = await withSession(given, 'try', (session) =>
    planFile(session.context, toRequest(file, given, session)),
  );
  return { ...plan, rows: () => savedRows(plan.run, given) };
}

/**
 * Sends a plan, or the run of that name, exactly as made, or continues an interrupted one, and writes the
 * result workbook; a record changed since is a conflict. Throws StopError, also for a plan made for another
 * service.
 */
export async function applyPlan(
  plan: Plan | string,
  options: OptionsOf<'applyPlan'> = {},
): Promise<ImportDocument> {
  const given = checkOptions('applyPlan', options, { plan });
  return await withSession(given, exclusiveFor({ queue: given.queue }), async (session) => {
    const { context } = session;
    const opened = typeof plan === 'string' ? await reopenPlan(context, plan) : plan;
    if (opened.service !== context.serviceName) throw otherService(opened, context.serviceName);
    await refuseFromCopy(context, opened.run);
    await expectPlan(context.ledger, opened, given.expect);
    return await documentOf(session, await sendPlan(session, opened, given), given);
  });
}

/** Imports a file within a session; `confirm` is asked before sending. */
export async function importIn(
  session: Session,
  file: string,
  options: SessionInput,
  confirm?: Confirm,
): Promise<ImportEnd> {
  const request = { ...toRequest(file, options, session), confirm };
  const send = sendingOf(session, options);
  return endOf(session, await runImport(session.context, { ...request, send }));
}

/** How a plan is sent: by workers where that is asked for. */
const sendingOf = (
  { settings }: Session,
  { queue = false }: Pick<ImportWorkbookOptions, 'queue'>,
  following: Following = {},
): ImportRequest['send'] =>
  queue
    ? sendByWorkers(settings.ledger, { ...following, tell: (words) => settings.onWait?.(words) })
    : undefined;

/** How a run is applied within a session. */
interface Applying {
  readonly confirm?: Confirm | undefined;
  readonly tell: (words: Bilingual) => void;
  /** How its result and report are said; with commands where it is absent. */
  readonly form?: Form | undefined;
  /** Hears where it is while workers send it. */
  readonly looked?: Following['looked'];
  /** It was handed over, or is sent: nothing is handed over now. */
  readonly joins?: boolean;
}

type Following = Omit<Parameters<typeof sendByWorkers>[1], 'tell'>;

/**
 * Sends a saved run within a session; null where `confirm` refused. `tell` hears before if the run was taken
 * back, or if its file is not what was planned.
 */
export async function applyIn(
  session: Session,
  run: string,
  options: OptionsOf<'applyPlan'>,
  { confirm, tell, ...more }: Applying,
): Promise<ImportEnd | null> {
  const { context } = session;
  const plan = await reopenPlan(context, run);
  await expectPlan(context.ledger, plan, options.expect);
  const by = await findTakenBack(context, run);
  if (by !== undefined && plan.requests > 0) tell(takenBackText(run, by));
  if (plan.planOnly !== null && plan.requests > 0) tell(planOnlyText(plan.workbook.file, plan.planOnly));
  const named = [...(options.resend ?? []), ...(options.done ?? [])];
  // Of a finished run nothing is asked: it is only shown.
  if ((plan.requests > 0 || named.length > 0) && (await confirm?.(plan)) === false) return null;
  return await sendPlan(session, plan, options, more);
}

/** Whether workers go on with a run that was not confirmed now, as it was handed over before. */
export const isHandedOver = async (
  { context, settings }: Session,
  { run, queue = false }: { readonly run: string; readonly queue?: boolean | undefined },
): Promise<boolean> => queue && (await isWithWorkers(settings, context, run));

/** The turn an import needs: one program at a time sends; a dry run takes a turn only if it is free. */
export const exclusiveFor = ({
  dryRun,
  queue,
}: Pick<ImportWorkbookOptions, 'dryRun' | 'queue'>): Exclusive => {
  // The turn to send is the workers'.
  if (queue === true) return undefined;
  return dryRun === true ? 'try' : 'wait';
};

/** The outcome of a run as plain data. Throws what stopped it, after the result was written. */
export async function documentOf(
  { settings }: Session,
  { result, rows }: ImportEnd,
  { allRows = false }: Pick<ImportWorkbookOptions, 'allRows'>,
): Promise<ImportDocument> {
  if (result.stopped !== null) throw result.stopped;
  const { lang: language } = settings;
  const shown: RowDocument[] = [];
  for await (const row of rowDocuments(rows, { dryRun: result.dryRun, language, all: allRows }))
    shown.push(row);
  return { ...importHead(result, language), rows: shown, ms: result.ms };
}

async function sendPlan(
  session: Session,
  plan: Plan,
  options: OptionsOf<'applyPlan'>,
  { form, ...following }: Omit<Applying, 'confirm' | 'tell'> = {},
): Promise<ImportEnd> {
  const { context, settings } = session;
  const { dryRun = false, resend = [], done = [] } = options;
  if (options.queue === true && resend.length + done.length > 0) throw notQueued();
  if (options.queue === true && plan.sheets.some(isOfFiles)) throw filesHere();
  const isDone = (await context.ledger.findRun(plan.run))?.state === 'done';
  const isFinished = isDone && plan.requests === 0 && resend.length + done.length === 0;
  // Who has the right to send does so.
  if (options.queue !== true) await reopenRows(context, plan.run, { resend, done });
  const send = sendingOf(session, options, following);
  const wishes = { ...ownOptions(options), dryRun, language: settings.lang, form, send };
  const by = await findFinishedBy(context, plan.run);
  const takenBack = await findTakenBack(context, plan.run);
  // Whoever asks for a result of a finished run on a page knows that it is finished.
  const told =
    (isFinished && form === undefined) || by !== undefined
      ? [{ sheet: null, text: finishedText(plan.run, by, takenBack) }]
      : [];
  const end = await finishImport(context, { ...plan, notes: [...told, ...plan.notes] }, wishes);
  return { ...endOf(session, end), takenBack };
}

function notQueued(): StopError {
  return usageStop(
    t(
      'Rows in doubt are told of before a run is handed over, not with it.',
      'Over rijen in twijfel beslis je voordat een run wordt overgegeven, niet tegelijk.',
    ),
    withFlag(t('Decide them first.', 'Beslis daar eerst over.'), '--resend, --done'),
  );
}

/** Whether a sheet is about files of this machine. */
const isOfFiles = ({ resource }: Pick<Plan['sheets'][number], 'resource'>): boolean =>
  allSheets.find(({ name }) => name === resource)?.command !== undefined;

function filesHere(): StopError {
  return usageStop(
    t(
      'The files that this run is about are on this machine: workers can’t reach them.',
      'De bestanden waar deze run over gaat staan op deze machine: workers kunnen er niet bij.',
    ),
    withFlag(t('Send it here, without workers.', 'Verstuur hem hier, zonder workers.'), '--queue'),
  );
}

function endOf({ context, logFile }: Session, result: ImportResult): ImportEnd {
  const rows = rowsNow(context.ledger, result.plan.run, { busy: result.busy });
  return { result, service: context.serviceName, rows, logFile, exit: exitCodeOf(result) };
}

/** The options as a request for the import. */
export function toRequest(
  file: string,
  options: SessionInput,
  { settings, context }: Session,
): ImportRequest {
  const { dryRun = false, strict = false, allowDelete = false, onConflict = 'skip' } = options;
  const { headers, profile, lang: language } = settings;
  // Those of the profile are for imports: what a command sends is in its name.
  const profiled: Ceilings & Pick<ImportRequest, 'rules'> = options.command === undefined ? settings : {};
  const { maxChanges = profiled.maxChanges, maxDeletes = profiled.maxDeletes } = options;
  const { locale = settings.locale, rules = profiled.rules } = options;
  const as = options.as === undefined ? undefined : resourceNamed(options.as, resources);
  return {
    ...ownOptions(options),
    as,
    ...{ file, dryRun, strict, allowDelete, onConflict, headers, profile, locale, language },
    ...{ maxChanges, maxDeletes, rules },
    ...{ only: options.sheets ?? [], set: setValues(options, as, context) },
  };
}

/** The values for all rows. Throws StopError with EXIT.usage for a field that no sheet has. */
function setValues(
  { set = {} }: ImportInput,
  as: Resource | undefined,
  context: Context,
): readonly SetValue[] {
  const given = isList(set) ? set : Object.entries(set).map(([field, text]) => ({ field, text }));
  const sheets = as === undefined ? resources : [...resources, as];
  const own = sheets.flatMap(({ fields }) =>
    Object.entries(fields).filter(([, { alias }]) => alias !== undefined),
  );
  const values = given.map(({ field, text }) => {
    const [name = field] =
      own.find(([name, { alias }]) => [name, alias].includes(normaliseHeader(field))) ?? [];
    return { field: name, text };
  });
  const other = values.find(
    ({ field, text }) => field === CREATE_UNNAMED.field && text !== CREATE_UNNAMED.text,
  );
  if (other !== undefined) throw notForAll(other);
  const unknown = values.find(
    ({ field }) =>
      field !== CREATE_UNNAMED.field && !sheets.some(({ fields }) => Object.hasOwn(fields, field)),
  );
  if (unknown === undefined)
    return values.map((value) => {
      const field = sheets.find(({ fields }) => Object.hasOwn(fields, value.field))?.fields[value.field];
      return field === undefined ? value : { ...value, text: asMoment(value.text, field, context) };
    });
  const { field } = unknown;
  const names = new Set(sheets.flatMap(({ fields }) => Object.keys(fields)));
  const near = nearest(field, names).join(', ');
  throw usageStop(
    withFlag(
      t(`No sheet has a column ${field}.`, `Geen enkel werkblad heeft een kolom ${field}.`),
      `--set ${field}`,
    ),
    near === '' ? SET_NEXT : t(`Columns that look like it: ${near}.`, `Kolommen die erop lijken: ${near}.`),
  );
}

const notForAll = ({ field, text }: SetValue): StopError =>
  usageStop(
    withFlag(
      t(
        `Of ${field} only create is for all rows, of those without a key.`,
        `Van ${field} is alleen create voor alle rijen, van die zonder sleutel.`,
      ),
      `--set "${field}=${text}"`,
    ),
    t(
      `Put ${text} in ${field} of the rows that it is for.`,
      `Zet ${text} in ${field} van de rijen waar het voor is.`,
    ),
  );

/** How a value for all rows is written. */
export const SET_NEXT: Bilingual = withFlag(
  t('Name a column of the template, and its value.', 'Noem een kolom uit het sjabloon, en de waarde ervan.'),
  '--set Actief=Ja',
);

const isList = (set: NonNullable<ImportInput['set']>): set is readonly SetValue[] => Array.isArray(set);

async function* savedRows(run: string, options: ImportWorkbookOptions): AsyncGenerator<RowDocument> {
  const settings = resolveSettings(options);
  const { ledger } = await openAnyLedger(settings.ledger, systemTime);
  try {
    yield* rowDocuments(eachRow(ledger, run), { dryRun: true, language: settings.lang, all: true });
  } finally {
    await ledger.close();
  }
}

function otherService({ run, service }: Plan, here: string): StopError {
  return usageStop(
    t(
      `The plan ${run} was made for ${service}, not for ${here}.`,
      `Het plan ${run} is gemaakt voor ${service}, niet voor ${here}.`,
    ),
    t(
      'Apply it to that service, or plan the file again.',
      'Voer het bij dat systeem uit, of plan het bestand opnieuw.',
    ),
  );
}

/** Said when a run that was taken back goes on. */
const takenBackText = (run: string, by: string): Bilingual =>
  t(
    `Run ${run} was taken back by run ${by}: going on with it sends the rows that it had not sent yet; what was taken back is not made again.`,
    `Run ${run} is teruggedraaid door run ${by}: ermee verdergaan verstuurt de rijen die nog niet verstuurd waren; wat teruggedraaid is, wordt niet opnieuw gemaakt.`,
  );

/** The warning before a plan is sent whose file has changed. */
const planOnlyText = (file: string, why: Bilingual): Bilingual =>
  t(
    `${file} ${why.en}. What is sent is the plan, not what the file says now, and there will be no result.`,
    `${file} ${why.nl}. Verstuurd wordt het plan, niet wat er nu in het bestand staat, en er komt geen resultaat.`,
  );
