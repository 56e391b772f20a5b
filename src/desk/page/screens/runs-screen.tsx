import type { JSX } from 'preact';
import { type Bilingual, t } from '../../../core/language.ts';
import type { DeskRun } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { say, whenText } from '../language.ts';
import { activeJobs } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { EmptyState } from '../pieces/box.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { hrefOf } from '../router.ts';

const TITLE = t('Runs', 'Runs');
const FILE = t('File', 'Bestand');
const WHEN = t('When', 'Wanneer');
const SERVICE = t('Service', 'Systeem');
const STATE = t('State', 'Stand');
const ROWS = t('Rows', 'Rijen');
const NONE = t('No runs yet', 'Nog geen runs');
const NONE_WHAT = t(
  'What you send appears here, with the outcome of every row and of every request.',
  'Wat je verstuurt, komt hier te staan, met de uitkomst van elke rij en elk verzoek.',
);
const SANDBOX = t('sandbox', 'sandbox');
const RUN = t('Run {run}', 'Run {run}');

/** What a run is at, in words. */
const STATES: Readonly<Record<DeskRun['state'], Bilingual>> = {
  planning: t('being planned', 'wordt gepland'),
  planned: t('planned, not sent', 'gepland, niet verstuurd'),
  applying: t('being sent', 'wordt verstuurd'),
  done: t('done', 'klaar'),
  interrupted: t('stopped half-way', 'halverwege gestopt'),
};
const BACK = t('taken back', 'teruggedraaid');
const FINISHED_BY = t('finished by {run}', 'afgemaakt door {run}');

/** Every run, of the page and of the command line, the newest first. */
export function RunsScreen(): JSX.Element {
  const loaded = useLoaded(
    `runs ${activeJobs.value.length}`,
    async (signal) => (await call('listRuns', { signal })).runs,
    [['runs'], ['drafts']],
  );
  const { data: runs, error, reload } = loaded;
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {runs === null && error === null && <div class="skeleton tall" />}
      {runs?.length === 0 && (
        <EmptyState title={say(NONE)}>
          <p>{say(NONE_WHAT)}</p>
        </EmptyState>
      )}
      {runs !== null && runs.length > 0 && <RunsTable runs={runs} />}
    </>
  );
}

function RunsTable({ runs }: { readonly runs: readonly DeskRun[] }): JSX.Element {
  return (
    <table class="list runs-list">
      <thead>
        <tr>
          {[FILE, WHEN, SERVICE, STATE, ROWS].map((word) => (
            <th key={word.en} scope="col">
              {say(word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.run}>
            <th scope="row">
              <a href={hrefOf({ page: 'run', run: run.run })}>{run.file}</a>
              <small class="dim">{say(RUN, { run: run.run })}</small>
            </th>
            <td class="dim figures">{whenText(run.startedAt)}</td>
            <td class="dim">{serviceText(run)}</td>
            <td>
              <StatePills run={run} />
            </td>
            <td>
              <div class="pills">
                {run.shown !== null && <Outcomes counts={run.shown} would={isUnsent(run)} />}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether nothing of a run was sent: its counts are of what would be. */
export const isUnsent = ({ state }: DeskRun): boolean => state === 'planned' || state === 'planning';

/** The service of a run, as people know it. */
export const serviceText = ({ service }: DeskRun): string => (service === 'sandbox' ? say(SANDBOX) : service);

/** What a run is at, and whether it was taken back. */
export function StatePills({ run }: { readonly run: DeskRun }): JSX.Element {
  const { state, takenBack, finishedBy } = run;
  const tone = state === 'interrupted' ? 'warn' : state === 'done' ? 'good' : 'plain';
  return (
    <span class="pills">
      <span class={`pill ${tone}`}>{say(STATES[state])}</span>
      {takenBack !== null && <span class="pill">{say(BACK)}</span>}
      {finishedBy !== null && <span class="pill">{say(FINISHED_BY, { run: finishedBy })}</span>}
    </span>
  );
}
