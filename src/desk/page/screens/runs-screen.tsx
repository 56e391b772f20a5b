import { type Bilingual, t } from '../../../core/language.ts';
import type { Run } from '../../contract/answers.ts';
import { figure, said, say, whenText } from '../language.ts';
import { useLoaded } from '../loaded.ts';
import { ButtonLink } from '../pieces/button.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { Table } from '../pieces/lists.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { hrefOf, route } from '../router.ts';

const HEADS = [
  t('File', 'Bestand'),
  t('When', 'Wanneer'),
  t('Service', 'Systeem'),
  t('Rows', 'Rijen'),
] as const;
/** Said of what is for another service than the one in use. */
export const ELSEWHERE = t(
  'This is for another service than the one in use: you can look at it, not send it. Choose that service under Service.',
  'Dit is voor een ander systeem dan het systeem dat in gebruik is: je kunt het bekijken, niet versturen. Kies dat systeem onder Systeem.',
);

/** Runs on a page of the list. */
const LIMIT = 50;

/** Every run of which something was sent, of the page and of the command line, the newest first. */
export function RunsScreen() {
  const offset = Math.max(0, Math.floor(Number(route.value.query?.from) || 0));
  const { data, error, reload } = useLoaded('listRuns', { offset, limit: LIMIT });
  const to = (from: number) => ({ page: 'runs', query: from > 0 ? { from: String(from) } : {} }) as const;
  const end = offset + (data?.runs.length ?? 0);
  const all = data?.total ?? 0;
  return (
    <>
      <ScreenTitle title={say('Runs', 'Wat verstuurd is')} />
      <ErrorBox error={error} onRetry={reload} />
      {data !== null && <RunsTable runs={data.runs} />}
      {all > LIMIT && (
        <p class="row">
          {say(
            `${figure(offset + 1)} to ${figure(end)} of ${figure(all)}`,
            `${figure(offset + 1)} tot en met ${figure(end)} van ${figure(all)}`,
          )}
          {offset > 0 && <ButtonLink to={to(offset - LIMIT)}>{say('Newer', 'Nieuwer')}</ButtonLink>}
          {end < all && <ButtonLink to={to(end)}>{say('Older', 'Ouder')}</ButtonLink>}
        </p>
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
    <Table class="runs-list" heads={HEADS}>
      {runs.map((run) => (
        <tr key={run.run}>
          <th scope="row">
            <a href={hrefOf({ page: 'run', run: run.run })}>{run.file}</a>
          </th>
          <td class="dim figures">{whenText(run.startedAt)}</td>
          <td class="dim">{serviceText(run.service)}</td>
          <td>
            <span class="row">
              <StatePills run={run} />
              {/* While it is sent they are old the next moment. */}
              {run.shown !== null && run.job === null && run.state !== 'planned' && (
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

const HALF = t('stopped half-way', 'halverwege gestopt');

/** What a run is at where it did not simply end, and whether it was taken back. */
export function StatePills({ run }: { readonly run: Run }) {
  const { state, takenBack, finishedBy, workers, prunedAt, job } = run;
  const isSending = state === 'applying' || job !== null;
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
