import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { SuggestDocument } from '../../contract/documents.ts';
import { figure, say } from '../language.ts';
import { Button } from '../pieces/button.tsx';
import type { Wrong } from '../pieces/error-box.tsx';
import { CellInput, type RowCell } from './cell-input.tsx';

/** The problem that a cell was corrected for. */
export type Solved = Pick<NonNullable<RowCell['solved']>, 'code' | 'found'>;

/** What the cells of a row need to be corrected. */
export interface CellEditing {
  /** The column that is being saved; null for none. */
  readonly saving: number | null;
  /** What went wrong with saving a column. */
  readonly failed: { readonly column: number; readonly wrong: Wrong } | null;
  /** The column whose input takes the focus; null for none. */
  readonly focused: number | null;
  typed(column: number): string | null;
  keep(column: number, text: string): void;
  /** Null takes a correction back. */
  save(column: number, text: string | null): void;
  /** Takes back the corrections of all cells that had this problem. */
  takeBackAll(column: number, solved: Solved): void;
  suggest(column: number, search: string, signal: AbortSignal): Promise<SuggestDocument>;
}

/** What is decided between two values, not corrected in a cell. */
const DECIDED = new Set(['changed-by-both', 'changed-meanwhile']);

/** Whether a cell has to be corrected. */
export const isBad = ({ issues }: RowCell): boolean =>
  issues.some(({ severity, code }) => severity === 'error' && !DECIDED.has(code));

/** Whether a cell says what is to be done with its row. */
export const isActionCell = ({ field }: RowCell): boolean => field === '#action';

const TO_DO = t('To correct', 'Te verbeteren');
const CELLS = t('In your file', 'In je bestand');
const EMPTY = t('(empty)', '(leeg)');
const EXPECTED = t('Expected: {text}', 'Verwacht: {text}');
const BEFORE = t('It was: {text}', 'Er stond: {text}');
const TAKE_BACK = t('Take back', 'Terugnemen');
const TAKE_BACK_OF = t('Take back the correction of {name}', 'De verbetering van {name} terugnemen');
const BACK_ALL = t(
  'Take back the corrections of all {n} cells with this problem',
  'De verbetering van alle {n} cellen met dit probleem terugnemen',
);
const CHANGE_OF = t('Change {name}, now: {text}', '{name} wijzigen, nu: {text}');
const CELL = t('cell {letters}', 'cel {letters}');

interface CellsProps {
  readonly row: number;
  readonly cells: readonly RowCell[];
  /** Absent where they can only be looked at. */
  readonly editing?: CellEditing | undefined;
  /** Stands below the cells to correct. */
  readonly children?: ComponentChildren;
}

/** The cells of a row: those to correct first, each ready to be typed into, then all others. */
export function RowCells({ row, cells, editing, children }: CellsProps): JSX.Element {
  const bad = cells.filter((cell) => isBad(cell) || cell.column === editing?.failed?.column);
  // Where it can be changed, it stands above as what it means.
  const others = cells.filter(
    (cell) => !bad.includes(cell) && (editing === undefined || !isActionCell(cell)),
  );
  return (
    <>
      {bad.length > 0 && (
        <section class="bad-cells">
          <h3>{say(TO_DO)}</h3>
          {bad.map((cell) => (
            <BadCell key={cell.column} row={row} cell={cell} editing={editing} />
          ))}
        </section>
      )}
      {children}
      {others.length > 0 && (
        <section>
          <h3>{say(CELLS)}</h3>
          <dl class="cells">
            {others.map((cell) => (
              <OtherCell key={cell.column} row={row} cell={cell} editing={editing} />
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

interface CellProps {
  readonly row: number;
  readonly cell: RowCell;
  readonly editing: CellEditing | undefined;
}

const nameOf = ({ header, letters }: RowCell): string => (header === '' ? letters : header);

function BadCell({ row, cell, editing }: CellProps): JSX.Element {
  const id = useId();
  return (
    <div class="bad-cell">
      <p class="cell-name">
        <b>{nameOf(cell)}</b> <span class="dim">{say(CELL, { letters: `${cell.letters}${row}` })}</span>
      </p>
      <Issues cell={cell} row={row} id={id} />
      {editing === undefined ? (
        <p class="stands">{cell.text === '' ? say(EMPTY) : cell.text}</p>
      ) : (
        <Editor cell={cell} editing={editing} describedBy={id} />
      )}
      <Corrected cell={cell} editing={editing} />
    </div>
  );
}

function Issues({ row, cell, id }: Pick<CellProps, 'row' | 'cell'> & { readonly id: string }): JSX.Element {
  // The place stands above it already.
  const place = `${cell.letters}${row} ${cell.header}: `;
  return (
    <div id={id}>
      {cell.issues.map(({ code, severity, message, expected }) => (
        <p key={code} class={`issue ${severity}`}>
          {message.startsWith(place) ? message.slice(place.length) : message}
          {expected !== '' && !message.includes(expected) && (
            <span class="dim"> {say(EXPECTED, { text: expected })}</span>
          )}
        </p>
      ))}
    </div>
  );
}

interface EditorProps {
  readonly cell: RowCell;
  readonly editing: CellEditing;
  readonly describedBy?: string;
  readonly onCancel?: () => void;
}

function Editor({ cell, editing, describedBy, onCancel }: EditorProps): JSX.Element {
  const { column } = cell;
  return (
    <CellInput
      // What the server made of it is what is corrected next.
      key={`${cell.column}\0${cell.text}`}
      cell={cell}
      label={nameOf(cell)}
      describedBy={describedBy}
      typed={editing.typed(column)}
      onType={(text) => editing.keep(column, text)}
      busy={editing.saving === column}
      error={editing.failed?.column === column ? editing.failed.wrong : null}
      suggest={(search, signal) => editing.suggest(column, search, signal)}
      onSave={(text) => editing.save(column, text)}
      onCancel={onCancel}
      focus={editing.focused === column || onCancel !== undefined}
    />
  );
}

/** What a corrected cell held before, and the way back. */
export function Corrected({ cell, editing }: Pick<CellProps, 'cell' | 'editing'>): JSX.Element | null {
  if (cell.before === null) return null;
  const { solved } = cell;
  return (
    <p class="before">
      <span>{say(BEFORE, { text: cell.before === '' ? say(EMPTY) : cell.before })}</span>
      {editing !== undefined && (
        <Button
          small
          look="plain"
          icon="undo"
          label={say(TAKE_BACK_OF, { name: nameOf(cell) })}
          onClick={() => editing.save(cell.column, null)}
        >
          {say(TAKE_BACK)}
        </Button>
      )}
      {editing !== undefined && solved !== null && solved.count > 1 && (
        <Button small look="plain" icon="undo" onClick={() => editing.takeBackAll(cell.column, solved)}>
          {say(BACK_ALL, { n: figure(solved.count) })}
        </Button>
      )}
    </p>
  );
}

function OtherCell({ row, cell, editing }: CellProps): JSX.Element {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const name = nameOf(cell);
  const shown = cell.text === '' ? <span class="dim">{say(EMPTY)}</span> : cell.text;
  const classes = [cell.before === null ? '' : 'corrected', cell.field === null ? 'unused' : ''];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <dt>
        <span class="letters">{cell.letters}</span> {name}
      </dt>
      <dd>
        {editing !== undefined && opened ? (
          <Editor cell={cell} editing={editing} describedBy={id} onCancel={() => setOpened(false)} />
        ) : editing === undefined ? (
          shown
        ) : (
          <button
            type="button"
            class="cell-value"
            aria-label={say(CHANGE_OF, { name, text: cell.text === '' ? say(EMPTY) : cell.text })}
            onClick={() => setOpened(true)}
          >
            {shown}
          </button>
        )}
        {cell.issues.length > 0 && <Issues row={row} cell={cell} id={id} />}
        <Corrected cell={cell} editing={editing} />
      </dd>
    </div>
  );
}
