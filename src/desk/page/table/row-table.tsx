import { Component, type ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChangeDocument } from '../../../api/documents.ts';
import { t } from '../../../core/language.ts';
import { amountText } from '../../../core/row-text.ts';
import { toldApart } from '../../../core/visible-text.ts';
import type { TableRow } from '../../contract/answers.ts';
import { language, said } from '../language.ts';
import { Icon } from '../pieces/controls.tsx';
import { more } from '../pieces/lists.tsx';
import { StatusPill, statusTone, useFieldName, useSheet } from '../pieces/status-pill.tsx';
import { chooseRows, isSameRow, type Rows, wished } from './rows.ts';

/** Rows drawn beyond those that are seen, and rows that the table moves on before it is drawn anew. */
const [BEYOND, STEP] = [8, 4];
/** Taller than this no browser draws an element, px: the rows of a longer table share what there is. */
const TALLEST = 15_000_000;

interface TableProps {
  readonly rows: Rows;
  /** What the table is, for who can't see it. */
  readonly label: string;
}

/** Where the rows are drawn, kept in step with the scrolling and the size of the table. */
function useDrawn(rows: Rows, total: number) {
  const grid = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const [{ height, view }, setSize] = useState({ height: 48, view: 480 });
  const [top, setTop] = useState(0);
  const tall = Math.min(total * height, TALLEST);
  // Of a very long table the rows go faster than the scroll bar.
  const scale = Math.max(1, (total * height - view) / Math.max(1, tall - view));
  const first = Math.max(0, Math.floor((top * scale) / height));
  const fit = Math.max(1, Math.floor(view / height));
  useLayoutEffect(() => {
    const measure = (): void => {
      const [element, row] = [grid.current, probe.current];
      if (element === null || row === null) return;
      setSize({
        height: row.offsetHeight,
        view: element.clientHeight - (element.firstElementChild?.clientHeight ?? 0),
      });
    };
    const watch = new ResizeObserver(measure);
    for (const one of [grid.current, probe.current]) if (one !== null) watch.observe(one);
    measure();
    return () => watch.disconnect();
  }, []);
  useEffect(() => rows.show(first, first + fit + STEP), [first, fit, total, rows.version.value]);
  return {
    ...{ grid, probe, tall, fit, range: [first - BEYOND, first + fit + BEYOND] as const },
    placeOf: (index: number) => index * height - top * scale + top,
    onScroll: () => {
      const now = grid.current?.scrollTop ?? 0;
      if (Math.abs(now - top) >= STEP * height || scale > 1 || now === 0) setTop(now);
    },
    reach: (index: number) => {
      const element = grid.current;
      if (element === null) return;
      const [at, seen] = [index * height, element.scrollTop * scale];
      if (at < seen) element.scrollTop = at / scale;
      else if (at + height > seen + view) element.scrollTop = (at + height - view) / scale;
      setTop(element.scrollTop);
    },
  };
}

/** A table of any number of rows, of which only those in sight are asked for and drawn. */
export function RowTable({ rows, label }: TableProps) {
  const id = useId();
  const known = rows.total.value;
  const total = known ?? 0;
  const { grid, probe, tall, fit, range, placeOf, onScroll, reach } = useDrawn(rows, total);
  const go = (index: number): void => {
    rows.active.value = index;
    reach(index);
  };
  rows.table = { go, focus: () => grid.current?.focus({ preventScroll: true }) };
  const at = Math.min(rows.active.value, total - 1);
  const lines = Array.from({ length: range[1] - range[0] }, (_, step) => range[0] + step);
  // Who reads by ear stays on the active row.
  const drawn = [...new Set([...lines, at])].filter((index) => index >= 0 && index < total);
  const open = rows.place.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    // The heads have keys of their own.
    if (event.target !== event.currentTarget || event.altKey || event.metaKey || event.ctrlKey) return;
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + fit, PageUp: at - fit, Home: 0, End: total },
    };
    const to = steps[event.key];
    if (to !== undefined) go(Math.max(0, Math.min(total - 1, to)));
    else if (event.key === 'Enter' && total > 0) void rows.open(at, true);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element would have to hold all its rows.
    <div
      ref={grid}
      class={rows.changing.value ? 'rows changing' : 'rows'}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-busy={rows.changing.value || undefined}
      aria-rowcount={known === null ? -1 : total + 1}
      aria-colcount={4}
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        const line = (target as HTMLElement).closest<HTMLElement>('[data-index]');
        if (line === null) return;
        const index = Number(line.dataset.index);
        go(index);
        void rows.open(index, false);
      }}
    >
      <Heads />
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" class="lines" style={{ height: `${tall}px` }}>
        {drawn.map((index) => (
          <RowLine
            key={index}
            id={`${id}-${index}`}
            {...{ index, top: placeOf(index), row: rows.at(index), language: language.value }}
            active={index === at}
            open={open !== null && isSameRow(rows.at(index), open)}
          />
        ))}
      </div>
      <div class="line probe" ref={probe} aria-hidden="true" />
    </div>
  );
}

const headRole = (sorted: 'ascending' | 'descending' | undefined) =>
  ({ role: 'columnheader', 'aria-sort': sorted }) as const;

function Heads() {
  const { sort, descending } = wished();
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the table.
    <div role="rowgroup" class="heads">
      <div {...rowRole(1)} class="line">
        {(Object.keys(HEADS) as (keyof typeof HEADS)[]).map((name) => {
          const isBy = name === sort;
          const order = descending ? 'descending' : 'ascending';
          return (
            <div key={name} {...headRole(isBy ? order : undefined)} class={name}>
              <button
                type="button"
                onClick={() => chooseRows({ sort: name, descending: isBy && !descending })}
              >
                {said(HEADS[name])}
                {isBy && <Icon name={descending ? 'down' : 'up'} />}
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The columns of the table, by their names in its query. */
const HEADS = {
  row: t('Row', 'Rij'),
  status: t('Outcome', 'Uitkomst'),
  record: t('Record', 'Record'),
  changes: t('Changes and remarks', 'Wijzigingen en opmerkingen'),
} as const;
type Head = keyof typeof HEADS;

/** How a conflict was decided. */
const DECIDED = {
  mine: t('decided: mine', 'beslist: de mijne'),
  theirs: t('decided: theirs', 'beslist: die van het systeem'),
  skip: t('decided: leave it', 'beslist: laten'),
} as const;

/** The role of a line: a row by its number in the whole table, the heads being the first. */
const rowRole = (number: number, selected?: boolean) =>
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
class RowLine extends Component<LineProps> {
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
      <Cell name="changes" title={message}>
        <Changes changes={changes} label={label} sheet={sheet} most={message === '' ? 2 : 1} />
        <span class="message">{message.replaceAll('\n', ' · ')}</span>
      </Cell>
    </>
  );
}

interface ChangesProps {
  readonly changes: readonly ChangeDocument[];
  /** The record's name, which stands beside them. */
  readonly label: string;
  readonly sheet: string;
  /** So many have room; the panel shows all of them. */
  readonly most: number;
}

function Changes({ changes, label, sheet, most }: ChangesProps) {
  const told = changes.filter(({ from, to }) => from !== null || to !== label);
  const rest = told.length - most;
  return (
    <>
      {told.slice(0, most).map((change, at) => (
        <span key={change.field} class="change">
          <Name sheet={sheet} field={change.field} /> <OldNew change={change} sheet={sheet} />
          {rest > 0 && at === most - 1 && <small class="dim"> {more(rest)}</small>}
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

/** Shows values of a field in the sheet of a row, with their names. */
export function useShown(sheet: string, field: string) {
  const isMoney = useSheet(sheet)?.money.includes(field) === true;
  return (value: ChangeDocument['to'], name?: string): string => {
    const text = amountText(value, isMoney, language.value);
    return name === undefined ? text : `${name} (${text})`;
  };
}

/** What a field was and becomes; what it is made with has nothing before it. */
export function OldNew({ change: { field, from, to, fromName, toName }, sheet }: OldNewProps) {
  const shown = useShown(sheet, field);
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
