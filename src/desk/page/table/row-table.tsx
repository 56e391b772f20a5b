import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import { language, say } from '../language.ts';
import { Icon } from '../pieces/icon.tsx';
import { useDrawn } from './drawn-rows.ts';
import { type Picking, pickKey, RowLine, rowRole, TABLE_ROLES } from './row-line.tsx';
import type { RowPlace, RowSource, RowsWish } from './row-source.ts';
import { isSameRow } from './row-source.ts';
import { ROW_WORDS } from './row-words.ts';

/** What the table can be sorted by. */
export type SortName = RowsWish['sort'];

interface TableProps {
  readonly source: RowSource;
  /** What the table is, for who can't see it. */
  readonly label: string;
  /** The row that the keys work on. */
  readonly active: Signal<number>;
  /** The row that stands open beside the table. */
  readonly open: RowPlace | null;
  readonly sort: SortName;
  readonly descending: boolean;
  readonly onSort: (by: SortName) => void;
  /** `byKey`: with Enter, not with the mouse. */
  readonly onOpen: (index: number, byKey: boolean) => void;
  /** Keys that the table itself has no use for; true where one was taken. */
  readonly onKey?: (key: string) => boolean;
  readonly picking?: Picking | undefined;
  /** Takes what brings a row into sight. */
  readonly onReady: (handle: TableHandle) => void;
}

/** What can be done with the table from outside. */
export interface TableHandle {
  /** Makes a row the active one and brings it into sight; `middle`: with those around it. */
  go(index: number, middle?: boolean): void;
  focus(): void;
  /** To the first row, as after another choice. */
  toTop(): void;
}

/** A table of any number of rows, of which only those in sight are asked for and drawn. */
export function RowTable(props: TableProps): JSX.Element {
  const { source, active, picking } = props;
  const id = useId();
  const total = source.total.value;
  const drawn = useDrawn(source, total ?? 0);
  const { grid, probe, space, range } = drawn;
  const handle = useHandle(active, drawn);
  useEffect(() => props.onReady(handle), []);
  const at = active.value;
  const lines = range(at);
  void source.version.value;
  const isDrawn = lines.includes(at) && (total ?? 0) > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element would have to hold all its rows.
    <div
      ref={grid}
      class={`rows ${picking === undefined ? '' : 'picks'} ${source.changing.value ? 'changing' : ''}`}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={total === null ? -1 : total + 1}
      aria-colcount={picking === undefined ? 5 : 6}
      aria-multiselectable={picking === undefined ? undefined : 'true'}
      aria-activedescendant={isDrawn ? `${id}-${at}` : undefined}
      onScroll={drawn.onScroll}
      onKeyDown={(event) => onKeyDown(event, props, handle, space.fit)}
      onClick={(event) => onClick(event, props, handle)}
    >
      <Heads {...props} />
      <div {...TABLE_ROLES.group} class="lines" style={{ height: `${space.tall}px` }}>
        {lines.map((index) => line(index, id, space.placeOf(index), props))}
      </div>
      <div class="probe" ref={probe} aria-hidden="true" />
    </div>
  );
}

function line(index: number, id: string, top: number, props: TableProps): JSX.Element {
  const { source, active, open, picking } = props;
  const row = source.at(index);
  return (
    <RowLine
      key={index}
      id={`${id}-${index}`}
      {...{ index, top, row, language: language.value }}
      active={index === active.value}
      open={row !== undefined && open !== null && isSameRow(row, open)}
      picked={pickedOf(picking, row)}
    />
  );
}

function useHandle(active: Signal<number>, { grid, reach }: ReturnType<typeof useDrawn>): TableHandle {
  return useMemo(
    () => ({
      go: (index, middle = false) => {
        active.value = index;
        reach(index, middle);
      },
      focus: () => grid.current?.focus({ preventScroll: true }),
      toTop: () => {
        active.value = 0;
        grid.current?.scrollTo(0, 0);
      },
    }),
    [],
  );
}

function pickedOf(picking: Picking | undefined, row: Parameters<Picking['toggle']>[0] | undefined) {
  if (picking === undefined) return undefined;
  return row !== undefined && picking.canPick(row) ? picking.picked.has(pickKey(row)) : null;
}

const HEADS: readonly (readonly [keyof typeof ROW_WORDS & string, SortName | null])[] = [
  ['row', 'row'],
  ['outcome', 'status'],
  ['record', 'record'],
  ['changes', 'changes'],
  ['remarks', null],
];
const CLASSES: Readonly<Record<string, string>> = { row: 'place' };
const headRole = (sorted?: 'ascending' | 'descending') =>
  ({ role: 'columnheader', 'aria-sort': sorted }) as const;
const PICK = t('Pick', 'Kiezen');

function Heads({ sort, descending, onSort, picking }: TableProps): JSX.Element {
  return (
    <div {...TABLE_ROLES.group} class="heads">
      <div {...rowRole(1)} class="line">
        {picking !== undefined && (
          <div {...headRole()} class="pick">
            <span class="unseen">{say(PICK)}</span>
          </div>
        )}
        {HEADS.map(([name, by]) => (
          <div
            key={name}
            {...headRole(by === null || by !== sort ? undefined : descending ? 'descending' : 'ascending')}
            class={CLASSES[name] ?? name}
          >
            {by === null ? (
              say(ROW_WORDS[name])
            ) : (
              <button type="button" onClick={() => onSort(by)}>
                {say(ROW_WORDS[name])}
                {by === sort && <Icon name={descending ? 'down' : 'up'} />}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function onKeyDown(event: KeyboardEvent, props: TableProps, handle: TableHandle, fit: number): void {
  // The heads have keys of their own.
  if (event.target !== event.currentTarget || event.altKey || event.metaKey) return;
  const { source, active, picking } = props;
  const last = (source.total.peek() ?? 0) - 1;
  const at = active.peek();
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + fit, PageUp: at - fit },
    ...{ Home: 0, End: last },
  };
  const to = steps[event.key];
  if (to !== undefined && last >= 0) handle.go(Math.max(0, Math.min(last, to)));
  else if (event.key === 'Enter' && last >= 0) props.onOpen(at, true);
  else if (event.key === ' ' && picking !== undefined) pick(source, at, picking);
  else if (event.ctrlKey || props.onKey?.(event.key) !== true) return;
  event.preventDefault();
}

function onClick(event: MouseEvent, props: TableProps, handle: TableHandle): void {
  const line = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
  if (line === null) return;
  const index = Number(line.dataset.index);
  handle.go(index);
  if (props.picking !== undefined && (event.target as HTMLElement).closest('.pick') !== null)
    pick(props.source, index, props.picking);
  else props.onOpen(index, false);
}

function pick(source: RowSource, index: number, { canPick, toggle }: Picking): void {
  const row = source.at(index);
  if (row !== undefined && canPick(row)) toggle(row);
}
