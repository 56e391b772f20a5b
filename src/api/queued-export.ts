import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { dataStream } from '../core/standard-streams.ts';
import type { ExportResult, exportRecords } from '../export/export-records.ts';
import { exportTarget, refuseUnusedCsvFlags } from '../export/export-target.ts';
import type { exportFinance, FinanceResult } from '../finance/export-finance.ts';
import { OPTION_LIST, ownOptions } from '../options/options.ts';
import type { AskedExport } from '../queue/export-jobs.ts';
import { sourceOf } from '../queue/export-source.ts';
import { exportByWorkers, type FollowedExport } from '../queue/follow-export.ts';
import { resources } from '../resources/registry.ts';
import type { Session } from '../session/open-session.ts';
import { readWorkbook } from '../workbook/read-workbook.ts';

/** What is asked of a worker, as the person gave it. */
interface Asked {
  readonly what: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  /** The function that a worker makes it with. */
  readonly by: 'exportRecords' | 'exportFinance';
  /** How it is followed. */
  readonly followed?: FollowedExport | undefined;
}

/** Lets a worker export records, and puts them where they are asked for. Throws StopError. */
export async function recordsFromWorkers(
  session: Session,
  request: Parameters<typeof exportRecords>[1],
  given: Omit<Asked, 'by'>,
): Promise<ExportResult> {
  const kinds = request.kinds.map(({ resource }) => resource);
  // What can't be asked for is told at once, not by a worker.
  const { file, format } = exportTarget(kinds, request.out, request.format);
  refuseUnusedCsvFlags(format, { raw: request.raw, delimiter: request.delimiter });
  if (kinds.some((kind) => !resources.includes(kind))) throw ownKind();
  const { stdout } = request;
  const isTerminal = file === null && stdout === undefined && process.stdout.isTTY === true;
  const { file: source } = given.options as { readonly file?: string };
  // One that can't be read is told of here, where it is.
  if (source !== undefined) await readWorkbook(source, {});
  const asked = askedOf(session, { ...given, by: 'exportRecords' }, isTerminal);
  const done = await delivered(session, {
    ...given.followed,
    ...{ file, overwrite: request.overwrite, source, stream: () => stdout ?? dataStream() },
    asked: source === undefined ? asked : { ...asked, source: await sourceOf(source) },
  });
  const result = done.result as ExportResult;
  const notes = [...result.notes, ...done.notes];
  return { ...result, file: file === null ? null : done.place, notes, cutOff: done.cutOff };
}

/** Lets a worker make a finance export, and puts it where it is asked for. Throws StopError. */
export async function financeFromWorkers(
  session: Session,
  { file, overwrite }: Pick<Parameters<typeof exportFinance>[1], 'file' | 'overwrite'>,
  given: Omit<Asked, 'by'>,
): Promise<FinanceResult> {
  const done = await delivered(session, {
    ...given.followed,
    ...{ file, overwrite, stream: dataStream },
    asked: askedOf(session, { ...given, by: 'exportFinance' }, false),
  });
  const result = done.result as FinanceResult;
  return { ...result, file: done.place, notes: [...result.notes, ...done.notes] };
}

const delivered = (
  { context, settings }: Session,
  wanted: Omit<Parameters<typeof exportByWorkers>[1], 'ledger' | 'tell'>,
) =>
  exportByWorkers(context, {
    ...wanted,
    ledger: settings.ledger,
    tell: (words) => settings.onWait?.(words),
  });

/** Options that say nothing of what is written, and how. */
const OF_THIS_MACHINE: readonly string[] = ['stream', 'overwrite', 'queue', 'file'];

/** The export in plain data: how it is made, without what is of this machine. */
function askedOf(
  { settings, context }: Session,
  { what, options, by }: Asked,
  terminal: boolean,
): AskedExport {
  const { lang, locale } = settings;
  const taken = OPTION_LIST.filter(({ functions }) => functions.includes(by)).map(({ name }) => name);
  const own = Object.entries(ownOptions(options)).filter(
    ([name]) => taken.includes(name) && !OF_THIS_MACHINE.includes(name),
  );
  return { what, options: Object.fromEntries(own), service: context.serviceName, lang, locale, terminal };
}

const ownKind = () =>
  usageStop(
    t(
      'A worker knows the kinds of records of catersheet alone.',
      'Een worker kent alleen de soorten records van catersheet.',
    ),
    t('Leave queue out.', 'Laat queue weg.'),
  );
