import type { Signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RowsWish } from '../../contract/asked.ts';
import { language, said } from '../language.ts';
import { Icon } from '../pieces/icon.tsx';
import { HEADS, RowLine, rowRole } from './row-line.tsx';
import { isSameRow, type RowPlace, type RowSource } from './row-source.ts';

/** Rows drawn beyond those that are seen, and rows that the table moves on before it is drawn anew. */
const [BEYOND, STEP] = [8, 4];
/** Taller than this no browser draws an element, px: the rows of a longer table share what there is. */
const TALLEST = 15_000_000;

/** What can be done with the table from outside. */
export interface TableHandle {
  /** Makes a row the active one and brings it into sight. */
  go(index: number): void;
  focus(): void;
}

interface TableProps {
  readonly source: RowSource;
  /** What the table is, for who can't see it. */
  readonly label: string;
  /** The row that the keys work on. */
  readonly active: Signal<number>;
  /** The row that stands open beside the table. */
  readonly open: RowPlace | null;
  readonly wish: RowsWish;
  readonly onWish: (wish: RowsWish) => void;
  /** `byKey`: with Enter, not with the mouse. */
  readonly onOpen: (index: number, byKey: boolean) => void;
  /** Takes what brings a row into sight. */
  readonly handle: { current: TableHandle | null };
}

/** Where the rows are drawn, kept in step with the scrolling and the size of the table. */
function useDrawn(source: RowSource, total: number) {
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
  useEffect(() => source.show(first, first + fit + STEP), [first, fit, total, source.version.value]);
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
export function RowTable(props: TableProps) {
  const { source, active, open } = props;
  const id = useId();
  const known = source.total.value;
  const total = known ?? 0;
  const { grid, probe, tall, fit, range, placeOf, onScroll, reach } = useDrawn(source, total);
  const go = (index: number): void => {
    active.value = index;
    reach(index);
  };
  props.handle.current = { go, focus: () => grid.current?.focus({ preventScroll: true }) };
  const at = Math.min(active.value, total - 1);
  const lines = Array.from({ length: range[1] - range[0] }, (_, step) => range[0] + step);
  // Who reads by ear stays on the active row.
  const drawn = [...new Set([...lines, at])].filter((index) => index >= 0 && index < total);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element would have to hold all its rows.
    <div
      ref={grid}
      class={source.changing.value ? 'rows changing' : 'rows'}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-busy={source.changing.value || undefined}
      aria-rowcount={known === null ? -1 : total + 1}
      aria-colcount={5}
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      onScroll={onScroll}
      onKeyDown={(event) => onKeyDown(event, props, { go, fit, at, last: total - 1 })}
      onClick={({ target }) => {
        const line = (target as HTMLElement).closest<HTMLElement>('[data-index]');
        if (line === null) return;
        go(Number(line.dataset.index));
        props.onOpen(Number(line.dataset.index), false);
      }}
    >
      <Heads {...props} />
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" class="lines" style={{ height: `${tall}px` }}>
        {drawn.map((index) => (
          <RowLine
            key={index}
            id={`${id}-${index}`}
            {...{ index, top: placeOf(index), row: source.at(index), language: language.value }}
            active={index === at}
            open={open !== null && isSameRow(source.at(index) ?? null, open)}
          />
        ))}
      </div>
      <div class="line probe" ref={probe} aria-hidden="true" />
    </div>
  );
}

const headRole = (sorted: 'ascending' | 'descending' | undefined) =>
  ({ role: 'columnheader', 'aria-sort': sorted }) as const;

function Heads({ wish, onWish }: TableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the table.
    <div role="rowgroup" class="heads">
      <div {...rowRole(1)} class="line">
        {(Object.keys(HEADS) as (keyof typeof HEADS)[]).map((name) => {
          const isBy = name === wish.sort;
          const order = wish.descending ? 'descending' : 'ascending';
          return (
            <div key={name} {...headRole(isBy ? order : undefined)} class={name}>
              {name === 'remarks' ? (
                said(HEADS[name])
              ) : (
                <button
                  type="button"
                  onClick={() => onWish({ ...wish, sort: name, descending: isBy && !wish.descending })}
                >
                  {said(HEADS[name])}
                  {isBy && <Icon name={wish.descending ? 'down' : 'up'} />}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface Moving {
  readonly go: (index: number) => void;
  readonly fit: number;
  readonly at: number;
  readonly last: number;
}

function onKeyDown(event: KeyboardEvent, { onOpen }: TableProps, { go, fit, at, last }: Moving): void {
  // The heads have keys of their own.
  if (event.target !== event.currentTarget || event.altKey || event.metaKey || event.ctrlKey) return;
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + fit, PageUp: at - fit, Home: 0, End: last },
  };
  const to = steps[event.key];
  if (to !== undefined) go(Math.max(0, Math.min(last, to)));
  else if (event.key === 'Enter' && last >= 0) onOpen(at, true);
  else return;
  event.preventDefault();
}
