import type { FinanceDefinition } from '../../../schema/finance.ts';
import type { Bilingual } from '../../../schema/value.ts';
import { NONE } from './finance-rows.ts';
import type { FinanceFeeds } from './finance-work.ts';
import { cellsText, type OddCells, type OddColumn } from './odd-cells.ts';
import { RECORD_SHEETS } from './remembered.ts';

/** What there is to say of cells that were counted otherwise than they say, or that could not be written. */
export function oddTexts(definition: FinanceDefinition, odd: OddCells, feeds: FinanceFeeds): Bilingual[] {
  const said = (make: (one: Said) => Bilingual) => (column: OddColumn) => {
    const { member = '', header } = definition[column.sheet].columns[column.at] ?? { header: NO_HEADER };
    return make({ member, header, count: column.count, cells: cellsText([column], feeds) });
  };
  return [
    ...odd.of('events', 'flag').map(said(flagText)),
    ...odd.of('events', 'id').map(said(idText)),
    ...RECORD_SHEETS.flatMap((sheet) => odd.of(sheet, 'too-long').map(said(longText))),
  ];
}

/** The cells of one column of which something is said. */
interface Said {
  readonly member: string;
  readonly header: Bilingual;
  readonly count: number;
  readonly cells: Bilingual;
}

const NO_HEADER: Bilingual = { en: '', nl: '' };

const flagText = ({ member, count, cells }: Said): Bilingual => ({
  en: `${member} is neither yes nor no, and the event counts as revenue: ${count} (${cells.en})`,
  nl: `${member} is geen ja en geen nee, en het evenement telt als omzet mee: ${count} (${cells.nl})`,
});

const idText = ({ member, count, cells }: Said): Bilingual => ({
  en: `${member} is no usable number, and the event counts under “${NONE.en}”: ${count} (${cells.en})`,
  nl: `${member} is geen bruikbaar nummer, en het evenement telt mee bij “${NONE.nl}”: ${count} (${cells.nl})`,
});

const longText = ({ header, count, cells }: Said): Bilingual => ({
  en: `${header.en}: ${count} ${count === 1 ? 'text' : 'texts'} longer than a cell holds (32,767 characters), whose cells are empty: ${cells.en}`,
  nl: `${header.nl}: ${count} ${count === 1 ? 'tekst' : 'teksten'} langer dan een cel kan bevatten (32.767 tekens), waarvan de cellen leeg zijn: ${cells.nl}`,
});
