import { useEffect } from 'preact/hooks';
import type { Counts } from '../../../core/counts.ts';
import { t } from '../../../core/language.ts';
import type { Job, Plan, Run } from '../../contract/answers.ts';
import { addressOf } from '../../contract/paths.ts';
import { showPlan } from '../begin.ts';
import { call } from '../call.ts';
import { said, say, sayCount, whenText } from '../language.ts';
import { doJob, isActive, jobNow, latestJob, planNow, planningOf } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { Act } from '../pieces/act.tsx';
import { ButtonLink } from '../pieces/button.tsx';
import { Box, ErrorBox } from '../pieces/error-box.tsx';
import { JobView } from '../pieces/progress.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Outcomes, SheetsShown } from '../pieces/status-pill.tsx';
import { FileHead } from '../pieces/steps.tsx';
import { goTo, hrefOf, route } from '../router.ts';
import { rowsQuery } from '../table/row-source.ts';
import { RowsView } from '../table/rows-view.tsx';
import { ANOTHER, Gone, Planning } from './file-screen.tsx';
import { LeftByUndo, SendRun } from './plan-parts.tsx';
import { PlanScreen } from './plan-screen.tsx';
import { ELSEWHERE, StatePills, serviceText } from './runs-screen.tsx';
import { SendScreen } from './send-screen.tsx';

/** Rows that are still to be done, by what became of them. */
const workIn = ({ invalid, conflict, failed, notSent }: Counts): number =>
  invalid + conflict + failed + notSent;

/** One run: its plan, while it is sent, where it was stopped, and what became of it, row by row. */
export function RunScreen({ id }: { readonly id: string }) {
  const now = planNow(id);
  const { data, error, reload } = useLoaded('run', { run: now });
  useEffect(() => {
    if (now !== id) goTo({ ...route.peek(), page: 'run', run: now }, true);
  }, [now]);
  if (data === null && error?.status === 400) return <Gone />;
  if (data === null)
    return (
      error && (
        <>
          <ScreenTitle title={now} />
          <ErrorBox error={error} onRetry={reload} />
        </>
      )
    );
  const { run, plan } = data;
  const job = sendingOf(run);
  const isDraft = run.source !== null && (run.state === 'planned' || run.state === 'planning');
  if (!isDraft || plan === null || (job !== undefined && isActive(job))) return <RunView {...data} />;
  const planning = planningOf(run.source);
  const isMaking = planning !== undefined && isActive(planning);
  const step = route.value.page === 'run' ? route.value.step : undefined;
  return (
    <>
      <FileHead name={run.file} file={run.source} run={run.run} step={step ?? 'plan'} />
      {isMaking ? (
        <Planning job={planning} />
      ) : (
        <>
          {/* It may have been stopped before anything of it was sent. */}
          <ErrorBox error={job?.state === 'failed' ? job.stop : null} />
          <ErrorBox error={planning?.of === now && planning.state === 'failed' ? planning.stop : null} />
          {step === 'send' ? <SendScreen run={run} plan={plan} /> : <PlanScreen run={run} plan={plan} />}
        </>
      )}
    </>
  );
}

interface RunProps {
  readonly run: Run;
  /** The run that took it back. */
  readonly undo: Run | null;
  readonly plan: Plan | null;
  /** Rows that delete and were not sent. */
  readonly deletes: number;
}

/** The job that sends a run now, or did last. */
const sendingOf = ({ run, job }: Run): Job | undefined =>
  latestJob((one) => one.run === run && one.kind !== 'plan') ?? jobNow(job);

function titleOf({ state, counts, busy }: Run, plan: Plan | null, isSending: boolean): string {
  if (isSending || busy || state === 'applying') return say('Being sent', 'Wordt verstuurd');
  if (state === 'interrupted') return say('Stopped half-way', 'Halverwege gestopt');
  if (state !== 'done' || counts === null) return say('Not sent', 'Niet verstuurd');
  return said(
    workIn(counts) + counts.unknown > 0
      ? t('Sent, and some rows need you', 'Verstuurd, en sommige rijen vragen je aandacht')
      : plan?.left == null
        ? t('All rows are done', 'Alle rijen zijn klaar')
        : t('Taken back, but for some rows', 'Teruggedraaid, op enkele rijen na'),
  );
}

function RunView({ run, undo, plan, deletes }: RunProps) {
  const job = sendingOf(run);
  const isSending = job !== undefined && isActive(job);
  const title = titleOf(run, plan, isSending);
  const isDone = run.state === 'done' && !isSending;
  return (
    <SheetsShown.Provider value={plan?.sheets ?? []}>
      <div class="run-screen">
        <FileHead
          {...{ name: run.file, file: null, run: null }}
          step={run.source === null ? null : isDone ? 'done' : 'send'}
        />
        <ScreenTitle key={title} title={title} />
        <p class="row dim">
          {whenText(run.startedAt)} · {serviceText(run.service)} · {run.run} <StatePills run={run} />
        </p>
        {run.shown !== null && !isSending && (
          <p class="row">
            <Outcomes counts={run.shown} />
          </p>
        )}
        {!run.here && <Box tone="warn">{said(ELSEWHERE)}</Box>}
        {run.prunedAt !== null && (
          <p>
            {say(
              'The rows of this run were removed, but for those that later imports ask for. It can’t be taken back any more.',
              'De rijen van deze run zijn opgeruimd, op die na waar latere imports naar vragen. Hij is niet meer terug te draaien.',
            )}
          </p>
        )}
        {job !== undefined && <Sending job={job} />}
        {!isSending && run.open && <GoOn run={run} deletes={deletes} />}
        {plan !== null && <LeftByUndo plan={plan} />}
        {isDone && <Outcome run={run} undo={undo} counts={run.counts} />}
        <RowsView
          {...{ run, plan }}
          canSettle={run.here && !isSending && !run.busy && (run.counts?.unknown ?? 0) > 0}
          news={`${run.state} ${isSending ? Math.floor(Date.now() / 2000) : ''}`}
        />
      </div>
    </SheetsShown.Provider>
  );
}

/** A run while it is sent: how far; what comes of its rows shows in their table. */
function Sending({ job }: { readonly job: Job }) {
  const { notes } = job;
  return (
    <>
      <JobView job={job} stop={t('Pause', 'Pauzeren')} />
      {isActive(job) && (
        <p class="dim">
          {say(
            'You can close this page: sending goes on as long as catersheet runs. Pausing sends nothing new and waits for what is on its way; nothing is sent twice.',
            'Je kunt deze pagina sluiten: het versturen gaat door zolang catersheet draait. Bij pauzeren gaat er niets nieuws meer uit en wordt gewacht op wat onderweg is; niets wordt dubbel verstuurd.',
          )}
        </p>
      )}
      <ul>
        {notes.toReversed().map((note, at) => (
          <li key={notes.length - at}>{note}</li>
        ))}
      </ul>
    </>
  );
}

/** Goes on with a run that was stopped half-way, by the user, a failure or the end of the program. */
function GoOn({ run, deletes }: Pick<RunProps, 'run' | 'deletes'>) {
  const { notSent, unknown } = run.counts ?? { notSent: 0, unknown: 0 };
  return (
    <Box>
      <p>
        {say(
          'What was sent is kept, row by row. Going on sends only what is left; nothing is sent twice.',
          'Wat verstuurd is, is per rij bewaard. Verdergaan verstuurt alleen wat nog over is; niets gaat dubbel.',
        )}
      </p>
      {notSent > 0 && (
        <p>
          {sayCount(
            notSent,
            t('1 row is left to send.', 'Er is nog 1 rij te versturen.'),
            t('{n} rows are left to send.', 'Er zijn nog {n} rijen te versturen.'),
          )}
        </p>
      )}
      {unknown > 0 && (
        <p>
          {sayCount(
            unknown,
            t(
              '1 row was sent and had no answer yet: it is looked for first.',
              '1 rij is verstuurd en had nog geen antwoord: die wordt eerst opgezocht.',
            ),
            t(
              '{n} rows were sent and had no answer yet: they are looked for first.',
              '{n} rijen zijn verstuurd en hadden nog geen antwoord: die worden eerst opgezocht.',
            ),
          )}
        </p>
      )}
      <SendRun
        {...{ run, deletes, plan: null, look: 'primary', icon: 'play' }}
        word={say('Go on sending', 'Verder versturen')}
      />
    </Box>
  );
}

interface OutcomeProps extends Pick<RunProps, 'run' | 'undo'> {
  readonly counts: Counts | null;
}

/** What became of a run, and what can be done next. */
function Outcome({ run, undo, counts }: OutcomeProps) {
  if (counts === null) return null;
  const asked = { run: run.run };
  const work = workIn(counts);
  const { unknown, created, updated, deleted } = counts;
  const canCorrect = work > 0 && run.here && run.source !== null && undo === null;
  const canUndo = created + updated + deleted > 0 && run.here && undo === null && run.prunedAt === null;
  const again = async (file: string): Promise<void> => {
    const next = await doJob(call('makePlan', { file, of: run.run }));
    if (next.source !== null && next.run !== null) showPlan(next.source, next.run, rowsQuery({ work: true }));
  };
  const takeBack = async (): Promise<void> => {
    const { source } = await doJob(call('takeBack', asked));
    if (source !== null) goTo({ page: 'file', file: source });
  };
  return (
    <>
      {unknown > 0 && (
        <Box tone="bad">
          <p>
            <b>
              {sayCount(
                unknown,
                t(
                  '1 row was sent and no answer tells whether it arrived',
                  '1 rij is verstuurd en geen antwoord zegt of die is aangekomen',
                ),
                t(
                  '{n} rows were sent and no answer tells whether they arrived',
                  '{n} rijen zijn verstuurd en geen antwoord zegt of ze zijn aangekomen',
                ),
              )}
            </b>
            .{' '}
            {say(
              'They are never sent again by themselves, as that could double them. Look on the service whether they are there, and open each below to say so.',
              'Ze gaan nooit vanzelf nog eens, want dat zou ze kunnen verdubbelen. Kijk in het systeem of ze er zijn, en open ze hieronder om dat te zeggen.',
            )}
          </p>
          <a href={hrefOf({ page: 'run', run: run.run, query: rowsQuery({ status: ['unknown'] }) })}>
            {say('Show them', 'Laat ze zien')}
          </a>
        </Box>
      )}
      {run.result && (
        <p class="dim">
          {say(
            'Your own file, with what became of each row beside it and every correction in its cell.',
            'Je eigen bestand, met naast elke rij wat ervan geworden is en elke verbetering in zijn cel.',
          )}
        </p>
      )}
      <div class="row">
        {canCorrect && (
          <Act look="primary" act={() => again(run.source ?? '')}>
            {sayCount(
              work,
              t('Correct the row that is left', 'De rij verbeteren die over is'),
              t('Correct the {n} rows that are left', 'De {n} rijen verbeteren die over zijn'),
            )}
          </Act>
        )}
        {run.result && (
          <>
            <ButtonLink
              look={canCorrect ? undefined : 'primary'}
              icon="download"
              to={addressOf('result', asked)}
            >
              {say('Download the workbook', 'De werkmap downloaden')}
            </ButtonLink>
            {work + unknown > 0 && (
              <ButtonLink icon="download" to={addressOf('result', { ...asked, problems: '1' })}>
                {say('Only the rows with problems', 'Alleen de rijen met problemen')}
              </ButtonLink>
            )}
            <ButtonLink icon="file" shown to={addressOf('report', asked)}>
              {say('Open the report', 'Het verslag openen')}
            </ButtonLink>
          </>
        )}
        {canUndo && (
          <Act icon="undo" act={takeBack}>
            {say('Take this run back', 'Deze run terugdraaien')}
          </Act>
        )}
        <ButtonLink to={{ page: 'home' }}>{said(ANOTHER)}</ButtonLink>
      </div>
      {undo !== null && (
        <p class="row">
          {say('This run was taken back by', 'Deze run is teruggedraaid door')}{' '}
          <a href={hrefOf({ page: 'run', run: undo.run })}>{undo.run}</a>
          {undo.shown !== null && <Outcomes counts={undo.shown} />}
        </p>
      )}
    </>
  );
}
