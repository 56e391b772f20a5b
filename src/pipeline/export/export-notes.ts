import type { Resource } from '../../schema/resource.ts';
import type { Bilingual, Language } from '../../schema/value.ts';
import { describeColumns } from '../template/columns.ts';
import type { ColumnType, ExportColumn } from './export-columns.ts';

const TYPE_WORDS: Readonly<Record<ColumnType, Bilingual | null>> = {
  integer: { en: 'whole number', nl: 'geheel getal' },
  decimal: { en: 'number', nl: 'getal' },
  text: { en: 'text', nl: 'tekst' },
  boolean: { en: 'TRUE or FALSE', nl: 'Ja of Nee' },
  datetime: { en: 'date and time', nl: 'datum en tijd' },
  unknown: null,
};

const SHOWN: Bilingual = {
  en: 'From the service, for you to see: an import passes over this column.',
  nl: 'Van de dienst, om te zien: een import slaat deze kolom over.',
};
const TYPE: Bilingual = { en: 'Type', nl: 'Soort' };

/** The lines of the note on each column's header: what a template says of those that import takes, and what the others are. */
export function columnNotes(
  resource: Resource,
  columns: readonly ExportColumn[],
  { language, resources }: { readonly language: Language; readonly resources: readonly Resource[] },
): string[][] {
  const described = describeColumns(resource, { language, resources, lists: [] });
  const notes = new Map(described.map(({ name, column }) => [name, column.note]));
  return columns.map(({ header, type, field, imported }) => {
    const known = imported ? notes.get(header) : undefined;
    if (known !== undefined) return [...known];
    const word = TYPE_WORDS[type];
    return [
      ...(field === null ? [] : [field.help[language]]),
      ...(word === null ? [] : [`${TYPE[language]}: ${word[language]}`]),
      SHOWN[language],
    ];
  });
}
