import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RowSource } from './row-source.ts';
import { ScrollSpace } from './scroll-space.ts';

/** Rows drawn beyond those that are seen, on either side. */
const BEYOND = 8;
/** Rows that the table moves on before it is drawn anew. */
const STEP = 4;
/** Rest after scrolling until the scroll bar is brought to where the rows are, ms. */
const REST_MS = 150;

/** Which rows are drawn, and where: kept in step with the scrolling and the size of the table. */
export function useDrawn(source: RowSource, total: number) {
  const grid = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const [space] = useState(() => new ScrollSpace());
  const [, redraw] = useState(0);
  const size = useRef({ height: 48, view: 480 });
  const state = useRef({ first: 0, rest: 0, before: 0 });
  space.resize(total, size.current.height, size.current.view);

  const draw = (): void => {
    const down = space.first >= state.current.before;
    state.current.before = space.first;
    state.current.first = space.first;
    source.show(space.first, space.last, down);
    redraw((turn) => turn + 1);
  };
  const put = (to: number): void => {
    const element = grid.current;
    if (element === null) return;
    element.scrollTop = to;
    space.put(element.scrollTop);
    draw();
  };
  useSize(grid, probe, source, (measured) => {
    size.current = measured;
    draw();
  });
  useEffect(() => source.show(space.first, space.last), [total, source.version.value]);

  return {
    ...{ grid, probe, space },
    reach: (index: number, middle: boolean) => put(space.reach(index, middle)),
    onScroll: (): void => {
      const element = grid.current;
      if (element === null) return;
      space.scrolled(element.scrollTop);
      if (Math.abs(space.first - state.current.first) >= STEP || space.first === 0) draw();
      clearTimeout(state.current.rest);
      state.current.rest = window.setTimeout(() => {
        const to = space.settle();
        if (Math.abs(to - element.scrollTop) > 1) put(to);
        else draw();
      }, REST_MS);
    },
    range: (active: number) => rowsToDraw(space, total, active),
  };
}

/** The rows to draw, the active one always among them: who reads by ear stays on it. */
function rowsToDraw(space: ScrollSpace, total: number, active: number): number[] {
  const first = Math.max(0, space.first - BEYOND);
  const last = Math.min(total - 1, space.last + BEYOND);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  if (active < first && active < total) rows.unshift(active);
  if (active > last && active < total) rows.push(active);
  return rows;
}

type Place = RefObject<HTMLDivElement | null>;

/** Tells how tall a row is and how much of the rows is seen, at first and whenever that changes. */
function useSize(
  grid: Place,
  probe: Place,
  source: RowSource,
  onSize: (size: { readonly height: number; readonly view: number }) => void,
): void {
  useLayoutEffect(() => {
    const measure = (): void => {
      const [element, row] = [grid.current, probe.current];
      if (element === null || row === null) return;
      const head = element.firstElementChild?.clientHeight ?? 0;
      onSize({ height: row.offsetHeight, view: element.clientHeight - head });
    };
    const watch = new ResizeObserver(measure);
    for (const one of [grid.current, probe.current]) if (one !== null) watch.observe(one);
    measure();
    return () => watch.disconnect();
  }, [source]);
}
