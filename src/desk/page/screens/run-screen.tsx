import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { DeskRun, JobDocument, PlanDocument, TableRow } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { say, sayCount, whenText } from '../language.ts';
import { isActive, JobStopped, jobs, keepJob, whenEnded } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { Box } from '../pieces/box.tsx';
import { Button } from '../pieces/button.tsx';
import { Elsewhere, RUN_ELSEWHERE } from '../pieces/elsewhere.tsx';
import { ErrorBox, type Wrong } from '../pieces/error-box.tsx';
import { JobView } from '../pieces/job-view.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { useRunNews } from '../run-news.ts';
import { type Picking, pickKey } from '../table/row-line.tsx';
import type { SettleAs } from '../table/row-requests.tsx';
import type { RowPlace } from '../table/row-source.ts';
import { RowsView } from '../table/rows-view.tsx';
import { wrongOf } from '../wrong.ts';
import { FetchedInvoices } from './done/fetched-invoices.tsx';
import { OldPlan } from './run/old-plan.tsx';
import { RunActions } from './run/run-actions.tsx';
import { isUnsent, StatePills, serviceText } from './runs-screen.tsx';
import { LeftByUndo } from './send/left-by-undo.tsx';

const TABLE = t('Rows of {file}', 'Rijen van {file}');
const DOUBT = t(
  'For 1 row no answer came, so nobody knows whether it arrived. Open it to read what you can do.',
  'Op 1 rij kwam geen antwoord, dus niemand weet of hij is aangekomen. Open hem om te lezen wat je kunt doen.',
);
const DOUBTS = t(
  'For {n} rows no answer came, so nobody knows whether they arrived. Look them up on the service, pick them below, and say what is true.',
  'Op {n} rijen kwam geen antwoord, dus niemand weet of ze zijn aangekomen. Zoek ze op in het systeem, kies ze hieronder en zeg wat waar is.',
);
const PRUNED = t(
  'The rows of this run were removed, but for those that later imports ask for. It can’t be taken back any more.',
  'De rijen van deze run zijn opgeruimd, op die na waar latere imports naar vragen. Hij is niet meer terug te draaien.',
);
const PICKED = t('1 row picked', '1 rij gekozen');
const PICKED_MANY = t('{n} rows picked', '{n} rijen gekozen');
const ARRIVED = t('It did arrive', 'Het is aangekomen');
const AGAIN = t('Send again', 'Opnieuw versturen');

/** One run, row by row, with what can still be done with it. */
export function RunScreen({ id }: { readonly id: string }): JSX.Element {
  const { data, error, reload } = useLoaded(
    `run ${id}`,
    (signal) => call('run', { params: { run: id }, signal }),
    [['runs'], ['drafts']],
  );
  return (
    <div class="table-screen">
      {data === null && <ScreenTitle title={id} />}
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {data !== null && <Run {...data} reload={reload} />}
    </div>
  );
}

interface RunProps {
  readonly run: DeskRun;
  readonly plan: PlanDocument | null;
  /** Rows that delete and were not sent. */
  readonly deletes: number;
  readonly reload: () => void;
}

function Run({ run, plan, deletes, reload }: RunProps): JSX.Element {
  const [begun, setBegun] = useState<JobDocument | null>(null);
  const known = begun ?? run.job;
  const job = known === null ? null : (jobs.value.get(known.id) ?? known);
  const params = { run: run.run };
  const news = useRunNews(run.run);
  const { picking, clear, picked } = usePicking();
  const settle = async (rows: readonly RowPlace[], as: SettleAs): Promise<void> => {
    const chosen = rows.map(({ sheet, row }) => ({ sheet, row }));
    const { job: made } = await call('settle', { params, body: { rows: chosen, as } });
    setBegun(keepJob(made));
    clear();
    await whenEnded(made).catch((error: unknown) => {
      // What stopped the job is told by the job.
      if (!(error instanceof JobStopped)) throw error;
    });
    reload();
  };
  const doubts = run.counts?.unknown ?? 0;
  const isBusy = run.busy || (job !== null && isActive(job));
  const canSettle = run.here && doubts > 0 && !isBusy;
  return (
    <>
      <ScreenTitle title={run.file}>
        <RunActions
          {...{ run, plan, deletes, reload }}
          onJob={setBegun}
          busy={job !== null && isActive(job)}
        />
      </ScreenTitle>
      <p class="run-about dim">
        <StatePills run={run} /> {whenText(run.startedAt)} · {serviceText(run)} · {run.run}
      </p>
      {!run.here && <Elsewhere what={RUN_ELSEWHERE} />}
      <OldPlan run={run} />
      {plan !== null && <LeftByUndo plan={plan} folded />}
      {run.prunedAt !== null && <p>{say(PRUNED)}</p>}
      {job !== null && <JobView job={job} />}
      {run.draft !== null && plan?.sheets.some(({ made }) => made === 'fetched') === true && (
        <FetchedInvoices draft={run.draft} />
      )}
      {/* What is under way may still tell of them. */}
      {doubts > 0 && !isBusy && <Doubts count={doubts} picked={canSettle ? picked : []} onSettle={settle} />}
      <RowsView
        name={run.run}
        label={say(TABLE, { file: run.file })}
        ask={(body) => call('runRows', { params, body })}
        askRow={({ sheet, row }) => call('runRow', { params, query: { sheet, row } })}
        would={isUnsent(run)}
        sheets={plan?.sheets ?? []}
        groups={isUnsent(run) ? (plan?.groups ?? []) : []}
        warned={plan?.warned.rows ?? 0}
        corrections={0}
        picking={canSettle ? picking : undefined}
        onSettle={canSettle ? (place, as) => settle([place], as) : undefined}
        news={`${run.state} ${JSON.stringify(run.counts)} ${news}`}
      />
    </>
  );
}

/** Most rows that are settled together. */
const MOST = 1000;

function usePicking() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, RowPlace>>(new Map());
  const picking: Picking = {
    picked: new Set(chosen.keys()),
    canPick: ({ status }: TableRow) => status === 'unknown',
    toggle: (row) => {
      const next = new Map(chosen);
      const key = pickKey(row);
      if (!next.delete(key) && next.size < MOST) next.set(key, { sheet: row.sheet, row: row.row });
      setChosen(next);
    },
  };
  return { picking, picked: [...chosen.values()], clear: () => setChosen(new Map()) };
}

interface DoubtsProps {
  readonly count: number;
  readonly picked: readonly RowPlace[];
  readonly onSettle: (rows: readonly RowPlace[], as: SettleAs) => Promise<void>;
}

/** Explains rows of which nobody knows whether they arrived, and settles those that are picked. */
function Doubts({ count, picked, onSettle }: DoubtsProps): JSX.Element {
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const settle = (as: SettleAs): void => {
    setWrong(null);
    onSettle(picked, as).catch((error: unknown) => setWrong(wrongOf(error)));
  };
  return (
    <Box tone="warn">
      <p>{sayCount(count, DOUBT, DOUBTS)}</p>
      {wrong !== null && <ErrorBox error={wrong} />}
      {picked.length > 0 && (
        <div class="actions">
          <b>{sayCount(picked.length, PICKED, PICKED_MANY)}</b>
          <Button small onClick={() => settle('done')}>
            {say(ARRIVED)}
          </Button>
          <Button small onClick={() => settle('resend')}>
            {say(AGAIN)}
          </Button>
        </div>
      )}
    </Box>
  );
}
