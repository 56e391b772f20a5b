import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { DraftDocument, JobDocument, ProblemDocument } from '../../../contract/documents.ts';
import { figure, say, sayCount } from '../../language.ts';
import { Button } from '../../pieces/button.tsx';
import { stopJob } from '../../pieces/job-view.tsx';
import { Progress } from '../../pieces/progress.tsx';
import { StatusPill, statusTone } from '../../pieces/status-pill.tsx';
import { workersText } from '../../pieces/who-does-it.tsx';

const PAUSE = t('Pause', 'Pauzeren');
const PAUSE_WHAT = t(
  'Pausing sends nothing new and waits for what is on its way. You can go on at any time; nothing is sent twice.',
  'Bij pauzeren gaat er niets nieuws meer uit en wordt gewacht op wat onderweg is. Je kunt altijd verder; niets wordt dubbel verstuurd.',
);
const LEAVE = t(
  'You can close this page: sending goes on as long as catersheet runs.',
  'Je kunt deze pagina sluiten: het versturen gaat door zolang catersheet draait.',
);
const SO_FAR = t('So far', 'Tot nu toe');
const NONE = t('no rows yet', 'nog geen rijen');

interface SendingProps {
  readonly job: JobDocument;
  readonly draft: DraftDocument;
}

/** A run while it is sent: how far, what came of it, the problems as they come. */
export function SendingRun({ job, draft }: SendingProps): JSX.Element {
  return (
    <div class="sending">
      <div class="tile">
        <Progress job={job} />
        <p class="so-far">
          <span class="dim">{say(SO_FAR)}</span> <OutcomesSoFar job={job} />
        </p>
        <div class="actions">
          <Button
            icon="pause"
            busy={job.state === 'stopping'}
            describedBy="pause-what"
            onClick={() => void stopJob(job)}
          >
            {say(PAUSE)}
          </Button>
        </div>
        <p class="dim" id="pause-what">
          {job.workers === null ? `${say(PAUSE_WHAT)} ${say(LEAVE)}` : workersText(job)}
        </p>
      </div>
      <NoteList job={job} />
      <Problems job={job} draft={draft.id} />
    </div>
  );
}

function OutcomesSoFar({ job: { outcomes } }: { readonly job: JobDocument }): JSX.Element {
  const all = Object.entries(outcomes).filter(([, count]) => count > 0);
  if (all.length === 0) return <span class="dim">{say(NONE)}</span>;
  return (
    <span class="pills">
      {all.map(([status, count]) => (
        <StatusPill key={status} status={status} count={count} />
      ))}
    </span>
  );
}

/** What there is to know of a job, the newest first. */
export function NoteList({ job: { notes } }: { readonly job: JobDocument }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="note-list">
      {notes.toReversed().map((note, at) => (
        <li key={notes.length - at}>{note}</li>
      ))}
    </ul>
  );
}

const PROBLEMS = t('Problems', 'Problemen');
const ONE_PROBLEM = t('1 row so far needs your attention', 'Tot nu toe vraagt 1 rij je aandacht');
const COUNTED = t('{n} rows so far need your attention', 'Tot nu toe vragen {n} rijen je aandacht');
const NEWEST = t('the newest {n} are shown', 'de nieuwste {n} staan hier');
const PLACE = t('Row', 'Rij');
const ABOUT = t('About', 'Over');
const WHAT = t('What happened', 'Wat er gebeurde');

/** The problems of a job, the newest first; nothing where there are none. */
export function Problems({
  job: { problems },
}: {
  readonly job: JobDocument;
  readonly draft: string | null;
}): JSX.Element | null {
  const { count, newest } = problems;
  if (count === 0) return null;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">{say(PROBLEMS)}</h2>
      <p role="status">
        {sayCount(count, ONE_PROBLEM, COUNTED)}
        {count > newest.length && <span class="dim"> · {say(NEWEST, { n: figure(newest.length) })}</span>}
      </p>
      <table class="list problem-list">
        <thead>
          <tr>
            <th scope="col">{say(PLACE)}</th>
            <th scope="col">{say(ABOUT)}</th>
            <th scope="col">{say(WHAT)}</th>
          </tr>
        </thead>
        <tbody>
          {newest.map((problem) => (
            <ProblemLine key={`${problem.sheet} ${problem.row}`} problem={problem} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ProblemLine({ problem }: { readonly problem: ProblemDocument }): JSX.Element {
  const { sheet, row, status, about, message } = problem;
  return (
    <tr class={statusTone(status)}>
      <th scope="row">
        {sheet} {figure(row)}
      </th>
      <td>{about}</td>
      <td>
        <StatusPill status={status} sheet={sheet} /> {message}
      </td>
    </tr>
  );
}
