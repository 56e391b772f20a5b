import type { Argv } from 'yargs';
import { EXIT, type ExitCode } from '../core/errors.ts';
import type { Language } from '../core/value.ts';
import { resources } from '../resources/registry.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { resolveSettings } from '../session/settings.ts';
import { writeTemplateFile } from '../template/write-template-file.ts';
import type { View } from '../view/view.ts';
import type { Command } from './command.ts';
import { type CommonFlags, commonFlags } from './common-flags.ts';
import { resourceNamed } from './resource-named.ts';
import { withSession, withView } from './with-session.ts';

interface TemplateFlags extends CommonFlags {
  readonly resource: readonly string[] | undefined;
  readonly out: string | undefined;
  readonly offline: boolean;
}

const NAMES = resources.map(({ name }) => name);

function builder(argv: Argv): Argv<TemplateFlags> {
  return commonFlags(argv)
    .positional('resource', {
      type: 'string',
      array: true,
      describe: `Sheets to make, all when none is named: ${NAMES.join(', ')}`,
    })
    .option('out', {
      alias: 'o',
      type: 'string',
      describe: 'Workbook to write (template.xlsx); never over another',
    })
    .option('offline', {
      type: 'boolean',
      default: false,
      describe: 'Without the service, so without lists to choose from',
    })
    .example('$0 template packages events -o week12.xlsx', 'a workbook to fill in, with live lists')
    .example(
      '$0 template --offline --lang nl',
      'all seven sheets, in Dutch',
    ) as unknown as Argv<TemplateFlags>;
}

/** `template [RESOURCE…]`: a workbook to fill in, made from what the sheets are. */
export const templateCommand: Command<TemplateFlags> = {
  builder,
  async run(flags) {
    if (flags.offline)
      return await withView(flags, (view) => runTemplate(flags, view, resolveSettings(flags).lang));
    return await withSession(flags, ({ context, settings }, view) =>
      runTemplate(flags, view, settings.lang, context),
    );
  },
};

async function runTemplate(
  { resource, out }: TemplateFlags,
  view: View,
  language: Language,
  context?: Context,
): Promise<ExitCode> {
  const chosen = choose(resource ?? []);
  const made = new Date();
  view.showTemplate(await writeTemplateFile({ chosen, resources, out, language, made, context }));
  return EXIT.ok;
}

/** The resources of those names, each once; all when there are none. Throws StopError for a name that none has. */
function choose(names: readonly string[]): readonly Resource[] {
  if (names.length === 0) return resources;
  return [...new Set(names.map((name) => resourceNamed(name, resources)))];
}
