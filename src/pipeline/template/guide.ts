import { OWN_SHEETS } from '../../schema/own-sheets.ts';
import type { Resource } from '../../schema/resource.ts';
import type { Bilingual, Language } from '../../schema/value.ts';
import type { GuideLine, GuideSheet } from '../../workbook/template-book.ts';
import type { DescribedColumn } from './columns.ts';
import { COLUMN_HEADS, GUIDE, ROLES, RULES, STEPS, type Term } from './guide-texts.ts';
import { actionsOf } from './requirement.ts';

/** One sheet of a template with what is said of its columns. */
export interface DescribedSheet {
  readonly resource: Resource;
  readonly columns: readonly DescribedColumn[];
}

/** The sheet that says how the others are filled in, and lists all their columns. */
export function guideSheet(sheets: readonly DescribedSheet[], language: Language): GuideSheet {
  const lines = (terms: readonly Term[]): GuideLine[] =>
    terms.map(([term, text]) => ({ term: term[language], text: text[language] }));
  return {
    name: OWN_SHEETS.guide[language],
    title: GUIDE.title[language],
    lead: GUIDE.lead[language],
    sections: [
      { heading: GUIDE.steps[language], lines: lines(STEPS) },
      { heading: GUIDE.rules[language], lines: lines(RULES) },
      {
        heading: GUIDE.colours[language],
        lines: ROLES.map(([role, term, text]) => ({ role, term: term[language], text: text[language] })),
      },
      {
        heading: GUIDE.sheets[language],
        lines: sheets.map(({ resource }) => ({
          term: resource.sheet,
          text: sheetText(resource, language),
        })),
      },
    ],
    table: {
      heading: GUIDE.columns[language],
      headers: COLUMN_HEADS.map((head) => head[language]),
      rows: sheets.flatMap(({ resource, columns }) =>
        columns.map(({ name, when, type, meaning, source, example }) => [
          ...[resource.sheet, name, when, type, meaning, source, example],
        ]),
      ),
    },
  };
}

function sheetText(resource: Resource, language: Language): string {
  const actions = actionsOf(resource).join(', ');
  const found = foundText(resource)[language];
  return language === 'nl'
    ? `${resource.about.nl}. ${found} Een rij kan: ${actions}.`
    : `${resource.about.en}. ${found} A row can: ${actions}.`;
}

/** How the rows of a resource are found again. */
function foundText(resource: Resource): Bilingual {
  switch (resource.kind) {
    case 'catalogue':
    case 'event':
      return by(`${resource.id}, else ${resource.external}`, `${resource.id}, anders ${resource.external}`);
    case 'trip':
      return by(resource.id, resource.id);
    case 'link':
      return by(`${resource.parent} and ${resource.child}`, `${resource.parent} en ${resource.child}`);
    case 'posting':
      return {
        en: 'Every row is posted at most once, told apart by #key, else by its content.',
        nl: 'Elke rij wordt hooguit één keer geboekt; rijen worden onderscheiden door #key, anders door hun inhoud.',
      };
    case 'count':
      return {
        en: 'What is posted is the difference between the count and the current total of the product.',
        nl: 'Geboekt wordt het verschil tussen de telling en het huidige totaal van het product.',
      };
    case 'document':
      return {
        en: 'A file goes to a folder of an event once, told by what is in it.',
        nl: 'Een bestand gaat één keer naar een map van een evenement; het telt wat erin staat.',
      };
    case 'refresh':
      return by(resource.event, resource.event);
    case 'download':
      return by(resource.id, resource.id);
  }
}

function by(en: string, nl: string): Bilingual {
  return { en: `Found again by ${en}.`, nl: `Wordt teruggevonden op ${nl}.` };
}
