import { type Bilingual, t } from '../../../core/language.ts';
import { aboutText } from '../../../core/shown-moment.ts';
import type { Job } from '../../contract/answers.ts';
import { call } from '../call.ts';
import { figure, language, said, say } from '../language.ts';
import { connection, isActive } from '../live.ts';
import { Button, ErrorBox } from './controls.tsx';

type Progress = NonNullable<Job['progress']>;

const STAGES: Readonly<Record<Progress['stage'], Bilingual>> = {
  listing: t('Reading the service', 'Het systeem wordt gelezen'),
  reading: t('Reading the file', 'Het bestand wordt gelezen'),
  sending: t('Sending', 'Versturen'),
  writing: t('Writing the file', 'Het bestand wordt geschreven'),
};

interface JobProps {
  readonly job: Job | undefined;
  /** What the button is called that stops it. */
  readonly stop?: string;
}

/** A job under way with what stops it, or what stopped it; nothing once it went well. */
export function JobView({ job, stop = say('Stop', 'Stoppen') }: JobProps) {
  if (!isActive(job)) return <ErrorBox error={job?.state === 'failed' ? job.stop : null} />;
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
        : progress === null
          ? say('Starting', 'Begint')
          : [said(STAGES[progress.stage]), progress.of ?? []].flat().join(': ');
  const { done = 0, total = null, doubt = null } = progress ?? {};
  return (
    <div class="progress">
      <div class="spread">
        <strong>{title}</strong>
        <span>{progress && figuresText(progress)}</span>
      </div>
      <progress
        aria-label={title}
        max={Math.max(1, total ?? 0)}
        value={total ? Math.min(done, total) : undefined}
      />
      {doubt && (
        <p class="warn-text">
          {said(
            t(
              'For 1 row no answer came. Until {until} it is looked for on the service, before anything is sent again.|For {n} rows no answer came. Until {until} they are looked for on the service, before anything is sent again.',
              'Op 1 rij kwam geen antwoord. Tot {until} wordt in het systeem gekeken of die is aangekomen, voordat er iets opnieuw gaat.|Op {n} rijen kwam geen antwoord. Tot {until} wordt in het systeem gekeken of ze zijn aangekomen, voordat er iets opnieuw gaat.',
            ),
            {
              n: doubt.rows,
              until: new Date(doubt.until).toLocaleTimeString(language.value === 'nl' ? 'nl' : 'en-GB'),
            },
          )}
        </p>
      )}
      <Button small busy={state === 'stopping'} onClick={() => call('stopJob', { job: job.id })}>
        {stop}
      </Button>
    </div>
  );
}

function figuresText({ done, total, rate, leftMs }: Progress): string {
  const speed = figure(rate ?? 0, (rate ?? 0) < 10 ? 1 : 0);
  const left = aboutText(leftMs ?? 0)[language.value];
  const parts = [
    total === null
      ? done > 0 && figure(done)
      : say(`${figure(done)} of ${figure(total)}`, `${figure(done)} van ${figure(total)}`),
    rate !== null && say(`${speed} a second`, `${speed} per seconde`),
    leftMs !== null && say(`${left} left`, `nog ${left}`),
  ];
  return parts.filter(Boolean).join(' · ');
}
