import type { JSX } from 'preact';
import type { Counts } from '../../../core/counts.ts';
import { t } from '../../../core/language.ts';
import type { DeskRun, DraftDocument, PlanDocument } from '../../contract/documents.ts';
import { addressOf } from '../../contract/paths.ts';
import { call } from '../call.ts';
import { say, sayCount, whenText } from '../language.ts';
import { useLoaded } from '../loaded.ts';
import { Box } from '../pieces/box.tsx';
import { ButtonLink, DownloadLink } from '../pieces/button.tsx';
import { Elsewhere, RUN_ELSEWHERE } from '../pieces/elsewhere.tsx';
import { ErrorBox } from '../pieces/error-box.tsx';
import { Icon } from '../pieces/icon.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { OutcomeLinks } from '../pieces/status-pill.tsx';
import { hrefOf } from '../router.ts';
import { FetchedInvoices } from './done/fetched-invoices.tsx';
import { TakeBack } from './done/take-back.tsx';
import { WorkLeft } from './done/work-left.tsx';
import type { StepProps } from './draft-screen.tsx';
import { LeftByUndo } from './send/left-by-undo.tsx';
import { WarnedRows } from './send/warned-rows.tsx';

const ALL_WELL = t('All rows are done', 'Alle rijen zijn klaar');
const SOME_LEFT = t('Taken back, but for some rows', 'Teruggedraaid, op enkele rijen na');
const WORK = t('Sent, and some rows need you', 'Verstuurd, en sommige rijen vragen je aandacht');
const NOT_YET = t('Not sent to the end', 'Niet tot het einde verstuurd');
const TO_SEND = t('To sending', 'Naar het versturen');
const WHEN = t('Planned at {when}', 'Gepland om {when}');

/** Rows that are still to be done, by what became of them. */
const workIn = ({ invalid, conflict, failed, notSent }: Counts): number =>
  invalid + conflict + failed + notSent;

/** What became of a file: the counts, the workbook that comes back, and what can be done next. */
export function DoneScreen({ draft }: StepProps): JSX.Element {
  const run = draft.run ?? '';
  const { data, error, reload } = useLoaded(
    `run ${run}`,
    (signal) => call('run', { params: { run }, signal }),
    [['runs', run], ['drafts']],
  );
  if (data === null)
    return error === null ? <div class="skeleton tall" /> : <ErrorBox error={error} onRetry={reload} />;
  if (data.run.state !== 'done') return <NotDone draft={draft} />;
  return <Outcome draft={draft} run={data.run} plan={data.plan} />;
}

function NotDone({ draft }: { readonly draft: DraftDocument }): JSX.Element {
  return (
    <>
      <ScreenTitle title={say(NOT_YET)} />
      <ButtonLink look="primary" to={{ page: 'draft', draft: draft.id, step: 'send' }}>
        {say(TO_SEND)}
      </ButtonLink>
    </>
  );
}

interface OutcomeProps {
  readonly draft: DraftDocument;
  readonly run: DeskRun;
  readonly plan: PlanDocument | null;
}

function Outcome({ draft, run, plan }: OutcomeProps): JSX.Element {
  const { counts } = run;
  const work = counts === null ? 0 : workIn(counts);
  const unknown = counts?.unknown ?? 0;
  return (
    <div class="done">
      <ScreenTitle title={say(work + unknown > 0 ? WORK : plan?.left == null ? ALL_WELL : SOME_LEFT)} />
      {run.shown !== null && (
        <div class="pills big">
          <OutcomeLinks counts={run.shown} run={run.run} />
        </div>
      )}
      <p class="dim">{say(WHEN, { when: whenText(run.startedAt) })}</p>
      {unknown > 0 && <Unknown run={run.run} count={unknown} />}
      {!run.here && <Elsewhere what={RUN_ELSEWHERE} />}
      {draft.use === 'invoices' && <FetchedInvoices draft={draft.id} />}
      {plan !== null && <LeftByUndo plan={plan} />}
      {plan !== null && (
        <WarnedRows plan={plan} look={{ page: 'run', run: run.run, query: { warned: '1' } }} />
      )}
      {work > 0 && run.here && <WorkLeft draft={draft.id} work={work} />}
      {run.result && (
        <Downloads run={run.run} hasWork={work + unknown > 0} isFirst={draft.use !== 'invoices'} />
      )}
      {counts !== null && run.here && draft.use === 'import' && <TakeBack run={run} counts={counts} />}
    </div>
  );
}

const ONE_UNKNOWN = t(
  '1 row was sent and no answer tells whether it arrived',
  '1 rij is verstuurd en geen antwoord zegt of die is aangekomen',
);
const UNKNOWN = t(
  '{n} rows were sent and no answer tells whether they arrived',
  '{n} rijen zijn verstuurd en geen antwoord zegt of ze zijn aangekomen',
);
const UNKNOWN_WHAT = t(
  'They are never sent again by themselves, as that could double them. Look on the service whether they are there, and then say so.',
  'Ze gaan nooit vanzelf nog eens, want dat zou ze kunnen verdubbelen. Kijk in het systeem of ze er zijn, en zeg dat dan.',
);
const SETTLE = t('Say of each whether it arrived', 'Van elke rij zeggen of die is aangekomen');

function Unknown({ run, count }: { readonly run: string; readonly count: number }): JSX.Element {
  return (
    <Box tone="bad">
      <p>
        <strong>{sayCount(count, ONE_UNKNOWN, UNKNOWN)}</strong>. {say(UNKNOWN_WHAT)}
      </p>
      <p>
        <a href={hrefOf({ page: 'run', run, query: { status: 'unknown' } })}>{say(SETTLE)}</a>
      </p>
    </Box>
  );
}

const BACK = t('Your workbook, with the outcomes', 'Je werkmap, met de uitkomsten');
const BACK_WHAT = t(
  'Your own file, with what became of each row beside it and every correction in its cell.',
  'Je eigen bestand, met naast elke rij wat ervan geworden is en elke verbetering in zijn cel.',
);
const WHOLE = t('Download the workbook', 'De werkmap downloaden');
const PROBLEMS = t('Only the rows with problems', 'Alleen de rijen met problemen');
const REPORT = t('Open the report', 'Het verslag openen');
const NEW_TAB = t('(in a new tab)', '(in een nieuw tabblad)');

interface DownloadsProps {
  readonly run: string;
  readonly hasWork: boolean;
  /** It is what people come for. */
  readonly isFirst: boolean;
}

function Downloads({ run, hasWork, isFirst }: DownloadsProps): JSX.Element {
  const params = { run };
  return (
    <section class="tile" aria-labelledby="result">
      <h2 id="result">{say(BACK)}</h2>
      <p class="dim">{say(BACK_WHAT)}</p>
      <div class="actions">
        <DownloadLink
          look={hasWork || !isFirst ? undefined : 'primary'}
          href={addressOf('result', { params })[1]}
        >
          {say(WHOLE)}
        </DownloadLink>
        {hasWork && (
          <DownloadLink href={addressOf('result', { params, query: { problems: '1' } })[1]}>
            {say(PROBLEMS)}
          </DownloadLink>
        )}
        <a class="button" href={addressOf('report', { params })[1]} target="_blank" rel="noopener">
          <Icon name="file" />
          <span>
            {say(REPORT)} <span class="unseen">{say(NEW_TAB)}</span>
          </span>
        </a>
      </div>
    </section>
  );
}
