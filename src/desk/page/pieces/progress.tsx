import type { JSX } from 'preact';
import { aboutText } from '../../../core/codecs/moment.ts';
import { type Bilingual, t } from '../../../core/language.ts';
import type { JobDocument, ProgressDocument } from '../../contract/documents.ts';
import { clockText, figure, language, say, sayCount } from '../language.ts';

const STAGES: Readonly<Record<ProgressDocument['stage'], Bilingual>> = {
  listing: t('Reading the service', 'Het systeem wordt gelezen'),
  reading: t('Reading the file', 'Het bestand wordt gelezen'),
  sending: t('Sending', 'Versturen'),
  writing: t('Writing the file', 'Het bestand wordt geschreven'),
};
const OF = t('{stage}: {of}', '{stage}: {of}');
const WAITING = t('Waiting for its turn', 'Wacht op zijn beurt');
const AT_WORKERS = {
  waiting: t('Waiting for a worker', 'Wacht op een worker'),
  again: t('A worker stopped: it is tried again soon', 'Een worker stopte: zo wordt het weer geprobeerd'),
} as const;
const STOPPING = t(
  'Pausing: nothing new is sent, what is on its way is awaited',
  'Pauzeert: er gaat niets nieuws meer uit; op wat onderweg is, wordt gewacht',
);
const DONE_OF = t('{done} of {total}', '{done} van {total}');
const RATE = t('{n} a second', '{n} per seconde');
const LEFT = t('{about} left', 'nog {about}');

/** How far a job is: what it does, a bar, the rate, the time left. Keeps its room while nothing is known. */
export function Progress({ job }: { readonly job: JobDocument }): JSX.Element {
  const { progress, state } = job;
  const title = state === 'waiting' ? say(WAITING) : state === 'stopping' ? say(STOPPING) : workText(job);
  const known = progress !== null && progress.total !== null && progress.total > 0;
  return (
    <div class="progress">
      <div class="progress-head">
        <strong>{title}</strong>
        <span class="figures">{progress === null ? '' : figuresText(progress)}</span>
      </div>
      <progress
        aria-label={title}
        max={known ? (progress.total ?? 1) : 1}
        value={known ? Math.min(progress.done, progress.total ?? 0) : undefined}
      />
      {progress?.doubt != null && <Doubt doubt={progress.doubt} />}
    </div>
  );
}

function workText({ workers, progress }: JobDocument): string {
  const waits = workers === 'waiting' || workers === 'again';
  return waits && progress?.stage !== 'writing' ? say(AT_WORKERS[workers]) : stageText(progress);
}

function stageText(progress: ProgressDocument | null): string {
  if (progress === null) return say(t('Starting', 'Begint'));
  const stage = say(STAGES[progress.stage]);
  return progress.of === null ? stage : say(OF, { stage, of: progress.of });
}

function figuresText({ done, total, rate, leftMs }: ProgressDocument): string {
  const counted = total === null ? figure(done) : say(DONE_OF, { done: figure(done), total: figure(total) });
  const parts = [done === 0 && total === null ? '' : counted];
  if (rate !== null && rate > 0) parts.push(say(RATE, { n: rateText(rate) }));
  if (leftMs !== null) parts.push(say(LEFT, { about: aboutText(leftMs)[language.value] }));
  return parts.filter(Boolean).join(' · ');
}

const rateText = (rate: number): string =>
  new Intl.NumberFormat(language.value, { maximumFractionDigits: rate < 10 ? 1 : 0 }).format(rate);

const ONE_DOUBT = t(
  'For 1 row no answer came. Until {until} it is looked for on the service, before anything is sent again.',
  'Op 1 rij kwam geen antwoord. Tot {until} wordt in het systeem gekeken of die is aangekomen, voordat er iets opnieuw gaat.',
);
const DOUBTS = t(
  'For {n} rows no answer came. Until {until} they are looked for on the service, before anything is sent again.',
  'Op {n} rijen kwam geen antwoord. Tot {until} wordt in het systeem gekeken of ze zijn aangekomen, voordat er iets opnieuw gaat.',
);

function Doubt({ doubt }: { readonly doubt: NonNullable<ProgressDocument['doubt']> }): JSX.Element {
  const text = sayCount(doubt.rows, ONE_DOUBT, DOUBTS);
  return <p class="doubt">{text.replace('{until}', clockText(doubt.until))}</p>;
}
