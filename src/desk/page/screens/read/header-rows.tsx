import { useId, useState } from 'preact/hooks';
import { columnLetters } from '../../../../core/cell.ts';
import type { SheetReadDocument } from '../../../../import/sheets-document.ts';
import { say } from '../../language.ts';
import { chooseHeader, type Reading } from './choices.ts';

/** Columns that are shown: what tells a header is seen in the first ones. */
const MOST = 30;

interface HeaderProps {
  readonly sheet: SheetReadDocument;
  readonly reading: Reading;
}

/** The first rows of a sheet as it shows them: the row with the headers, and another to choose. */
export function HeaderRows({ sheet, reading }: HeaderProps) {
  const { headerRow: row, firstHeaderRow: first } = sheet;
  const [isOpen] = useState(row === null || sheet.kind === 'problem');
  const text =
    row === null
      ? say('No row looks like headers', 'Geen enkele rij lijkt op koppen')
      : first !== null && first !== row
        ? say(`Headers stand in rows ${first} and ${row}`, `De koppen staan in rij ${first} en ${row}`)
        : say(`Headers stand in row ${row}`, `De koppen staan in rij ${row}`);
  return (
    <details class="inner" open={isOpen}>
      <summary>
        {text} <span class="link">{say('choose another row', 'een andere rij kiezen')}</span>
      </summary>
      <FirstRows sheet={sheet} reading={reading} />
    </details>
  );
}

function FirstRows({ sheet, reading: { sheets, choose } }: HeaderProps) {
  const name = useId();
  const columns = [...new Set(sheet.top.flatMap(({ cells }) => cells.map(({ column }) => column)))]
    .sort((one, other) => one - other)
    .slice(0, MOST);
  const title = say(`First rows of ${sheet.sheet}`, `Eerste rijen van ${sheet.sheet}`);
  const take = (row: number): void => {
    if (row !== sheet.headerRow) choose(chooseHeader(sheets, sheet.sheet, row));
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keyboard too.
    <section class="scrolled" aria-label={title} tabIndex={0}>
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">{say('Headers', 'Koppen')}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {columnLetters(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.top.map(({ row, cells }) => (
            <tr key={row} class={row === sheet.headerRow ? 'chosen' : undefined}>
              <th scope="row">
                <label>
                  <input
                    type="radio"
                    name={name}
                    checked={row === sheet.headerRow}
                    aria-label={say(`Row ${row} holds the headers`, `In rij ${row} staan de koppen`)}
                    onChange={() => take(row)}
                  />
                  {row}
                </label>
              </th>
              {columns.map((column) => (
                <td key={column}>{cells.find((cell) => cell.column === column)?.text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
