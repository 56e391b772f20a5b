import { type Bilingual, t } from '../../../core/language.ts';
import type { Job, Run } from '../../contract/answers.ts';
import { said, say, whenText } from '../language.ts';
import { isActive, latestJob, useLoaded } from '../live.ts';
import { ErrorBox } from '../pieces/controls.tsx';
import { ScreenTitle } from '../pieces/frame.tsx';
import { more, Table } from '../pieces/lists.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { hrefOf, route } from '../router.ts';

/** Runs that are shown first, and so many more each time. */
const STEP = 50;

/** Every run of which something was sent, of the page and of the command line, the newest first. */
export function RunsScreen() {
  const limit = Math.max(STEP, Math.floor(Number(route.value.query.show) || 0));
  const { data, error, reload } = useLoaded('listRuns', { limit });
  return (
    <>
      <ScreenTitle title={say('Runs', 'Wat verstuurd is')} />
      <ErrorBox error={error} onRetry={reload} />
      {data && <RunsTable runs={data.runs} />}
      {data && data.total > limit && (
        <a href={hrefOf('/runs', { show: String(limit + STEP) })}>
          {say('Older', 'Ouder')} ({more(data.total - limit)})
        </a>
      )}
      <p class="dim">
        {say(
          'Plans of the command line that were not sent are listed by catersheet runs, and sent by catersheet apply.',
          'Plannen van de opdrachtregel die niet verstuurd zijn, laat catersheet runs zien; catersheet apply verstuurt ze.',
        )}
      </p>
    </>
  );
}

/** Runs, with what became of their rows. */
export function RunsTable({ runs }: { readonly runs: readonly Run[] }) {
  if (runs.length === 0)
    return (
      <p class="dim">
        {say(
          'No runs yet. What you send appears here, with the outcome of every row.',
          'Nog niets verstuurd. Wat je verstuurt, komt hier te staan, met de uitkomst van elke rij.',
        )}
      </p>
    );
  return (
    <Table
      class="runs-list"
      heads={[
        say('File', 'Bestand'),
        say('When', 'Wanneer'),
        say('Service', 'Systeem'),
        say('Rows', 'Rijen'),
      ]}
    >
      {runs.map((run) => (
        <tr key={run.run}>
          <th scope="row">
            <a href={hrefOf(`/runs/${run.run}`)}>{run.file}</a>
          </th>
          <td class="dim">{whenText(run.startedAt)}</td>
          <td class="dim">{serviceText(run.service)}</td>
          <td>
            <span class="row">
              <StatePills run={run} />
              {/* While it is sent they are old the next moment. */}
              {run.shown !== null && run.state !== 'planned' && !isActive(sendingOf(run)) && (
                <Outcomes counts={run.shown} />
              )}
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The service of a run, as people know it. */
export const serviceText = (service: string): string =>
  service === 'sandbox' ? say('sandbox', 'proefomgeving') : service;

/** The job that sends a run now, or did last. */
export const sendingOf = ({ run }: Run): Job | undefined =>
  latestJob((one) => one.run === run && (one.kind === 'send' || one.kind === 'settle'));

const HALF = t('stopped half-way', 'halverwege gestopt');

/** What a run is at where it did not simply end, and whether it was taken back. */
export function StatePills({ run }: { readonly run: Run }) {
  const { state, takenBack, finishedBy, workers, prunedAt } = run;
  const isSending = state === 'applying' || isActive(sendingOf(run));
  const pills: readonly (readonly [boolean, Bilingual])[] = [
    [isSending, t('being sent', 'wordt verstuurd')],
    [workers !== undefined, t('workers have it', 'workers hebben hem')],
    [state === 'interrupted' && !isSending && workers === undefined, HALF],
    [takenBack !== undefined, t('taken back', 'teruggedraaid')],
    [finishedBy !== undefined, t('finished by {run}', 'afgemaakt door {run}')],
    [prunedAt !== null, t('rows removed', 'rijen opgeruimd')],
  ];
  return (
    <>
      {pills.map(
        ([isSo, word]) =>
          isSo && (
            <span key={word.en} class={word === HALF ? 'pill warn' : 'pill'}>
              {said(word, { run: finishedBy ?? '' })}
            </span>
          ),
      )}
    </>
  );
}
