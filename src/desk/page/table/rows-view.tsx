import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { PlanDocument, RowDetail } from '../../contract/documents.ts';
import type { CallError } from '../call.ts';
import { language, say } from '../language.ts';
import { epoch } from '../live.ts';
import { asCallError } from '../loaded.ts';
import { ErrorBox } from '../pieces/error-box.tsx';
import { type NamedSheet, SheetsShown } from '../pieces/status-pill.tsx';
import { announce } from '../pieces/toast.tsx';
import { useMedia } from '../pieces/use-media.ts';
import { changeQuery, route } from '../router.ts';
import { focusPanel, useKeptFocus } from './kept-focus.ts';
import { isBad } from './row-cells.tsx';
import type { Picking } from './row-line.tsx';
import { RowPanel } from './row-panel.tsx';
import type { SettleAs } from './row-requests.tsx';
import { type AskRows, isSameRow, type RowPlace, RowSource, type RowsWish } from './row-source.ts';
import { RowTable, type SortName, type TableHandle } from './row-table.tsx';
import { RowsFilter } from './rows-filter.tsx';
import { wishOf, wishQuery } from './rows-wish.ts';
import { type Corrector, useCorrecting } from './use-correcting.ts';

interface ViewProps {
  /** What the rows are of: another name is another table. */
  readonly name: string;
  readonly label: string;
  readonly ask: AskRows;
  readonly askRow: (place: RowPlace) => Promise<RowDetail>;
  /** Nothing was sent: the counts are of what would be. */
  readonly would: boolean;
  readonly sheets: readonly NamedSheet[];
  readonly groups: PlanDocument['groups'];
  readonly warned: number | null;
  readonly corrections: number;
  /** Absent where nothing can be corrected. */
  readonly corrector?: Corrector | undefined;
  readonly picking?: Picking | undefined;
  readonly onSettle?: ((place: RowPlace, as: SettleAs) => Promise<void>) | undefined;
  /** What stands above the rows is not known yet. */
  readonly waits?: boolean | undefined;
  /** Goes up when the rows may have changed. */
  readonly news?: string | undefined;
  /** The rows were changed here. */
  readonly onChanged?: () => void;
}

const NO_MORE = t('No other row needs work.', 'Geen andere rij vraagt werk.');

/** The rows of a plan or a run: which of them, their table, and the one that is open. */
export function RowsView(props: ViewProps): JSX.Element {
  const { name, ask } = props;
  const source = useMemo(() => new RowSource(ask), [name]);
  const table = useRef<TableHandle | null>(null);
  const { wish, choose } = useWish(source, () => table.current?.toTop());
  const rows = useRows(props, source, table);
  const { opened, correcting, over, close, next } = rows;
  const { place } = opened;
  const sort = (by: SortName): void =>
    choose({ ...wish, sort: by, descending: by === wish.sort && !wish.descending });
  const error = source.error.value;
  const waits = error === null && (props.waits === true || source.total.value === null);
  useTall();
  const beside = useRef<HTMLDivElement>(null);
  useKeptFocus(beside, () => table.current?.focus());
  return (
    <SheetsShown.Provider value={props.sheets}>
      <div class={classOf({ beside: place !== null && !over, waits })}>
        <RowsFilter
          {...{ wish, onWish: choose, would: props.would, sheets: props.sheets, groups: props.groups }}
          {...{ counts: source.counts.value, total: source.total.value }}
          {...{ warned: props.warned, corrections: props.corrections }}
        />
        {error !== null && <ErrorBox error={error} onRetry={() => source.renew()} />}
        <div class="rows-beside" ref={beside}>
          <RowTable
            {...{ source, active: rows.active, label: props.label, open: place, onSort: sort }}
            {...{ picking: props.picking, sort: wish.sort, descending: wish.descending }}
            onOpen={(index, byKey) => void rows.open(index, byKey)}
            onKey={(key) => onKey(key, (back) => void next(back, false), place === null ? null : close)}
            onReady={(handle) => {
              table.current = handle;
            }}
          />
          {place !== null && (
            <RowPanel
              key={`${place.row}\0${place.sheet}`}
              {...{ place, over, detail: opened.detail, same: correcting.same, editing: correcting.editing }}
              {...{ busy: correcting.busy || opened.settling, error: opened.error ?? correcting.wrong }}
              onClose={close}
              onRetry={() => void opened.reload(place)}
              onNext={(back) => void next(back, true)}
              onDecide={props.corrector === undefined ? undefined : (to) => void correcting.decide(to)}
              onSettle={props.onSettle === undefined ? undefined : (as) => void opened.settle(as)}
            />
          )}
        </div>
      </div>
    </SheetsShown.Provider>
  );
}

const classOf = (on: Readonly<Record<string, boolean>>): string =>
  ['rows-view', ...Object.keys(on).filter((name) => on[name])].join(' ');

/** The row that the keys work on, the one that is open, and the way from one to the next. */
function useRows(props: ViewProps, source: RowSource, table: { readonly current: TableHandle | null }) {
  const active = useSignal(0);
  const opened = useOpened(props, source);
  // There is no room for two things beside each other.
  const over = useMedia(NARROW);
  const { place } = opened;
  const open = async (index: number, withFocus: boolean): Promise<void> => {
    const row = source.at(index);
    if (row === undefined) return;
    const now = await opened.open(row);
    const cell = now?.cells.find(isBad);
    if (withFocus && cell !== undefined) correcting.focusOn(row, cell.column);
    else if (withFocus) focusPanel();
  };
  const next = async (back: boolean, withFocus: boolean): Promise<void> => {
    const index = await source.nextToDo(active.peek(), back);
    if (index === undefined) {
      announce(say(NO_MORE));
      if (withFocus) focusPanel();
      return;
    }
    await source.fetched(index);
    table.current?.go(index, true);
    if (withFocus || place !== null) await open(index, withFocus);
  };
  const correcting = useCorrecting({
    ...{ corrector: props.corrector, source, place, reload: opened.reload },
    onDone: () => next(false, true),
    onChanged: () => props.onChanged?.(),
  });
  useNews(source, props, opened);
  const close = (): void => {
    opened.close();
    table.current?.focus();
  };
  return { active, opened, over, open, next, correcting, close };
}

function onKey(key: string, next: (back: boolean) => void, close: (() => void) | null): boolean {
  if (key === 'n' || key === 'p') next(key === 'p');
  else if (key === 'Escape' && close !== null) close();
  else return false;
  return true;
}

/** Which rows are chosen: kept in the address, so that a reload shows the same. */
function useWish(source: RowSource, toTop: () => void) {
  const [wish, setWish] = useState<RowsWish>(() => wishOf(route.peek().query));
  useEffect(() => void source.choose(wish), [source]);
  const choose = (wanted: RowsWish): void => {
    setWish(wanted);
    changeQuery(wishQuery(wanted));
    void source.choose(wanted).then(toTop);
  };
  return { wish, choose };
}

/** The row that stands open. */
function useOpened({ askRow, onSettle }: ViewProps, source: RowSource) {
  const [place, setPlace] = useState<RowPlace | null>(null);
  const [detail, setDetail] = useState<RowDetail | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const [settling, setSettling] = useState(false);
  const wanted = useRef<RowPlace | null>(null);
  const reload = async (of: RowPlace): Promise<RowDetail | null> => {
    try {
      const answer = await askRow(of);
      if (wanted.current === null || !isSameRow(wanted.current, of)) return null;
      setDetail(answer);
      setError(null);
      return answer;
    } catch (cause) {
      if (wanted.current !== null && isSameRow(wanted.current, of)) setError(asCallError(cause));
      return null;
    }
  };
  return {
    ...{ place, error, settling, reload },
    detail: detail !== null && place !== null && isSameRow(detail.row, place) ? detail : null,
    open: async ({ sheet, row }: RowPlace): Promise<RowDetail | null> => {
      const of = { sheet, row };
      wanted.current = of;
      setPlace(of);
      setError(null);
      return await reload(of);
    },
    close: (): void => {
      wanted.current = null;
      setPlace(null);
      setDetail(null);
    },
    settle: async (as: SettleAs): Promise<void> => {
      if (place === null || onSettle === undefined) return;
      setSettling(true);
      await onSettle(place, as).catch((cause: unknown) => setError(asCallError(cause)));
      setSettling(false);
      source.renew();
      await reload(place);
    },
  };
}

/** Asks for rows again in another language, over a new connection, and when they changed. */
function useNews(source: RowSource, { news }: ViewProps, opened: ReturnType<typeof useOpened>): void {
  const seen = `${language.value} ${epoch.value} ${news ?? ''}`;
  const before = useRef(seen);
  useEffect(() => {
    if (before.current === seen) return;
    before.current = seen;
    source.renew();
    if (opened.place !== null) void opened.reload(opened.place);
  }, [seen]);
}

/** Gives the table the height of the window, as a spreadsheet has it. */
function useTall(): void {
  useLayoutEffect(() => {
    const { classList } = document.documentElement;
    classList.add('tall');
    return () => classList.remove('tall');
  }, []);
}

const NARROW = '(max-width: 64rem)';
