import type { Argv } from 'yargs';
import type { ExitCode } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { ON_CONFLICT, type OnConflict } from '../import/baseline/three-way.ts';
import { type ImportRequest, importWorkbook } from '../import/import.ts';
import type { SetValue } from '../import/map/sheet-mapping.ts';
import { resources } from '../resources/registry.ts';
import type { Session } from '../session/open-session.ts';
import type { View } from '../view/view.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { type ReadingFlags, readingFlags } from './reading-flags.ts';
import { ONLY_PROBLEMS, REPORT } from './result-flags.ts';
import { askToSend, showResult } from './show-result.ts';
import { wrongUsage } from './usage.ts';
import { withSession } from './with-session.ts';

interface ImportFlags extends CommonFlags, ReadingFlags {
  readonly file: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly as: string | undefined;
  readonly sheet: readonly string[];
  readonly set: readonly string[];
  readonly strict: boolean;
  readonly allowDelete: boolean;
  readonly onConflict: OnConflict;
  readonly out: string | undefined;
  readonly only: 'problems' | undefined;
  readonly report: string | undefined;
}

const NAMES = resources.map((resource) => resource.name);
const one = { type: 'string', array: true, nargs: 1, default: [] as string[] } as const;

function builder(argv: Argv): Argv<ImportFlags> {
  return readingFlags(commonFlags(argv))
    .positional('file', { type: 'string', demandOption: true, describe: 'Workbook (.xlsx) or CSV to import' })
    .option('dry-run', { type: 'boolean', default: false, describe: 'Show what would change; send nothing' })
    .option('yes', { alias: 'y', type: 'boolean', default: false, describe: 'Send without asking' })
    .option('as', { choices: NAMES, describe: 'What the sheets hold, whatever their names' })
    .option('sheet', { ...one, describe: 'Only this sheet (may be repeated)' })
    .option('set', { ...one, describe: 'Field=value for all rows, where the file has no such column' })
    .option('locale', {
      choices: ['nl', 'en'] as const,
      describe: 'How numbers in text are written (nl: 1.234,50)',
    })
    .option('strict', {
      type: 'boolean',
      default: false,
      describe: 'Stop rows that were read in an unexpected way',
    })
    .option('allow-delete', {
      type: 'boolean',
      default: false,
      describe: 'Let rows marked delete be deleted',
    })
    .option('on-conflict', {
      choices: ON_CONFLICT,
      default: 'skip' as const,
      describe:
        'What both you and someone else changed since the workbook was written: skip the row, or send mine or leave theirs',
    })
    .option('out', {
      alias: 'o',
      type: 'string',
      describe: 'Result workbook (NAME.result.xlsx beside the file)',
    })
    .option('only', ONLY_PROBLEMS)
    .option('report', REPORT)
    .example('$0 import catalogus.xlsx --dry-run', 'what would change, row by row')
    .example(
      '$0 import prijzen.csv --as packages --set Actief=Ja --yes',
      'a CSV of packages',
    ) as unknown as Argv<ImportFlags>;
}

/** `import FILE`: read, map, plan, show, ask, apply, write the result. */
export const importCommand: Command<ImportFlags> = {
  builder,
  run: (flags) =>
    withSession(flags, (session, view) => runImport(flags, session, view), flags.dryRun ? 'try' : 'wait'),
};

async function runImport(flags: ImportFlags, session: Session, view: View): Promise<ExitCode> {
  return await showResult(
    session,
    view,
    await importWorkbook(session.context, toRequest(flags, session, view)),
  );
}

function toRequest(flags: ImportFlags, { context, settings }: Session, view: View): ImportRequest {
  const { file, dryRun, strict, allowDelete, onConflict, out, report } = flags;
  const { map, headerRow, encoding, delimiter } = flags;
  const { headers, profile } = settings;
  return {
    ...{ file, dryRun, strict, allowDelete, onConflict, out, report },
    ...{ map, headers, profile, headerRow, encoding, delimiter },
    as: resources.find((resource) => resource.name === flags.as),
    only: flags.sheet,
    set: flags.set.map(parseSet),
    onlyProblems: flags.only === 'problems',
    locale: settings.locale,
    language: settings.lang,
    confirm: flags.yes ? undefined : (plan) => askToSend(flags.json, view, plan, context.signal),
  };
}

function parseSet(text: string): SetValue {
  const [, field = '', value = ''] = /^\s*([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
  const known = resources.some((resource) => Object.hasOwn(resource.fields, field));
  if (known) return { field, text: value };
  const what =
    field === ''
      ? t(`--set ${text} is not of the form Field=value.`, `--set ${text} heeft niet de vorm Veld=waarde.`)
      : t(
          `--set ${field}: no sheet has a column ${field}.`,
          `--set ${field}: geen enkel werkblad heeft een kolom ${field}.`,
        );
  throw wrongUsage(
    what,
    t(
      'Write it as in --set Actief=Ja, with a field name as the interface spells it.',
      'Schrijf het zoals in --set Actief=Ja, met een veldnaam zoals de interface hem spelt.',
    ),
  );
}
