import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Plan, Run } from '../../contract/answers.ts';
import type { RowsWish } from '../../contract/asked.ts';
import { call } from '../call.ts';
import { language, say } from '../language.ts';
import { doJob, epoch } from '../live.ts';
import { ErrorBox } from '../pieces/error-box.tsx';
import { useKey } from '../pieces/keys-help.tsx';
import { SheetsShown } from '../pieces/status-pill.tsx';
import { announce } from '../pieces/toast.tsx';
import { goTo, route } from '../router.ts';
import { isBad, RowPanel } from './row-panel.tsx';
import { ALL_ROWS, RowSource, rowsQuery, wishIn } from './row-source.ts';
import { RowTable, type TableHandle } from './row-table.tsx';
import { RowsFilter } from './rows-filter.tsx';
import { useOpened } from './use-correcting.ts';

interface ViewProps {
  readonly run: Run;
  /** Null where it is not known. */
  readonly plan: Plan | null;
  /** Whether its rows can be corrected. */
  readonly canCorrect?: boolean;
  /** Cells corrected and conflicts decided. */
  readonly corrections?: number;
  /** Whether doubtful rows can be settled. */
  readonly canSettle?: boolean;
  /** Another text each time that the rows may have changed. */
  readonly news?: string;
}

/** The rows of a run: which of them, their table, and the one that is open. */
export function RowsView({
  run,
  plan,
  canCorrect = false,
  corrections = 0,
  canSettle = false,
  news = '',
}: ViewProps) {
  const source = useMemo(() => new RowSource(run.run), [run.run]);
  const table = useRef<TableHandle | null>(null);
  const active = useSignal(0);
  const { wish, choose } = useWish(source, () => table.current?.go(0));
  const opened = useOpened(run.run, canCorrect, source, {
    next: () => next(false, true),
    look: focusPanel,
  });
  const { place, detail } = opened;
  const open = async (index: number, withFocus: boolean): Promise<void> => {
    const row = await source.fetched(index);
    if (row === undefined) return;
    const now = await opened.open({ sheet: row.sheet, row: row.row });
    const bad = now?.cells.find(isBad);
    opened.setFocused(withFocus && canCorrect ? (bad?.column ?? null) : null);
    if (withFocus && (bad === undefined || !canCorrect)) focusPanel();
  };
  const next = async (back: boolean, withFocus: boolean): Promise<void> => {
    const index = await source.next(active.peek(), back);
    if (index === null) announce(say('No other row needs work.', 'Geen andere rij vraagt werk.'));
    else table.current?.go(index);
    if (index !== null && (withFocus || place !== null)) await open(index, withFocus);
    else if (withFocus) focusPanel();
  };
  const close = (): void => {
    void opened.open(null);
    table.current?.focus();
  };
  const settle = (as: 'done' | 'resend'): void =>
    void opened.attempt(async () => {
      if (place === null) return;
      await doJob(call('settle', { run: run.run, rows: [place], as }));
      source.renew();
      await opened.open(place);
    });
  const step = (back: boolean): void =>
    void next(back, document.activeElement?.closest('.row-panel') !== null);
  useKey('n', () => step(false));
  useKey('p', () => step(true));
  useKey('Escape', () => place !== null && close());
  const seen = `${language.value} ${epoch.value} ${news}`;
  useEffect(() => source.renew(), [seen]);
  return (
    <SheetsShown.Provider value={plan?.sheets ?? []}>
      <div
        class={source.total.value === null && source.error.value === null ? 'rows-view waits' : 'rows-view'}
      >
        <RowsFilter
          {...{
            wish,
            onWish: choose,
            plan,
            corrections,
            would: run.state === 'planned' || run.state === 'planning',
            busy: run.busy,
          }}
          source={source}
        />
        <ErrorBox error={source.error.value} onRetry={() => source.renew()} />
        <div class="rows-beside">
          <RowTable
            {...{ source, active, wish, handle: table, open: place, onWish: choose }}
            label={say(`Rows of ${run.file}`, `Rijen van ${run.file}`)}
            onOpen={(index, byKey) => void open(index, byKey)}
          />
          {place !== null && (
            <RowPanel
              key={`${place.row}\0${place.sheet}`}
              {...{ place, detail, error: opened.wrong, busy: opened.busy, editing: opened.editing }}
              onSettle={canSettle ? settle : undefined}
              onClose={close}
              onNext={(back) => void next(back, true)}
            />
          )}
        </div>
      </div>
    </SheetsShown.Provider>
  );
}

/** Gives the open row the focus, by its heading. */
const focusPanel = (): void =>
  document.querySelector<HTMLElement>('.row-panel h2')?.focus({ preventScroll: true });

/** Which rows are chosen: as the address says, so that a reload and a link show the same. */
function useWish(source: RowSource, toTop: () => void) {
  const wish = wishIn(route.value.query);
  useEffect(() => void source.choose(wish).then(toTop), [source, JSON.stringify(wish)]);
  const choose = (wanted: RowsWish): void => {
    const changed = Object.entries(wanted).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(ALL_ROWS[name as keyof RowsWish]),
    );
    goTo({ ...route.value, query: rowsQuery(Object.fromEntries(changed)) }, true);
  };
  return { wish, choose };
}
