import type { Argv } from 'yargs';
import { EXIT, type ExitCode } from '../errors.ts';
import { exportRecords } from '../pipeline/export/export-records.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../pipeline/export/export-target.ts';
import { isExported } from '../pipeline/export/lists/exporters.ts';
import { selectionOf } from '../pipeline/export/wished-selection.ts';
import { resources } from '../resources/registry.ts';
import type { Resource } from '../schema/resource.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import { knownDelimiter } from '../workbook/csv-delimiter.ts';
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
  readonly file: string | undefined;
  readonly declaration: boolean;
  readonly yes: boolean;
  readonly raw: boolean;
  readonly delimiter: string | undefined;
}

/** What is exported of the sheet that people count stock on. */
const STOCK = 'stock';
const exported = resources.filter(isExported);
/** What people call it on the command line. */
const wordOf = ({ kind, name }: Resource): string => (kind === 'count' ? STOCK : name);
const NAMES = exported.map(wordOf).join(', ');

function builder(argv: Argv): Argv<ExportFlags> {
  return commonFlags(argv)
    .positional('what', { type: 'string', demandOption: true, describe: `What to export: ${NAMES}` })
    .option('out', {
      alias: 'o',
      type: 'string',
      describe:
        'File to write: .xlsx, .csv or .ndjson; - for stdout (the sheet’s name, as in pakketten.xlsx)',
    })
    .option('format', { choices: EXPORT_FORMATS, describe: 'How it is written (by the ending; csv for -)' })
    .option('since', {
      type: 'string',
      describe: 'What was modified after this moment, or since the last export',
    })
    .option('from', { type: 'string', describe: 'First day of events, arrangements or trips' })
    .option('to', { type: 'string', describe: 'Last day of events, arrangements or trips' })
    .option('definitive', {
      type: 'boolean',
      default: false,
      describe: 'Definitive events, of all days or of these',
    })
    .option('file', { type: 'string', describe: 'Stock of the products that this file names' })
    .group(['since', 'from', 'to', 'definitive', 'file'], 'What:')
    .option('declaration', { type: 'boolean', default: false, describe: 'With the ingredient declaration' })
    .option('yes', {
      alias: 'y',
      type: 'boolean',
      default: false,
      describe: 'Overwrite a file that is there already',
    })
    .option('locale', {
      choices: ['nl', 'en'] as const,
      describe: 'How numbers in a CSV are written (nl: 1234,5)',
    })
    .option('delimiter', { type: 'string', describe: 'Separator of a CSV, or tab (; or , by the locale)' })
    .option('raw', {
      type: 'boolean',
      default: false,
      describe: 'CSV for programs: no byte order mark, no guard against formulas',
    })
    .check((flags) => {
      if (flags.json === undefined || flags.out !== '-') return true;
      throw wrongUsage({
        en: '--json and --out - both want stdout.',
        nl: '--json en --out - willen allebei stdout.',
      });
    })
    .example('$0 export packages -o pakketten.xlsx', 'edit it, then import it again')
    .example('$0 export recipes --since 2026-11-01 -o - --format ndjson', 'what changed, for a program')
    .example('$0 export events --since last', 'what changed since the last time')
    .example('$0 export stock', 'a sheet to count on') as unknown as Argv<ExportFlags>;
}

/** `export WHAT`: what the service holds, as a workbook, CSV or NDJSON. */
export const exportCommand: Command<ExportFlags> = {
  command: 'export <what>',
  describe: 'Export records to a workbook that can be edited and imported again',
  builder,
  run: (flags) => withSession(flags, (session, view) => runExport(flags, session, view)),
};

async function runExport(flags: ExportFlags, { context, settings }: Session, view: View): Promise<ExitCode> {
  const { what, out, format, declaration, yes, raw, delimiter } = flags;
  const resource = resourceNamed(what, exported, wordOf);
  const result = await exportRecords(context, {
    resource,
    selection: selectionOf(resource, flags, settings.locale),
    ...{ out, format, declaration, overwrite: yes, raw },
    delimiter: knownDelimiter(delimiter),
    locale: settings.locale,
    language: settings.lang,
  });
  view.showExport(result);
  return EXIT.ok;
}
