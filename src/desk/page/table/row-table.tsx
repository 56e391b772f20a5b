import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { language, said } from '../language.ts';
import { Icon } from '../pieces/icon.tsx';
import { HEADS, RowLine, rowRole } from './row-line.tsx';
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
      aria-colcount={5}
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
              {name === 'remarks' ? (
                said(HEADS[name])
              ) : (
                <button
                  type="button"
                  onClick={() => chooseRows({ sort: name, descending: isBy && !descending })}
                >
                  {said(HEADS[name])}
                  {isBy && <Icon name={descending ? 'down' : 'up'} />}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
