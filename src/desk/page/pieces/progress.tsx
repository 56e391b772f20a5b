import type { ComponentChildren } from 'preact';
import { aboutText } from '../../../core/codecs/moment.ts';
import { type Bilingual, t } from '../../../core/language.ts';
import type { Job, JobProgress } from '../../contract/answers.ts';
import { call } from '../call.ts';
import { clockText, decimal, figure, language, said, say, sayCount } from '../language.ts';
import { connection, isActive } from '../live.ts';
import { Act } from './act.tsx';
import { ErrorBox, type Wrong } from './error-box.tsx';

const STAGES: Readonly<Record<JobProgress['stage'], Bilingual>> = {
  listing: t('Reading the service', 'Het systeem wordt gelezen'),
  reading: t('Reading the file', 'Het bestand wordt gelezen'),
  sending: t('Sending', 'Versturen'),
  writing: t('Writing the file', 'Het bestand wordt geschreven'),
};

interface JobProps {
  readonly job: Job | undefined;
  /** What the button is called that stops it. */
  readonly stop?: Bilingual;
}

/** A job under way with what stops it, or what stopped it; nothing once it went well. */
export function JobView({ job, stop = t('Stop', 'Stoppen') }: JobProps) {
  if (job === undefined) return null;
  if (!isActive(job)) return <ErrorBox error={job.state === 'failed' ? job.stop : null} />;
  // What was told last is no longer so, and nothing hears the button.
  if (connection.value === 'lost')
    return (
      <p class="warn-text">
        {say(
          'How far it is can’t be seen while catersheet is away.',
          'Hoe ver het is, is niet te zien zolang catersheet weg is.',
        )}
      </p>
    );
  const { progress, state } = job;
  const title =
    state === 'waiting'
      ? say('Waiting for its turn', 'Wacht op zijn beurt')
      : state === 'stopping'
        ? say(
            'Pausing: nothing new is sent, what is on its way is awaited',
            'Pauzeert: er gaat niets nieuws meer uit; op wat onderweg is, wordt gewacht',
          )
        : stageText(progress);
  const total = progress?.total ?? 0;
  return (
    <div class="progress">
      <div class="spread">
        <strong>{title}</strong>
        <span class="figures">{progress === null ? '' : figuresText(progress)}</span>
      </div>
      <progress
        aria-label={title}
        max={Math.max(1, total)}
        value={total > 0 ? Math.min(progress?.done ?? 0, total) : undefined}
      />
      {progress?.doubt != null && (
        <p class="warn-text">
          {sayCount(
            progress.doubt.rows,
            t(
              'For 1 row no answer came. Until {until} it is looked for on the service, before anything is sent again.',
              'Op 1 rij kwam geen antwoord. Tot {until} wordt in het systeem gekeken of die is aangekomen, voordat er iets opnieuw gaat.',
            ),
            t(
              'For {n} rows no answer came. Until {until} they are looked for on the service, before anything is sent again.',
              'Op {n} rijen kwam geen antwoord. Tot {until} wordt in het systeem gekeken of ze zijn aangekomen, voordat er iets opnieuw gaat.',
            ),
          ).replace('{until}', clockText(progress.doubt.until))}
        </p>
      )}
      <Act small busy={state === 'stopping'} act={() => call('stopJob', { job: job.id })}>
        {said(stop)}
      </Act>
    </div>
  );
}

interface StateProps extends Pick<JobProps, 'job'> {
  readonly busy: boolean;
  readonly wrong: Wrong | null;
  /** What it made. */
  readonly children?: ComponentChildren;
}

/** What was begun on a screen: how far it is, what stopped it, what it made. */
export const JobState = ({ job, busy, wrong, children }: StateProps) => (
  <div role="status">
    {busy ? <JobView job={job} /> : <ErrorBox error={wrong} />}
    {children}
  </div>
);

function stageText(progress: JobProgress | null): string {
  if (progress === null) return say('Starting', 'Begint');
  const stage = said(STAGES[progress.stage]);
  return progress.of === null ? stage : `${stage}: ${progress.of}`;
}

function figuresText({ done, total, rate, leftMs }: JobProgress): string {
  const of =
    total === null
      ? figure(done)
      : say(`${figure(done)} of ${figure(total)}`, `${figure(done)} van ${figure(total)}`);
  const parts = [
    done > 0 || total !== null ? of : '',
    rate === null
      ? ''
      : say(
          `${decimal(rate, rate < 10 ? 1 : 0)} a second`,
          `${decimal(rate, rate < 10 ? 1 : 0)} per seconde`,
        ),
    leftMs === null
      ? ''
      : say(`${aboutText(leftMs)[language.value]} left`, `nog ${aboutText(leftMs)[language.value]}`),
  ];
  return parts.filter(Boolean).join(' · ');
}
