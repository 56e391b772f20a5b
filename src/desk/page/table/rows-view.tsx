import { useEffect, useMemo } from 'preact/hooks';
import type { Plan, Run } from '../../contract/answers.ts';
import { language, say } from '../language.ts';
import { epoch } from '../live.ts';
import { ErrorBox } from '../pieces/controls.tsx';
import { useKey } from '../pieces/keys-help.tsx';
import { SheetsShown } from '../pieces/status-pill.tsx';
import { RowPanel } from './row-panel.tsx';
import { RowTable } from './row-table.tsx';
import { Rows, wished } from './rows.ts';
import { RowsFilter } from './rows-filter.tsx';

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
export function RowsView({ run, plan, canCorrect = false, corrections = 0, canSettle, news }: ViewProps) {
  const rows = useMemo(() => new Rows(run.run, canCorrect), [run.run, canCorrect]);
  const wish = wished();
  const place = rows.place.value;
  useEffect(() => void rows.choose(wish), [rows, JSON.stringify(wish)]);
  useEffect(() => rows.renew(), [language.value, epoch.value, news]);
  const step = (back: boolean): void =>
    void rows.step(back, document.activeElement?.closest('.row-panel') !== null);
  useKey('n', () => step(false));
  useKey('p', () => step(true));
  useKey('Escape', () => place && rows.close());
  const isWaiting = rows.total.value === null && rows.error.value === null;
  return (
    <SheetsShown.Provider value={plan?.sheets ?? []}>
      <div class={isWaiting ? 'rows-view waits' : 'rows-view'}>
        <RowsFilter
          {...{ rows, plan, corrections }}
          would={run.state === 'planned' || run.state === 'planning'}
          busy={run.busy}
        />
        <ErrorBox error={rows.error.value} onRetry={() => rows.renew()} />
        <div class="rows-beside">
          <RowTable rows={rows} label={say(`Rows of ${run.file}`, `Rijen van ${run.file}`)} />
          {place && <RowPanel key={`${place.row}\0${place.sheet}`} {...{ rows, place, canSettle }} />}
        </div>
      </div>
    </SheetsShown.Provider>
  );
}
