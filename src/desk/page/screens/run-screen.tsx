import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Counts } from '../../../core/counts.ts';
import type { AnswerOf, Job } from '../../contract/answers.ts';
import type { AskedOf } from '../../contract/asked.ts';
import { call, download } from '../call.ts';
import { said, say, whenText } from '../language.ts';
import { begin, doJob, isActive, latestJob, useLoaded } from '../live.ts';
import { Box, Button, ButtonLink, ErrorBox, type Wrong } from '../pieces/controls.tsx';
import { FileHead, ScreenTitle } from '../pieces/frame.tsx';
import { Listed } from '../pieces/lists.tsx';
import { JobView } from '../pieces/progress.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { goTo, hrefOf, route } from '../router.ts';
import { rowsQuery } from '../table/rows.ts';
import { RowsView } from '../table/rows-view.tsx';
import { Gone, isNowhere } from './nowhere.tsx';
import { ELSEWHERE, LeftByUndo, PlanScreen, SendRun, SendScreen } from './plan-screen.tsx';
import { ReadScreen } from './read-screen.tsx';
import { StatePills, sendingOf, serviceText } from './runs-screen.tsx';

interface FileProps {
  readonly file: string;
  /** How it is read, where none is named. */
  readonly step: string | undefined;
}

/** A file that was brought, at one of its steps. */
export function FileScreen({ file, step }: FileProps) {
  const job = latestJob(({ kind, source }) => kind === 'plan' && source === file);
  const { run, state, stop } = job ?? {};
  const wrong = state === 'failed' && stop != null ? stop : null;
  if (isActive(job))
    return (
      <>
        <FileHead name={job.title} file={file} planned={false} step="check" />
        <ScreenTitle title={say('Every row is checked', 'Elke rij wordt nagekeken')} />
        <p>
          {say(
            'Every row is held against the service. Nothing is sent.',
            'Elke rij wordt naast het systeem gelegd. Er wordt niets verstuurd.',
          )}
        </p>
        <JobView job={job} />
      </>
    );
  if (step === undefined) return <ReadScreen file={file} wrong={wrong} />;
  // By its name once that is known: what was there of the plan from before goes.
  const asked = state === 'done' && run != null ? { run } : { file };
  return <RunScreen {...{ asked, step, wrong }} orElse={<ReadScreen file={file} wrong={wrong} />} />;
}

interface ScreenProps {
  readonly asked: AskedOf<'run'>;
  readonly step?: string;
  /** What stopped its file from being planned anew. */
  readonly wrong?: Wrong | null;
  /** Stands in its place where there is no such run. */
  readonly orElse?: ComponentChildren;
}

/** One run: its plan, while it is sent, where it was stopped, and what became of it, row by row. */
export function RunScreen({ asked, step = 'check', wrong = null, orElse = <Gone /> }: ScreenProps) {
  const { data, error, reload } = useLoaded('run', asked);
  if (data === null) return isNowhere(error) ? orElse : <ErrorBox error={error} onRetry={reload} />;
  const { run, plan } = data;
  const job = sendingOf(run);
  const isDraft = run.source !== null && (run.state === 'planned' || run.state === 'planning');
  if (!isDraft || plan === null || isActive(job)) return <RunView {...data} job={job} />;
  return (
    <>
      <FileHead name={run.file} file={run.source} planned step={step === 'send' ? step : 'check'} />
      {/* Its sending may have been stopped before anything of it was sent. */}
      <ErrorBox error={wrong ?? (job?.state === 'failed' ? job.stop : null)} />
      {step === 'send' ? <SendScreen run={run} plan={plan} /> : <PlanScreen run={run} plan={plan} />}
    </>
  );
}

/** Rows that are still to be done, by what became of them. */
const workIn = ({ invalid, conflict, failed, notSent }: Counts): number =>
  invalid + conflict + failed + notSent;

interface RunProps extends AnswerOf<'run'> {
  /** What sends it, or did last. */
  readonly job: Job | undefined;
}

function titleOf({ run: { state, counts, busy }, plan, job }: RunProps): string {
  if (isActive(job) || busy || state === 'applying') return say('Being sent', 'Wordt verstuurd');
  if (state === 'interrupted') return say('Stopped half-way', 'Halverwege gestopt');
  if (state !== 'done' || counts === null) return say('Not sent', 'Niet verstuurd');
  if (workIn(counts) + counts.unknown > 0)
    return say('Sent, and some rows need you', 'Verstuurd, en sommige rijen vragen je aandacht');
  return plan?.left == null
    ? say('All rows are done', 'Alle rijen zijn klaar')
    : say('Taken back, but for some rows', 'Teruggedraaid, op enkele rijen na');
}

function RunView(props: RunProps) {
  const { run, plan, job, deletes } = props;
  const isSending = isActive(job);
  const title = titleOf(props);
  const isDone = run.state === 'done' && !isSending;
  // A file that was sent is a run from then on.
  useEffect(() => {
    const { path, query } = route.peek();
    if (path.startsWith('/files')) goTo(`/runs/${run.run}`, query, true);
  }, []);
  return (
    <>
      <FileHead
        {...{ name: run.file, file: null, planned: false }}
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
      <JobView job={job} stop={say('Pause', 'Pauzeren')} />
      {isSending && (
        <p class="dim">
          {say(
            'You can close this page: sending goes on as long as catersheet runs. Pausing sends nothing new and waits for what is on its way; nothing is sent twice.',
            'Je kunt deze pagina sluiten: het versturen gaat door zolang catersheet draait. Bij pauzeren gaat er niets nieuws meer uit en wordt gewacht op wat onderweg is; niets wordt dubbel verstuurd.',
          )}
        </p>
      )}
      <Listed items={job?.notes.toReversed() ?? []} />
      {!isSending && run.open && <GoOn run={run} deletes={deletes} />}
      {plan && <LeftByUndo {...plan} />}
      {isDone && run.counts && <Outcome {...props} counts={run.counts} />}
      <RowsView
        {...{ run, plan }}
        canSettle={run.here && !isSending && !run.busy && (run.counts?.unknown ?? 0) > 0}
        news={`${run.state} ${isSending ? Math.floor(Date.now() / 2000) : ''}`}
      />
    </>
  );
}

/** Goes on with a run that was stopped half-way, by the user, a failure or the end of the program. */
function GoOn({ run, deletes }: Pick<RunProps, 'run' | 'deletes'>) {
  return (
    <Box>
      <p>
        {say(
          'What was sent is kept, row by row. Going on sends only what is left, and first looks for rows that had no answer; nothing is sent twice.',
          'Wat verstuurd is, is per rij bewaard. Verdergaan verstuurt alleen wat nog over is, en zoekt eerst rijen op die geen antwoord hadden; niets gaat dubbel.',
        )}
      </p>
      <SendRun
        {...{ run, deletes, look: 'primary', icon: 'play' }}
        word={say('Go on sending', 'Verder versturen')}
      />
    </Box>
  );
}

interface OutcomeProps extends Pick<RunProps, 'run' | 'undo'> {
  readonly counts: Counts;
}

/** What became of a run, and what can be done next. */
function Outcome({ run, undo, counts }: OutcomeProps) {
  const asked = { run: run.run };
  const work = workIn(counts);
  const { unknown, created, updated, deleted } = counts;
  const canCorrect = work > 0 && run.here && run.source !== null && undo === null;
  const canUndo = created + updated + deleted > 0 && run.here && undo === null && run.prunedAt === null;
  /** Shows the plan of the file that a job makes or is about. */
  const show = ({ source: file }: Job, query = rowsQuery({})): void => {
    if (file !== null) goTo(`/files/${file}/check`, query);
  };
  return (
    <>
      {unknown > 0 && (
        <Box tone="bad">
          <p>
            <b>
              {say(
                '1 row was sent and no answer tells whether it arrived|{n} rows were sent and no answer tells whether they arrived',
                '1 rij is verstuurd en geen antwoord zegt of die is aangekomen|{n} rijen zijn verstuurd en geen antwoord zegt of ze zijn aangekomen',
                unknown,
              )}
            </b>
            .{' '}
            {say(
              'They are never sent again by themselves, as that could double them. Look on the service whether they are there, and open each below to say so.',
              'Ze gaan nooit vanzelf nog eens, want dat zou ze kunnen verdubbelen. Kijk in het systeem of ze er zijn, en open ze hieronder om dat te zeggen.',
            )}
          </p>
          <a href={hrefOf(route.value.path, rowsQuery({ status: ['unknown'] }))}>
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
          <Button
            look="primary"
            onClick={async () => show(await begin(call('planRest', asked)), rowsQuery({ work: true }))}
          >
            {say(
              'Correct the row that is left|Correct the {n} rows that are left',
              'De rij verbeteren die over is|De {n} rijen verbeteren die over zijn',
              work,
            )}
          </Button>
        )}
        {run.result && (
          <>
            <Button
              look={canCorrect ? undefined : 'primary'}
              icon="download"
              onClick={() => download('result', asked)}
            >
              {say('Download the workbook', 'De werkmap downloaden')}
            </Button>
            {work + unknown > 0 && (
              <Button icon="download" onClick={() => download('result', { ...asked, problems: true })}>
                {say('Only the rows with problems', 'Alleen de rijen met problemen')}
              </Button>
            )}
            <Button icon="download" onClick={() => download('report', asked)}>
              {say('Download the report', 'Het verslag downloaden')}
            </Button>
          </>
        )}
        {canUndo && (
          <Button icon="undo" onClick={async () => show(await doJob(call('takeBack', asked)))}>
            {say('Take this run back', 'Deze run terugdraaien')}
          </Button>
        )}
        <ButtonLink to="/">{say('Another file', 'Nog een bestand')}</ButtonLink>
      </div>
      {undo !== null && (
        <p class="row">
          {say('This run was taken back by', 'Deze run is teruggedraaid door')}{' '}
          <a href={hrefOf(`/runs/${undo.run}`)}>{undo.run}</a>
          {undo.shown !== null && <Outcomes counts={undo.shown} />}
        </p>
      )}
    </>
  );
}
