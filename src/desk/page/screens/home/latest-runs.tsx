import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { DeskRun } from '../../../contract/documents.ts';
import { say, whenText } from '../../language.ts';
import { EmptyState } from '../../pieces/box.tsx';
import { Outcomes } from '../../pieces/status-pill.tsx';
import { hrefOf } from '../../router.ts';

const TITLE = t('Latest runs', 'Laatste runs');
const ALL = t('All runs', 'Alle runs');
const FILE = t('File', 'Bestand');
const WHEN = t('When', 'Wanneer');
const WHAT = t('Rows', 'Rijen');
const NONE = t('No runs yet', 'Nog geen runs');
const NONE_WHAT = t(
  'What you send appears here, with the outcome of every row.',
  'Wat je verstuurt, komt hier te staan, met de uitkomst van elke rij.',
);
const SENDING = t('being sent', 'wordt verstuurd');
const WAITS = t('waits for a worker', 'wacht op een worker');
const HALF = t('stopped half-way', 'halverwege gestopt');
const BACK = t('taken back', 'teruggedraaid');

/** The newest runs, with what became of their rows. */
export function LatestRuns({ runs }: { readonly runs: readonly DeskRun[] }): JSX.Element {
  return (
    <section aria-labelledby="latest">
      <div class="section-head">
        <h2 id="latest">{say(TITLE)}</h2>
        {runs.length > 0 && <a href={hrefOf({ page: 'runs' })}>{say(ALL)}</a>}
      </div>
      {runs.length === 0 ? (
        <EmptyState title={say(NONE)}>
          <p>{say(NONE_WHAT)}</p>
        </EmptyState>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{say(FILE)}</th>
              <th scope="col">{say(WHEN)}</th>
              <th scope="col">{say(WHAT)}</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunLine key={run.run} run={run} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Whether a run is sent now, or soon: here, by another program or by workers. */
export const isBeingSent = ({ busy, job, state, workers }: DeskRun): boolean =>
  workers !== null || job?.kind === 'send' || job?.kind === 'settle' || (busy && state === 'applying');

function RunLine({ run }: { readonly run: DeskRun }): JSX.Element {
  const { file, startedAt, state, shown, takenBack } = run;
  const isSending = isBeingSent(run);
  const word =
    run.workers === 'waiting'
      ? WAITS
      : isSending
        ? SENDING
        : state === 'interrupted'
          ? HALF
          : takenBack !== null && BACK;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ page: 'run', run: run.run })}>{file}</a>
      </th>
      <td class="dim figures">{whenText(startedAt)}</td>
      <td>
        <div class="pills">
          {word !== false && <span class="pill">{say(word)}</span>}
          {/* What is told of it while it is sent, is old the next moment: its card leads to it. */}
          {shown !== null && !isSending && <Outcomes counts={shown} would={false} />}
        </div>
      </td>
    </tr>
  );
}
