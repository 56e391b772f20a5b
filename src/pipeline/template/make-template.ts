import { OWN_SHEETS } from '../../schema/own-sheets.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Language } from '../../schema/value.ts';
import type { TemplateBook } from '../../workbook/template-book.ts';
import { describeColumns } from './columns.ts';
import { guideSheet } from './guide.ts';
import { GUIDE } from './guide-texts.ts';
import type { LookupList } from './read-lists.ts';

/** What a template is made of. */
export interface TemplateRequest {
  /** The sheets to make, in order. */
  readonly chosen: readonly Resource[];
  /** All resources, as columns refer to one another's sheets. */
  readonly resources: readonly Resource[];
  readonly lists: readonly LookupList[];
  readonly language: Language;
  readonly made: Date;
}

/** A workbook to fill in, derived from the resources alone. */
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
    pageText: GUIDE.page[language],
    made,
  };
}
