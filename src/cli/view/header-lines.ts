import { normaliseHeader } from '../../core/header.ts';
import { type Language, t } from '../../core/language.ts';
import type { Line } from '../../core/standard-streams.ts';
import { shownWidth } from '../../core/visible-text.ts';
import type { ProposedHeader, SheetProposal } from '../../import/map/header-proposals.ts';
import { type Proposals, undecidedTexts } from '../../import/map/proposed-map.ts';
import { allSheets } from '../../resources/registry.ts';
import { padded } from './lines.ts';

/** What the headers of a file may stand for: each with its field and a value below it. */
export function headerLines({ sheets }: Proposals, language: Language): Line[] {
  const undecided = undecidedTexts(sheets).map((text) => `  ${text[language]}`);
  return [
    [
      'bold',
      t(
        'These headers may stand for columns that are known',
        'Deze koppen staan misschien voor bekende kolommen',
      )[language],
    ],
    ...sheets.filter(({ columns }) => columns.length > 0).flatMap((one) => sheetLines(one, language)),
    ...undecided,
  ];
}

function sheetLines({ sheet, resource, columns }: SheetProposal, language: Language): string[] {
  const kind = allSheets.find(({ name }) => name === resource)?.sheet ?? resource;
  const rows = columns.map((column) => [column.header, fieldText(column, resource, language), column.sample]);
  const width = (at: number): number => Math.max(...rows.map((row) => shownWidth(row[at] ?? '')));
  const [headers, fields] = [width(0), width(1)];
  const title =
    normaliseHeader(sheet) === normaliseHeader(kind)
      ? sheet
      : t(`${sheet}, as ${kind}`, `${sheet}, als ${kind}`)[language];
  const lines = rows.map(([header = '', field = '', sample = '']) =>
    `    ${padded(header, headers)} → ${padded(field, fields)}  ${sample}`.trimEnd(),
  );
  return [`  ${title}`, ...lines];
}

/** A field, with what it is where neither its name nor the header says so. */
function fieldText({ field, header }: ProposedHeader, resource: string, language: Language): string {
  const help = allSheets.find(({ name }) => name === resource)?.fields[field]?.help[language] ?? '';
  const [what = ''] = help.split(/[;,:]/);
  const said = [field, header].map(normaliseHeader);
  return what === '' || said.includes(normaliseHeader(what)) ? field : `${field} (${what})`;
}
