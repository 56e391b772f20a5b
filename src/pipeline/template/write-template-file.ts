import { extname, join } from 'node:path';
import { EXIT, StopError } from '../../errors.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Language } from '../../schema/value.ts';
import { tryTarget } from '../../workbook/target-place.ts';
import { writeTemplate } from '../../workbook/write-template.ts';
import type { Context } from '../context.ts';
import { refuseExisting } from '../refuse-existing.ts';
import { makeTemplate } from './make-template.ts';
import { type MissingList, NO_LISTS, readLists } from './read-lists.ts';

/** A template to write. */
export interface TemplateFile {
  readonly chosen: readonly Resource[];
  readonly resources: readonly Resource[];
  /** Where it goes; under a name of its own in `folder`, or where the program runs, when absent. */
  readonly out?: string | undefined;
  readonly folder?: string;
  readonly language: Language;
  readonly made: Date;
  /** The service whose lists are put in; without one there are none. */
  readonly context?: Context | undefined;
}

/** What was written. */
export interface WrittenTemplate {
  readonly file: string;
  readonly sheets: readonly { readonly sheet: string; readonly resource: string; readonly columns: number }[];
  readonly lists: readonly { readonly lookup: string; readonly values: number }[];
  /** Lists that are not in it, and why. */
  readonly missing: readonly MissingList[];
}

const NAMES: Readonly<Record<Language, string>> = { en: 'template', nl: 'sjabloon' };

/** The name of a template: `template.xlsx`, or `template-pakketten.xlsx` when it holds one sheet. */
function templateName(chosen: readonly Resource[], language: Language): string {
  const [only, more] = chosen;
  const tail = only !== undefined && more === undefined ? `-${only.sheet.toLowerCase()}` : '';
  return `${NAMES[language]}${tail}.xlsx`;
}

/**
 * Makes a template and writes it. Throws StopError with EXIT.usage where a file of that name is there already, as it may
 * have been filled in, and with EXIT.service when the service is away.
 */
export async function writeTemplateFile(request: TemplateFile): Promise<WrittenTemplate> {
  const { chosen, resources, language, made, context, folder = '' } = request;
  const file = request.out ?? join(folder, templateName(chosen, language));
  if (extname(file).toLowerCase() !== '.xlsx') throw notXlsx(file);
  await refuseExisting(file);
  await tryTarget(file);
  const { lists, missing } = context === undefined ? NO_LISTS : await readLists(context, chosen, language);
  const book = makeTemplate({ chosen, resources, lists, language, made });
  await refuseExisting(file);
  await writeTemplate(file, book);
  return {
    file,
    sheets: chosen.map(({ sheet, name }, at) => ({
      ...{ sheet, resource: name },
      columns: book.sheets[at]?.columns.length ?? 0,
    })),
    lists: lists.map(({ lookup, choices }) => ({ lookup, values: choices.length })),
    missing,
  };
}

function notXlsx(file: string): StopError {
  return new StopError(
    EXIT.usage,
    {
      en: `A template is a workbook, and ${file} is no name of one.`,
      nl: `Een sjabloon is een werkmap, en ${file} is daar geen naam voor.`,
    },
    { next: { en: 'Let --out end in .xlsx.', nl: 'Laat --out eindigen op .xlsx.' } },
  );
}
