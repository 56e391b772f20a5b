import type { JSX } from 'preact';
import { type Bilingual, t } from '../../../core/language.ts';
import type { DeskRun } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { figure, say, whenText } from '../language.ts';
import { useLoaded } from '../loaded.ts';
import { EmptyState } from '../pieces/box.tsx';
import { ButtonLink } from '../pieces/button.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { Outcomes } from '../pieces/status-pill.tsx';
import { hrefOf, type Place, route } from '../router.ts';

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
const THEIRS = {
  waiting: t('waits for a worker', 'wacht op een worker'),
  working: t('workers send it', 'workers versturen hem'),
  again: t('workers try again soon', 'workers proberen het zo weer'),
} as const;
const BACK = t('taken back', 'teruggedraaid');
const REPLACED = t('replaced by a newer plan', 'vervangen door een nieuwer plan');
const CORRECTED = t('corrected since', 'sindsdien verbeterd');
const FINISHED_BY = t('finished by {run}', 'afgemaakt door {run}');
const PRUNED = t('rows removed', 'rijen opgeruimd');

const SENT = t('Sent ({n})', 'Verstuurd ({n})');
const PLANS = t('Plans that were not sent ({n})', 'Plannen die niet verstuurd zijn ({n})');
const LISTS = t('Which runs', 'Welke runs');
const NO_PLANS = t('No plans', 'Geen plannen');
const NO_PLANS_WHAT = t(
  'A plan of which nothing was sent appears here.',
  'Een plan waarvan niets verstuurd is, komt hier te staan.',
);
const PAGES = t('Older and newer runs', 'Oudere en nieuwere runs');
const PART = t('{from} to {to} of {n}', '{from} tot en met {to} van {n}');
const NEWER = t('Newer', 'Nieuwer');
const OLDER = t('Older', 'Ouder');

/** Runs on a page of the list. */
const LIMIT = 50;

/** Every run, of the page and of the command line, the newest first; plans that were not sent apart. */
export function RunsScreen(): JSX.Element {
  const { query } = route.value;
  const what = query.what === 'plans' ? 'plans' : 'sent';
  const offset = Math.max(0, Math.floor(Number(query.from) || 0));
  const loaded = useLoaded(
    `runs ${what} ${offset}`,
    (signal) => call('listRuns', { query: { what, offset, limit: LIMIT }, signal }),
    [['runs'], ['drafts']],
  );
  const { data, error, reload } = loaded;
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {data === null && error === null && <div class="skeleton tall" />}
      {data !== null && <Lists what={what} total={data.total} />}
      {data?.runs.length === 0 && (
        <EmptyState title={say(what === 'sent' ? NONE : NO_PLANS)}>
          <p>{say(what === 'sent' ? NONE_WHAT : NO_PLANS_WHAT)}</p>
        </EmptyState>
      )}
      {data !== null && data.runs.length > 0 && <RunsTable runs={data.runs} />}
      {data !== null && <Pages what={what} offset={offset} shown={data.runs.length} all={data.total[what]} />}
    </>
  );
}

type What = 'sent' | 'plans';

interface ListsProps {
  readonly what: What;
  readonly total: Readonly<Record<What, number>>;
}

/** The ways to what was sent and to plans; no choice where nobody has plans. */
function Lists({ what, total }: ListsProps): JSX.Element | null {
  if (total.plans === 0 && what === 'sent') return null;
  return (
    <nav class="actions" aria-label={say(LISTS)}>
      {[['sent', SENT] as const, ['plans', PLANS] as const].map(([one, word]) => (
        <a
          key={one}
          class={`button small ${one === what ? '' : 'plain'}`}
          aria-current={one === what ? 'page' : undefined}
          href={hrefOf({ page: 'runs', query: one === 'sent' ? {} : { what: one } })}
        >
          {say(word, { n: figure(total[one]) })}
        </a>
      ))}
    </nav>
  );
}

interface PagesProps {
  readonly what: What;
  readonly offset: number;
  readonly shown: number;
  readonly all: number;
}

/** The ways to older and newer runs, where not all are in sight. */
function Pages({ what, offset, shown, all }: PagesProps): JSX.Element | null {
  if (offset === 0 && shown === all) return null;
  const to = (from: number): Place => ({
    page: 'runs',
    query: { ...(what === 'sent' ? {} : { what }), ...(from > 0 ? { from: String(from) } : {}) },
  });
  return (
    <nav class="actions" aria-label={say(PAGES)}>
      <span class="dim figures">
        {say(PART, { from: figure(Math.min(offset + 1, all)), to: figure(offset + shown), n: figure(all) })}
      </span>
      {offset > 0 && <ButtonLink to={to(Math.max(0, offset - LIMIT))}>{say(NEWER)}</ButtonLink>}
      {offset + shown < all && <ButtonLink to={to(offset + LIMIT)}>{say(OLDER)}</ButtonLink>}
    </nav>
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
  const { state, takenBack, finishedBy, replacedBy, stale, workers, prunedAt } = run;
  const tone = state === 'interrupted' ? 'warn' : state === 'done' ? 'good' : 'plain';
  return (
    <span class="pills">
      {(workers === null || state !== 'interrupted') && (
        <span class={`pill ${tone}`}>{say(STATES[state])}</span>
      )}
      {workers !== null && <span class="pill">{say(THEIRS[workers])}</span>}
      {replacedBy !== null && <span class="pill warn">{say(REPLACED)}</span>}
      {stale && <span class="pill warn">{say(CORRECTED)}</span>}
      {takenBack !== null && <span class="pill">{say(BACK)}</span>}
      {finishedBy !== null && <span class="pill">{say(FINISHED_BY, { run: finishedBy })}</span>}
      {prunedAt !== null && <span class="pill">{say(PRUNED)}</span>}
    </span>
  );
}
