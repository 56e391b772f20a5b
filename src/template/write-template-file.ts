import { extname, join } from 'node:path';
import { usageStop } from '../core/errors.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { OWN_SHEETS } from '../core/own-sheets.ts';
import { checkWritable, refuseExisting } from '../files/write-aside.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import type { TemplateBook } from '../xlsx/write/template-book.ts';
import { writeTemplate } from '../xlsx/write/write-template.ts';
import { describeColumns } from './columns.ts';
import { GUIDE_WORDS, guideSheet } from './guide.ts';
import { type ChoiceList, NO_LISTS, readLists } from './read-lists.ts';

interface TemplateRequest {
  /** The sheets to make, in order. */
  readonly chosen: readonly Resource[];
  /** All resources: columns refer to one another's sheets. */
  readonly resources: readonly Resource[];
  readonly lists: readonly ChoiceList[];
  readonly language: Language;
  readonly made: Date;
}

/** A workbook to fill in, made from the resources. */
export function makeTemplate({ chosen, resources, lists, language, made }: TemplateRequest): TemplateBook {
  const sheets = chosen.map((resource) => ({
    resource,
    columns: describeColumns(resource, { language, resources, lists }),
  }));
  return {
    title: chosen.map(({ sheet }) => sheet).join(', '),
    guide: guideSheet(sheets, language),
    sheets: sheets.map(({ resource, columns }) => ({
      name: resource.sheet,
      table: `tbl_${resource.name.replace(/\W/g, '_')}`,
      columns: columns.map(({ column }) => column),
    })),
    listSheet: OWN_SHEETS.lists[language],
    lists: lists.map(({ lookup, name, choices }) => ({
      ...{ name, title: lookup },
      values: choices.map(({ text }) => text),
    })),
    pageText: GUIDE_WORDS.page[language],
    made,
  };
}

interface TemplateFile extends Omit<TemplateRequest, 'lists'> {
  /** The file; when absent, a name of its own in `folder` or the working folder. */
  readonly out?: string | undefined;
  readonly folder?: string;
  /** The service to read lists from; no lists when absent. */
  readonly context?: Context | undefined;
}

/** What `template` wrote. */
export interface WrittenTemplate {
  readonly file: string;
  readonly sheets: readonly { readonly sheet: string; readonly resource: string; readonly columns: number }[];
  readonly lists: readonly { readonly lookup: string; readonly values: number }[];
  /** Lists that could not be read, and why. */
  readonly missing: Awaited<ReturnType<typeof readLists>>['missing'];
}

const NAMES: Readonly<Record<Language, string>> = t('template', 'sjabloon');

/** `template.xlsx`, or `template-pakketten.xlsx` for one sheet. */
function templateName(chosen: readonly Resource[], language: Language): string {
  const [only, more] = chosen;
  const tail = only !== undefined && more === undefined ? `-${only.sheet.toLowerCase()}` : '';
  return `${NAMES[language]}${tail}.xlsx`;
}

/**
 * Makes a template and writes it. Throws StopError with EXIT.usage where the file is there already, and with
 * EXIT.service when the service is away.
 */
export async function writeTemplateFile(request: TemplateFile): Promise<WrittenTemplate> {
  const { chosen, resources, language, made, context, folder = '' } = request;
  const file = request.out ?? join(folder, templateName(chosen, language));
  if (extname(file).toLowerCase() !== '.xlsx') throw usageStop(notXlsx(file), XLSX_NEXT);
  await refuseExisting(file);
  await checkWritable(file);
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

const notXlsx = (file: string): Bilingual =>
  t(
    `A template is a workbook, and ${file} is no name of one.`,
    `Een sjabloon is een werkmap, en ${file} is daar geen naam voor.`,
  );
const XLSX_NEXT: Bilingual = t('Let --out end in .xlsx.', 'Laat --out eindigen op .xlsx.');
