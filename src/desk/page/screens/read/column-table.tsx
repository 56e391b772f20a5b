import type { JSX } from 'preact';
import { saidName } from '../../../../core/header.ts';
import { type Bilingual, t } from '../../../../core/language.ts';
import type { SheetKindDocument, SheetReadDocument } from '../../../../import/sheets-document.ts';
import { say, sayCount } from '../../language.ts';
import { type Option, Select } from '../../pieces/field.tsx';
import { Table } from '../../pieces/lists.tsx';
import { chooseField, type Reading } from './choices.ts';

type Column = SheetReadDocument['columns'][number];
type Kind = SheetKindDocument;

const COLUMN = t('Column', 'Kolom');
const HEADER = t('Header', 'Kop');
const SAMPLES = t('First values', 'Eerste waarden');
const FIELD = t('Is taken for', 'Wordt genomen voor');
const EMPTY = t('(no header)', '(geen kop)');
const NOT_USED = t('– not used –', '– niet gebruikt –');
const NOT_SAID = t('– choose, or leave it –', '– kies, of laat het zo –');
const MAYBE = t('May be', 'Misschien');
const REQUIRED = t('Required', 'Verplicht');
const USUAL = t('Can be sent', 'Kan verstuurd worden');
const SHOWN = t('Only to find or show', 'Alleen om te vinden of te tonen');
const OWN = t('Of catersheet itself', 'Van catersheet zelf');
const LABEL = t('Column {letters}, {header}: is taken for', 'Kolom {letters}, {header}: wordt genomen voor');
const ONE_MORE = t('and 1 column more, not used', 'en nog 1 kolom, niet gebruikt');
const MORE = t('and {n} columns more, not used', 'en nog {n} kolommen, niet gebruikt');
const SHOWN_ONLY = t('shown, never sent', 'getoond, nooit verstuurd');

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
export function ColumnTable({ sheet, reading }: TableProps): JSX.Element {
  const kind = reading.sheets.resources.find(({ name }) => name === sheet.resource);
  return (
    <>
      <Table class="columns-table" heads={[COLUMN, HEADER, SAMPLES, FIELD].map((word) => say(word))}>
        {sheet.columns.map((column) => (
          <ColumnLine key={column.column} column={column} kind={kind} sheet={sheet} reading={reading} />
        ))}
      </Table>
      {sheet.columnsLeft > 0 && <p class="dim">{sayCount(sheet.columnsLeft, ONE_MORE, MORE)}</p>}
    </>
  );
}

interface LineProps extends TableProps {
  readonly column: Column;
  readonly kind: Kind | undefined;
}

function ColumnLine({ column, kind, sheet, reading }: LineProps): JSX.Element {
  const { letters, header, samples, field, why, shownOnly } = column;
  const said = why === null ? null : WHYS[why];
  return (
    <tr class={why === 'proposed' || isUnused(column) ? 'look' : undefined}>
      <td class="letters">{letters}</td>
      <th scope="row">{header === '' ? <span class="dim">{say(EMPTY)}</span> : header}</th>
      <td class="dim">
        <div class="samples">{samples.join(' · ')}</div>
      </td>
      <td>
        <div class="field-choice">
          <FieldChoice column={column} kind={kind} sheet={sheet} reading={reading} />
          {said !== null && <span class={`pill ${said[1]}`}>{say(said[0])}</span>}
          {shownOnly && field !== null && <span class="dim">{say(SHOWN_ONLY)}</span>}
        </div>
      </td>
    </tr>
  );
}

function FieldChoice({ column, kind, sheet, reading }: LineProps): JSX.Element {
  const { sheets, choose } = reading;
  const { letters, header, field, proposed } = column;
  const known = new Set([...(kind?.fields ?? []), ...sheets.marks].map(({ name }) => name));
  const others = (kind?.fields ?? []).filter(({ name }) => !proposed.includes(name));
  return (
    <Select
      bare
      label={say(LABEL, { letters, header: header === '' ? say(EMPTY) : header })}
      value={field ?? (isUnsaid(column) ? '' : NONE)}
      groups={[
        [null, isUnsaid(column) ? [['', say(NOT_SAID)]] : []],
        [null, [[NONE, say(NOT_USED)]]],
        [null, field !== null && !known.has(field) ? [[field, field]] : []],
        [say(MAYBE), optionsOf((kind?.fields ?? []).filter(({ name }) => proposed.includes(name)))],
        [say(REQUIRED), optionsOf(others.filter(({ required }) => required))],
        [say(USUAL), optionsOf(others.filter((one) => !one.required && one.sent))],
        [say(SHOWN), optionsOf(others.filter((one) => !one.required && !one.sent))],
        [say(OWN), sheets.marks.map(({ name }): Option => [name, name])],
      ]}
      onValue={(value) =>
        choose(chooseField(sheets, sheet.sheet, column.column, value === NONE ? null : value))
      }
    />
  );
}

/** Fields by their names as people say them, with the identifier where that is another. */
const optionsOf = (fields: readonly { readonly name: string; readonly help: string }[]): readonly Option[] =>
  fields.map(({ name, help }) => {
    const said = saidName(help);
    return [name, said.toLowerCase() === name.toLowerCase() ? said : `${said} (${name})`];
  });
