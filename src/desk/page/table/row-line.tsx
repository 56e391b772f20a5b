import { Component, type ComponentChildren, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { ChangeDocument } from '../../../api/documents.ts';
import { OUTCOME_TONES } from '../../../core/outcome-tones.ts';
import { toldApart } from '../../../core/visible-text.ts';
import type { TableRow } from '../../contract/documents.ts';
import { say } from '../language.ts';
import { outcomeOfStatus, SheetsShown, StatusPill } from '../pieces/status-pill.tsx';
import { changeText, DECIDED_WORDS, keysText, ROW_WORDS } from './row-words.ts';

/** Roles of a table in place of its elements, which would lay out all rows to place one. */
export const TABLE_ROLES = {
  group: { role: 'rowgroup' },
  cell: { role: 'gridcell' },
  rowHead: { role: 'rowheader' },
} as const;

/** The role of a line: a row by its number in the whole table, the heads being the first. */
export const rowRole = (number: number, selected?: boolean) =>
  ({ role: 'row', 'aria-rowindex': number, 'aria-selected': selected }) as const;

/** Rows that can be picked to do something with several at once. */
export interface Picking {
  readonly picked: ReadonlySet<string>;
  readonly canPick: (row: TableRow) => boolean;
  readonly toggle: (row: TableRow) => void;
}

/** What a picked row is known by. */
export const pickKey = ({ sheet, row }: Pick<TableRow, 'sheet' | 'row'>): string => `${row}\0${sheet}`;

interface LineProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  /** Undefined while it is on its way. */
  readonly row: TableRow | undefined;
  readonly active: boolean;
  readonly open: boolean;
  readonly language: string;
  /** Undefined where nothing can be picked; null for a row that can't be. */
  readonly picked: boolean | null | undefined;
}

/** A row of the table; drawn anew only when it is another one, or another place. */
export class RowLine extends Component<LineProps> {
  override shouldComponentUpdate(next: LineProps): boolean {
    const now = this.props;
    return (Object.keys(next) as (keyof LineProps)[]).some((name) => next[name] !== now[name]);
  }

  override render({ id, index, top, row, active, open, picked }: LineProps): JSX.Element {
    const classes = [
      'line',
      active ? 'active' : '',
      open ? 'open' : '',
      row === undefined ? 'waits' : lookOf(row),
    ];
    return (
      <div
        {...rowRole(index + 2, picked ?? active)}
        id={id}
        aria-busy={row === undefined ? 'true' : undefined}
        class={classes.filter(Boolean).join(' ')}
        data-index={index}
        style={{ transform: `translateY(${top}px)` }}
      >
        {row === undefined ? <Waiting picks={picked !== undefined} /> : <Cells row={row} picked={picked} />}
      </div>
    );
  }
}

/** The tone of a row; `both`: its changes and its remarks share the room of one where there is less. */
function lookOf({ status, changes = [], message = '' }: TableRow): string {
  const tone = OUTCOME_TONES[outcomeOfStatus(status).name] ?? 'plain';
  return changes.length > 0 && message !== '' ? `${tone} both` : tone;
}

const NAMES = ['place', 'outcome', 'record', 'changes', 'remarks'] as const;

/** Keeps the room of a row that is on its way. */
function Waiting({ picks }: { readonly picks: boolean }): JSX.Element {
  return (
    <>
      {picks && <Cell name="pick" />}
      {NAMES.map((name) => (
        <Cell key={name} name={name}>
          <i />
        </Cell>
      ))}
    </>
  );
}

interface CellProps {
  readonly name: (typeof NAMES)[number] | 'pick';
  readonly children?: ComponentChildren;
  readonly title?: string | undefined;
  readonly head?: boolean;
}

function Cell({ name, children, title, head = false }: CellProps): JSX.Element {
  return (
    <div {...(head ? TABLE_ROLES.rowHead : TABLE_ROLES.cell)} class={name} title={title}>
      {children}
    </div>
  );
}

function Cells({ row, picked }: { readonly row: TableRow; readonly picked: boolean | null | undefined }) {
  const { sheet, changes = [], message = '', corrected, decided } = row;
  const name = row.label ?? '';
  const keys = keysText(row);
  return (
    <>
      {picked !== undefined && (
        <Cell name="pick">{picked !== null && <span class={picked ? 'tick on' : 'tick'} />}</Cell>
      )}
      <Cell name="place" title={`${sheet} ${row.row}`} head>
        <span class="sheet">{sheet}</span> <b>{row.row}</b>
      </Cell>
      <Cell name="outcome">
        <StatusPill status={row.status} sheet={row.sheet} />
        {corrected && <span class="mark">{say(ROW_WORDS.corrected)}</span>}
        {!corrected && decided !== null && <span class="mark">{say(DECIDED_WORDS[decided])}</span>}
      </Cell>
      <Cell name="record" title={name === '' ? undefined : name}>
        {name !== '' && <strong>{name}</strong>}
        {keys !== '' && <span class="keys">{keys}</span>}
      </Cell>
      <Cell name="changes">
        {changes.length > 0 && <Changes changes={changes} name={name} sheet={sheet} />}
      </Cell>
      <Cell name="remarks" title={message === '' ? undefined : message}>
        {message !== '' && <span>{message.replaceAll('\n', ' · ')}</span>}
      </Cell>
    </>
  );
}

/** Changes of a row that its line has room for; the panel shows all of them. */
const SHOWN = 2;

interface ChangesProps {
  readonly changes: readonly ChangeDocument[];
  /** The record's name, which stands beside them. */
  readonly name: string;
  readonly sheet: string;
}

function Changes({ changes, name, sheet }: ChangesProps): JSX.Element {
  const made = changes.every(({ from }) => from === null);
  const told = made ? changes.filter(({ to }) => to !== name) : changes;
  const shown = told.slice(0, SHOWN);
  const rest = told.length - shown.length;
  return (
    <>
      {shown.map((change, at) => (
        <span key={change.field} class={made ? 'change fresh' : 'change'}>
          {rest > 0 && at === SHOWN - 1 && (
            <span class="rest">
              <span aria-hidden="true">{say(ROW_WORDS.more, { n: rest })}</span>
              <span class="unseen">{say(ROW_WORDS.moreChanges, { n: rest })}</span>
            </span>
          )}
          <b>{change.field}</b> <OldNew change={change} sheet={sheet} />
        </span>
      ))}
    </>
  );
}

interface OldNewProps {
  readonly change: ChangeDocument;
  /** The sheet of its row. */
  readonly sheet: string;
}

/** What a field was and becomes; what it is made with has nothing before it. */
export function OldNew({ change, sheet }: OldNewProps): JSX.Element {
  const { field, from, to, fromName, toName } = change;
  const money =
    useContext(SheetsShown)
      .find((one) => one.sheet === sheet)
      ?.money?.includes(field) === true;
  const [was, is] = toldApart(changeText(from, fromName, money), changeText(to, toName, money));
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
