import type { Argv } from 'yargs';
import { EXIT, type ExitCode, type StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Bilingual } from '../core/value.ts';
import { knownDelimiter } from '../csv/csv-layout.ts';
import { exportRecords } from '../export/export-records.ts';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  exportTarget,
  refuseUnusedCsvFlags,
} from '../export/export-target.ts';
import { selectionOf } from '../export/selection-options.ts';
import { exportFinance, financeRequest } from '../finance/export-finance.ts';
import { isExported } from '../kinds/listers.ts';
import { finance } from '../resources/finance.ts';
import { resources } from '../resources/registry.ts';
import type { Resource } from '../schema/resource.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { resourceNamed } from './resource-named.ts';
import { wrongUsage } from './usage.ts';
import { withSession } from './with-session.ts';

interface ExportFlags extends CommonFlags {
  readonly what: string;
  readonly out: string | undefined;
  readonly format: ExportFormat | undefined;
  readonly since: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly definitive: boolean;
  readonly all: boolean;
  readonly file: string | undefined;
  readonly declaration: boolean;
  readonly yes: boolean;
  readonly raw: boolean;
  readonly delimiter: string | undefined;
}

/** What is exported of the sheet that people count stock on. */
const STOCK = 'stock';
/** The workbook of a period, which is made of several kinds of records. */
const FINANCE = 'finance';
const exported = resources.filter(isExported);
/** What people call it on the command line. */
const wordOf = ({ kind, name }: Resource): string => (kind === 'count' ? STOCK : name);
const NAMES = [...exported.map(wordOf), FINANCE].join(', ');

function builder(argv: Argv): Argv<ExportFlags> {
  return commonFlags(argv)
    .positional('what', { type: 'string', demandOption: true, describe: `What to export: ${NAMES}` })
    .option('out', {
      alias: 'o',
      type: 'string',
      // Or `--out -` would not be taken for a value.
      nargs: 1,
      describe:
        'File to write: .xlsx, .csv or .ndjson; - for stdout (the sheet’s name, as in pakketten.xlsx)',
    })
    .option('format', { choices: EXPORT_FORMATS, describe: 'How it is written (by the ending; csv for -)' })
    .option('since', {
      type: 'string',
      describe:
        'What was modified after this moment, or since the last export (to a file: a pipe may lose its end)',
    })
    .option('from', { type: 'string', describe: 'First day of events, arrangements, trips or finance' })
    .option('to', { type: 'string', describe: 'Last day of them' })
    .option('definitive', {
      type: 'boolean',
      default: false,
      describe: 'Definitive events, of all days or of these',
    })
    .option('all', {
      type: 'boolean',
      default: false,
      describe: 'Finance of all events, not of the definitive ones alone',
    })
    .option('file', { type: 'string', describe: 'Stock of the products that this file names' })
    .group(['since', 'from', 'to', 'definitive', 'all', 'file'], 'What:')
    .option('declaration', { type: 'boolean', default: false, describe: 'With the ingredient declaration' })
    .option('yes', {
      alias: 'y',
      type: 'boolean',
      default: false,
      describe: 'Overwrite a file that is there already',
    })
    .option('locale', {
      choices: ['nl', 'en'] as const,
      describe: 'How a CSV writes numbers (nl: 1234,5), and how texts and dates are read',
    })
    .option('delimiter', { type: 'string', describe: 'Separator of a CSV, or tab (; or , by the locale)' })
    .option('raw', {
      type: 'boolean',
      default: false,
      describe: 'CSV for programs: no byte order mark, no guard against formulas',
    })
    .check((flags) => {
      if (flags.json === undefined || flags.out !== '-') return true;
      throw wrongUsage(t('--json and --out - both want stdout.', '--json en --out - willen allebei stdout.'));
    })
    .example('$0 export packages -o pakketten.xlsx', 'edit it, then import it again')
    .example('$0 export recipes --since 2026-11-01 -o - --format ndjson', 'what changed, for a program')
    .example('$0 export events --since last', 'what changed since the last time')
    .example('$0 export stock', 'a sheet to count on')
    .example(
      '$0 export finance --from 2026-11-01 --to 2026-11-30',
      'a workbook of the month, with totals; no import takes it',
    ) as unknown as Argv<ExportFlags>;
}

/** `export WHAT`: what the service holds, as a workbook, CSV or NDJSON. */
export const exportCommand: Command<ExportFlags> = {
  builder,
  run: (flags) => withSession(flags, (session, view) => runExport(flags, session, view)),
};

async function runExport(flags: ExportFlags, session: Session, view: View): Promise<ExitCode> {
  if (flags.what.toLowerCase() === FINANCE) return await runFinance(flags, session, view);
  if (flags.all) throw onlyFor('--all', FINANCE);
  const { context, settings } = session;
  const { what, out, format, declaration, yes, raw, delimiter } = flags;
  const resource = resourceNamed(what, exported, wordOf, [FINANCE]);
  if (!readsByLocale(flags)) refuseIdleLocale(flags, resource);
  const result = await exportRecords(context, {
    resource,
    ...selectionOf(resource, flags, settings.locale),
    ...{ out, format, declaration, overwrite: yes, raw },
    delimiter: knownDelimiter(delimiter),
    locale: settings.locale,
    language: settings.lang,
  });
  // Whoever wanted no more wants no summary; what else keeps stdout from taking it is told where that is watched.
  if (result.cutOff) return EXIT.ok;
  view.showExport(result);
  return result.complete ? EXIT.ok : EXIT.rows;
}

async function runFinance(flags: ExportFlags, { context, settings }: Session, view: View): Promise<ExitCode> {
  const { since, definitive, file, declaration, format, raw, delimiter, yes: overwrite } = flags;
  const given = { since, definitive, file, declaration, raw, delimiter };
  const other = Object.entries(given).find(([, value]) => value !== undefined && value !== false)?.[0];
  if (other !== undefined) throw financeTakesNo(other);
  // The name that the format would give is told from a workbook's.
  const out = format === undefined || format === 'xlsx' ? flags.out : `.${format}`;
  const { locale, lang: language } = settings;
  const request = financeRequest({ ...flags, out }, { locale, language });
  const result = await exportFinance(context, { ...request, definition: finance, overwrite, language });
  view.showFinance(result);
  return result.complete ? EXIT.ok : EXIT.rows;
}

/** Whether the flags hold what is read by `--locale`, whatever is written. */
const readsByLocale = ({ since, from, to, file }: ExportFlags): boolean =>
  [since, from, to, file].some((said) => said !== undefined);

/** A workbook's texts are read by it when they come back; NDJSON does not come back. */
function refuseIdleLocale({ out, format, locale }: ExportFlags, resource: Resource): void {
  const written = exportTarget(resource, out, format).format;
  if (written === 'ndjson') refuseUnusedCsvFlags(written, { locale });
}

const onlyFor = (flag: string, what: string): StopError =>
  wrongUsage(t(`${flag} is for export ${what}.`, `${flag} is voor export ${what}.`));

const financeTakesNo = (flag: string): StopError =>
  wrongUsage(
    t(`A finance export takes no --${flag}.`, `Een financiële export kent geen --${flag}.`),
    FINANCE_NEXT[flag],
  );

/** What a finance export has in place of what others take. */
const FINANCE_NEXT: Readonly<Record<string, Bilingual>> = {
  definitive: t(
    'Leave it out: it is of the definitive events by itself, and of all with --all.',
    'Laat het weg: de export gaat vanzelf over de definitieve evenementen, en met --all over alle.',
  ),
  since: t(
    'Name days with --from and --to: the workbook says what changed since the last finance export of those.',
    'Noem dagen met --from en --to: de werkmap zegt wat er sinds de vorige financiële export daarvan is gewijzigd.',
  ),
};
