import { saidName } from '../../../../core/header.ts';
import { type Bilingual, t } from '../../../../core/language.ts';
import type { SheetKindDocument, SheetReadDocument } from '../../../../import/sheets-document.ts';
import { said, say, sayCount } from '../../language.ts';
import { type Option, Select } from '../../pieces/field.tsx';
import { Table } from '../../pieces/lists.tsx';
import { choiceOf, chooseField, type Reading } from './choices.ts';

type Column = SheetReadDocument['columns'][number];
type Kind = SheetKindDocument;

const EMPTY = t('(no header)', '(geen kop)');

const WHYS: Readonly<Record<NonNullable<Column['why']>, readonly [Bilingual, string] | null>> = {
  exact: null,
  mark: null,
  remembered: [t('known from before', 'bekend van eerder'), 'plain'],
  proposed: [t('proposal', 'voorstel'), 'warn'],
  choice: [t('you chose this', 'jij koos dit'), 'good'],
};

interface TableProps {
  readonly sheet: SheetReadDocument;
  readonly reading: Reading;
}

/** Whether a column with values is taken for nothing, and nobody said so. */
export const isUnused = ({ field, why, samples, shownOnly }: Column): boolean =>
  field === null && why === null && samples.length > 0 && !shownOnly;

/** Whether nobody said yet what a column is, nor that it is not used: either can be said, and is kept. */
const isUnsaid = ({ field, why }: Column): boolean => field === null && why === null;

/** The value of the choice that leaves a column unused; no field is named so. */
const NONE = '-';

/** Shows the first column that is to be looked at: its sheet is opened, and what it is can be chosen. */
export function showUnused(): void {
  const first = document.querySelector<HTMLElement>('tr.look select');
  first?.closest('details')?.setAttribute('open', '');
  first?.closest('tr')?.scrollIntoView({ block: 'center' });
  first?.focus({ preventScroll: true });
}

/** The columns of a sheet with what each is taken for, to be chosen otherwise. */
export function ColumnTable({ sheet, reading }: TableProps) {
  const kind = reading.sheets.resources.find(({ name }) => name === sheet.resource);
  return (
    <>
      <Table
        class="columns-table"
        heads={[
          t('Column', 'Kolom'),
          t('Header', 'Kop'),
          t('First values', 'Eerste waarden'),
          t('Is taken for', 'Wordt genomen voor'),
        ]}
      >
        {sheet.columns.map((column) => (
          <ColumnLine key={column.column} column={column} kind={kind} sheet={sheet} reading={reading} />
        ))}
      </Table>
      {sheet.columnsLeft > 0 && (
        <p class="dim">
          {sayCount(
            sheet.columnsLeft,
            t('and 1 column more, not used', 'en nog 1 kolom, niet gebruikt'),
            t('and {n} columns more, not used', 'en nog {n} kolommen, niet gebruikt'),
          )}
        </p>
      )}
    </>
  );
}

interface LineProps extends TableProps {
  readonly column: Column;
  readonly kind: Kind | undefined;
}

function ColumnLine({ column, kind, sheet, reading }: LineProps) {
  const { letters, header, samples, field, why, shownOnly } = column;
  const reason = why === null ? null : WHYS[why];
  return (
    <tr class={why === 'proposed' || isUnused(column) ? 'look' : undefined}>
      <td class="letters">{letters}</td>
      <th scope="row">{header === '' ? <span class="dim">{said(EMPTY)}</span> : header}</th>
      <td class="dim">
        <div class="samples">{samples.join(' · ')}</div>
      </td>
      <td>
        <div class="field-choice">
          <FieldChoice column={column} kind={kind} sheet={sheet} reading={reading} />
          {reason !== null && <span class={`pill ${reason[1]}`}>{said(reason[0])}</span>}
          {shownOnly && field !== null && (
            <span class="dim">{say('shown, never sent', 'getoond, nooit verstuurd')}</span>
          )}
        </div>
      </td>
    </tr>
  );
}

function FieldChoice({ column, kind, sheet, reading }: LineProps) {
  const { sheets, choose } = reading;
  const { letters, header, field, proposed } = column;
  // What was chosen shows at once: a key that is typed next finds the list as it was left.
  const own = choiceOf(sheets, sheet.sheet).columns?.find((one) => one.column === column.column);
  const known = new Set([...(kind?.fields ?? []), ...sheets.marks].map(({ name }) => name));
  const others = (kind?.fields ?? []).filter(({ name }) => !proposed.includes(name));
  return (
    <Select
      bare
      label={say(
        `Column ${letters}, ${header === '' ? said(EMPTY) : header}: is taken for`,
        `Kolom ${letters}, ${header === '' ? said(EMPTY) : header}: wordt genomen voor`,
      )}
      value={own === undefined ? (field ?? (isUnsaid(column) ? '' : NONE)) : (own.field ?? NONE)}
      groups={[
        [null, isUnsaid(column) ? [['', say('– choose, or leave it –', '– kies, of laat het zo –')]] : []],
        [null, [[NONE, say('– not used –', '– niet gebruikt –')]]],
        [null, field !== null && !known.has(field) ? [[field, field]] : []],
        [
          say('May be', 'Misschien'),
          optionsOf((kind?.fields ?? []).filter(({ name }) => proposed.includes(name))),
        ],
        [say('Required', 'Verplicht'), optionsOf(others.filter(({ required }) => required))],
        [
          say('Can be sent', 'Kan verstuurd worden'),
          optionsOf(others.filter((one) => !one.required && one.sent)),
        ],
        [
          say('Only to find or show', 'Alleen om te vinden of te tonen'),
          optionsOf(others.filter((one) => !one.required && !one.sent)),
        ],
        [
          say('Of catersheet itself', 'Van catersheet zelf'),
          sheets.marks.map(({ name }): Option => [name, name]),
        ],
      ]}
      onValue={(value) => {
        if (value !== '')
          choose(chooseField(sheets, sheet.sheet, column.column, value === NONE ? null : value));
      }}
    />
  );
}

/** Fields by their names as people say them, with the identifier where that is another. */
const optionsOf = (fields: readonly { readonly name: string; readonly help: string }[]): readonly Option[] =>
  fields.map(({ name, help }) => {
    const word = saidName(help);
    return [name, word.toLowerCase() === name.toLowerCase() ? word : `${word} (${name})`];
  });
