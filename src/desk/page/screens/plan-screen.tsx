import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { aboutText } from '../../../core/codecs/moment.ts';
import { t } from '../../../core/language.ts';
import type { DraftDocument, PlanDocument } from '../../contract/documents.ts';
import { beginPlan } from '../begin.ts';
import { call } from '../call.ts';
import { earlierCounts, keepEarlier } from '../earlier-plan.ts';
import { figure, language, say, sayCount } from '../language.ts';
import { isActive, jobs, whenEnded } from '../live.ts';
import { useLoaded } from '../loaded.ts';
import { Box } from '../pieces/box.tsx';
import { Button, ButtonLink } from '../pieces/button.tsx';
import { Elsewhere, PLAN_ELSEWHERE } from '../pieces/elsewhere.tsx';
import { ErrorBox, type Wrong } from '../pieces/error-box.tsx';
import { JobView } from '../pieces/job-view.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { goTo, hrefOf } from '../router.ts';
import { useRunNews } from '../run-news.ts';
import type { RowPlace } from '../table/row-source.ts';
import { RowsView } from '../table/rows-view.tsx';
import type { Corrector } from '../table/use-correcting.ts';
import { wrongOf } from '../wrong.ts';
import { DocumentsPart } from './beside/documents-part.tsx';
import type { StepProps } from './draft-screen.tsx';
import { FinishPlan } from './send/finish-plan.tsx';
import { LeftByUndo } from './send/left-by-undo.tsx';
import { PlanChanges } from './send/plan-changes.tsx';
import { UnnamedRows } from './send/unnamed-rows.tsx';

const TITLE = t('What would change', 'Wat er zou veranderen');
const TABLE = t('Rows of {file}', 'Rijen van {file}');
const SEND = t('On to sending', 'Verder naar versturen');
const AGAIN = t('Check all again', 'Alles opnieuw nakijken');
const AGAIN_ON = t('Check all again and go on', 'Alles opnieuw nakijken en verder');
const ANEW = t('Make the plan anew', 'Plan opnieuw maken');
const NOTHING = t('Nothing would be sent.', 'Er zou niets worden verstuurd.');
const ONE_REQUEST = t('1 request', '1 verzoek');
const REQUESTS = t('{n} requests', '{n} verzoeken');
const ABOUT = t('{about}', '{about}');
const CORRECTED = t('1 correction', '1 verbetering');
const CORRECTIONS = t('{n} corrections', '{n} verbeteringen');
const ONE_LEFT_OUT = t('1 sheet is not imported: {sheets}.', '1 werkblad wordt niet geïmporteerd: {sheets}.');
const LEFT_OUT = t(
  '{n} sheets are not imported: {sheets}.',
  '{n} werkbladen worden niet geïmporteerd: {sheets}.',
);
const SAY_WHAT = t('Say what it holds', 'Zeg wat erop staat');
const NOTES = t('How the file was read ({n})', 'Hoe het bestand gelezen is ({n})');

/** The plan of a file: every row with what would become of it, to be looked through and corrected. */
export function PlanScreen(props: StepProps): JSX.Element {
  const { draft } = props;
  const known = draft.job === null ? undefined : (jobs.value.get(draft.job.id) ?? draft.job);
  const job = known?.kind === 'plan' ? known : undefined;
  if (job !== undefined && (isActive(job) || draft.run === null))
    return (
      <>
        <ScreenTitle title={say(TITLE)} />
        <JobView job={job} onRetry={() => void beginPlan(draft.id)} />
      </>
    );
  return <PlanTable {...props} stopped={job?.stop ?? null} />;
}

interface TableProps extends StepProps {
  /** What stopped the making of a plan anew. */
  readonly stopped: Wrong | null;
}

function PlanTable({ draft, reload, stopped }: TableProps): JSX.Element {
  const params = { draft: draft.id };
  const plan = useLoaded(`${draft.id} ${draft.run}`, (signal) => call('plan', { params, signal }), [
    ['drafts', draft.id],
  ]);
  const shown = plan.data;
  const news = useRunNews(draft.run);
  const isOpen = draft.stage !== 'sent';
  return (
    <div class="table-screen">
      <ScreenTitle title={say(TITLE)} stays>
        <PlanEnd draft={draft} plan={shown} />
      </ScreenTitle>
      {plan.error !== null && <ErrorBox error={plan.error} onRetry={plan.reload} />}
      {stopped !== null && shown?.stale === true && <ErrorBox error={stopped} />}
      {shown?.stale === false && <Changes draft={draft.id} plan={shown} />}
      {shown?.here === false && !shown.sent && <Elsewhere what={PLAN_ELSEWHERE} />}
      {shown !== null && shown.leftOut.length > 0 && <LeftOut draft={draft} sheets={shown.leftOut} />}
      {shown?.here === true && isOpen && <UnnamedRows draft={draft} plan={shown} />}
      {shown !== null && <LeftByUndo plan={shown} folded />}
      {shown !== null && <Notes plan={shown} />}
      {draft.use === 'documents' && isOpen && <DocumentsPart draft={draft} isFolded />}
      <RowsView
        key={draft.run}
        name={`${draft.id} ${draft.run}`}
        label={say(TABLE, { file: draft.file.name })}
        ask={(body) => call('planRows', { params, body })}
        askRow={({ sheet, row }: RowPlace) => call('planRow', { params, query: { sheet, row } })}
        waits={shown === null && plan.error === null}
        would={shown?.sent !== true}
        sheets={shown?.sheets ?? []}
        groups={shown?.groups ?? []}
        warned={warnedIn(shown)}
        corrections={draft.corrections + draft.decisions}
        corrector={isOpen && shown?.here === true ? correctorOf(draft.id) : undefined}
        news={news}
        onChanged={() => {
          plan.reload();
          reload();
        }}
      />
    </div>
  );
}

/** What the plan counts otherwise than the one before it, where it was made anew. */
function Changes({ draft, plan }: { readonly draft: string; readonly plan: PlanDocument }) {
  const earlier = earlierCounts(draft, plan);
  return earlier === null ? null : <PlanChanges before={earlier} now={plan.counts} sheets={plan.sheets} />;
}

/** Rows with a warning, as far as they were counted. */
function warnedIn(plan: PlanDocument | null): number | null {
  if (plan?.stale !== true) return plan?.warned.rows ?? 0;
  return plan.groups.some(({ severity }) => severity === 'warning') ? null : 0;
}

const correctorOf = (draft: string): Corrector => ({
  correct: (body) => call('correct', { params: { draft }, body }),
  correctSame: (body) => call('correctSame', { params: { draft }, body }),
  decideAll: (body) => call('decideAll', { params: { draft }, body }),
  suggest: (query, signal) => call('suggest', { params: { draft }, query, signal }),
});

interface EndProps {
  readonly draft: DraftDocument;
  readonly plan: PlanDocument | null;
}

/** What sending comes to, and the way there. */
function PlanEnd({ draft, plan }: EndProps): JSX.Element {
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const planAgain = async (andOn: boolean): Promise<void> => {
    setWrong(null);
    try {
      keepEarlier(draft.id, plan);
      await whenEnded(await beginPlan(draft.id));
      if (andOn) goTo({ page: 'draft', draft: draft.id, step: 'send' });
    } catch (error) {
      setWrong(wrongOf(error));
    }
  };
  const corrected = draft.corrections + draft.decisions;
  return (
    <div class="plan-end">
      {wrong !== null && <ErrorBox error={wrong} />}
      <span class="dim figures">
        {[
          plan === null ? '' : requestsText(plan),
          corrected === 0 ? '' : sayCount(corrected, CORRECTED, CORRECTIONS),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {plan?.here === false && !plan.sent ? (
        draft.origin !== 'undo' && <Button onClick={() => void planAgain(false)}>{say(ANEW)}</Button>
      ) : plan?.stale === true ? (
        <>
          <Button onClick={() => void planAgain(false)}>{say(AGAIN)}</Button>
          <Button look="primary" icon="right" onClick={() => void planAgain(true)}>
            {say(AGAIN_ON)}
          </Button>
        </>
      ) : (
        plan?.sent === false &&
        (plan.requests === 0 ? (
          <FinishPlan draft={draft.id} plan={plan} />
        ) : (
          <ButtonLink look="primary" icon="right" to={{ page: 'draft', draft: draft.id, step: 'send' }}>
            {say(SEND)}
          </ButtonLink>
        ))
      )}
    </div>
  );
}

function requestsText({ requests, estimateMs, stale }: PlanDocument): string {
  if (requests === 0 && !stale) return say(NOTHING);
  const time = estimateMs === null ? '' : say(ABOUT, { about: aboutText(estimateMs)[language.value] });
  return [sayCount(requests, ONE_REQUEST, REQUESTS), time].filter(Boolean).join(', ');
}

interface LeftOutProps {
  readonly draft: DraftDocument;
  readonly sheets: readonly string[];
}

/** Names the sheets of the file of which nothing is sent, so that none is missed in silence. */
function LeftOut({ draft, sheets }: LeftOutProps): JSX.Element {
  const many = sheets.length === 1 ? ONE_LEFT_OUT : LEFT_OUT;
  return (
    <Box>
      {say(many, { n: figure(sheets.length), sheets: sheets.join(', ') })}{' '}
      {draft.stage !== 'sent' && (
        <a href={hrefOf({ page: 'draft', draft: draft.id, step: 'read' })}>{say(SAY_WHAT)}</a>
      )}
    </Box>
  );
}

function Notes({ plan }: { readonly plan: PlanDocument }): JSX.Element | null {
  const notes = [
    ...plan.notes,
    ...plan.sheets.flatMap(({ sheet, notes: own }) => own.map((note) => `${sheet}: ${note}`)),
  ];
  if (notes.length === 0) return null;
  if (notes.length === 1) return <Box>{notes[0]}</Box>;
  return (
    <details class="notes-on">
      <summary>{say(NOTES, { n: figure(notes.length) })}</summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
