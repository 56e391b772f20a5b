import { Component, type ComponentChildren } from 'preact';
import type { ChangeDocument } from '../../../api/documents.ts';
import { t } from '../../../core/language.ts';
import { amountText } from '../../../core/row-text.ts';
import { toldApart } from '../../../core/visible-text.ts';
import type { TableRow } from '../../contract/answers.ts';
import { language, said } from '../language.ts';
import { more } from '../pieces/lists.tsx';
import { StatusPill, statusTone, useFieldName, useSheet } from '../pieces/status-pill.tsx';

/** The columns of the table, by their names in its query where they can be sorted by. */
export const HEADS = {
  row: t('Row', 'Rij'),
  status: t('Outcome', 'Uitkomst'),
  record: t('Record', 'Record'),
  changes: t('Changes', 'Wijzigingen'),
  remarks: t('Remarks', 'Opmerkingen'),
} as const;
type Head = keyof typeof HEADS;

/** How a conflict was decided. */
const DECIDED = {
  mine: t('decided: mine', 'beslist: de mijne'),
  theirs: t('decided: theirs', 'beslist: die van het systeem'),
  skip: t('decided: leave it', 'beslist: laten'),
} as const;

/** The role of a line: a row by its number in the whole table, the heads being the first. */
export const rowRole = (number: number, selected?: boolean) =>
  ({ role: 'row', 'aria-rowindex': number, 'aria-selected': selected }) as const;

/** What a row is about beside its name: its keys and its id. */
export function keysText({ key = {}, id }: Pick<TableRow, 'key' | 'id'>): string {
  const keys = Object.entries(key).map(([field, value]) => `${field} ${value}`);
  const isKnown = id === undefined || Object.values(key).includes(id);
  return [...keys, ...(isKnown ? [] : [`id ${id}`])].join(' · ');
}

interface LineProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  /** Undefined while it is on its way. */
  readonly row: TableRow | undefined;
  readonly active: boolean;
  readonly open: boolean;
  readonly language: string;
}

/** A row of the table; drawn anew only when it is another one, or another place. */
export class RowLine extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    return (Object.keys(next) as (keyof LineProps)[]).some((name) => next[name] !== this.props[name]);
  }

  override render({ id, index, top, row, active, open }: LineProps) {
    const looks = [active && 'active', open && 'open', row === undefined ? 'waits' : statusTone(row.status)];
    return (
      <div
        {...rowRole(index + 2, active)}
        id={id}
        aria-busy={row === undefined || undefined}
        class={['line', ...looks].filter(Boolean).join(' ')}
        data-index={index}
        style={{ transform: `translateY(${top}px)` }}
      >
        {row === undefined ? <Cell name="row">…</Cell> : <Cells row={row} />}
      </div>
    );
  }
}

interface CellProps {
  readonly name: Head;
  readonly children?: ComponentChildren;
  readonly title?: string | undefined;
}

const Cell = ({ name, children, title }: CellProps) => (
  <div role={name === 'row' ? 'rowheader' : 'gridcell'} class={name} title={title}>
    {children}
  </div>
);

function Cells({ row }: { readonly row: TableRow }) {
  const { sheet, status, changes = [], message = '', label = '', corrected, decided } = row;
  return (
    <>
      <Cell name="row" title={`${sheet} ${row.row}`}>
        <span class="dim">{sheet}</span> <b class="place">{row.row}</b>
      </Cell>
      <Cell name="status">
        <StatusPill status={status} sheet={sheet} />
        {(corrected || decided !== null) && (
          <small class="dim">
            {said(corrected || decided === null ? t('corrected', 'verbeterd') : DECIDED[decided])}
          </small>
        )}
      </Cell>
      <Cell name="record" title={label}>
        {label !== '' && <strong>{label}</strong>}
        <small class="dim">{keysText(row)}</small>
      </Cell>
      <Cell name="changes">
        <Changes changes={changes} label={label} sheet={sheet} />
      </Cell>
      <Cell name="remarks" title={message}>
        {message.replaceAll('\n', ' · ')}
      </Cell>
    </>
  );
}

/** Changes of a row that its line has room for; the panel shows all of them. */
const SHOWN = 2;

interface ChangesProps {
  readonly changes: readonly ChangeDocument[];
  /** The record's name, which stands beside them. */
  readonly label: string;
  readonly sheet: string;
}

function Changes({ changes, label, sheet }: ChangesProps) {
  const told = changes.filter(({ from, to }) => from !== null || to !== label);
  const rest = told.length - SHOWN;
  return (
    <>
      {told.slice(0, SHOWN).map((change, at) => (
        <span key={change.field} class="change">
          <Name sheet={sheet} field={change.field} /> <OldNew change={change} sheet={sheet} />
          {rest > 0 && at === SHOWN - 1 && <small class="dim"> {more(rest)}</small>}
        </span>
      ))}
    </>
  );
}

/** Of a field in a line the name alone: the panel has its identifier too. */
const Name = ({ sheet, field }: { readonly sheet: string; readonly field: string }) => (
  <span class="dim" title={field}>
    {useFieldName(sheet, field)}
  </span>
);

interface OldNewProps {
  readonly change: ChangeDocument;
  /** The sheet of its row. */
  readonly sheet: string;
}

/** What a field was and becomes; what it is made with has nothing before it. */
export function OldNew({ change: { field, from, to, fromName, toName }, sheet }: OldNewProps) {
  const of = useSheet(sheet);
  const shown = (value: typeof from, name: string | undefined): string => {
    const text = amountText(value, of?.money.includes(field) === true, language.value);
    return name === undefined ? text : `${name} (${text})`;
  };
  const [was, is] = toldApart(shown(from, fromName), shown(to, toName));
  return (
    <>
      {from !== null && (
        <>
          <del>{was}</del>
          {' → '}
        </>
      )}
      <ins>{is}</ins>
    </>
  );
}
