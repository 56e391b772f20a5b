import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { aboutText } from '../../../../core/codecs/moment.ts';
import { t } from '../../../../core/language.ts';
import type { DraftDocument, JobDocument, PlanDocument } from '../../../contract/documents.ts';
import { beginPlan, type PlanWishes } from '../../begin.ts';
import { call } from '../../call.ts';
import { earlierCounts, keepEarlier } from '../../earlier-plan.ts';
import { figure, language, say, sayCount } from '../../language.ts';
import { isActive, jobs, keepJob } from '../../live.ts';
import { asCallError, useLoaded } from '../../loaded.ts';
import { Box } from '../../pieces/box.tsx';
import { Button, ButtonLink } from '../../pieces/button.tsx';
import { Elsewhere, PLAN_ELSEWHERE } from '../../pieces/elsewhere.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { JobView } from '../../pieces/job-view.tsx';
import { hostOf, ServiceBadge } from '../../pieces/service-badge.tsx';
import { byWorkers, WhoDoesIt } from '../../pieces/who-does-it.tsx';
import { goTo } from '../../router.ts';
import { AgreeToDelete, DeletingLeftOut } from './agree-to-delete.tsx';
import { FinishPlan } from './finish-plan.tsx';
import { LeftByUndo } from './left-by-undo.tsx';
import { NotSent } from './not-sent.tsx';
import { PlanChanges } from './plan-changes.tsx';
import { PlanFiles } from './plan-files.tsx';
import { SendTable } from './send-table.tsx';
import { WarnedRows } from './warned-rows.tsx';

const NO_PLAN = t('This file has no plan yet.', 'Voor dit bestand is er nog geen plan.');
const MAKE = t('Make the plan', 'Plan maken');
const ANEW = t('Make the plan anew', 'Plan opnieuw maken');
const NOTHING = t(
  'Nothing would be sent: no row creates, updates or deletes anything.',
  'Er zou niets worden verstuurd: geen enkele rij maakt, wijzigt of verwijdert iets.',
);
const BACK = t('Look at the rows', 'De rijen bekijken');
const TO = t('To', 'Naar');
const REQUESTS = t('Requests', 'Verzoeken');
const TAKES = t('Takes', 'Duurt');
const REAL = t(
  'This changes the real service at {host}. You can take it back afterwards, row by row as far as the service allows.',
  'Dit wijzigt het echte systeem op {host}. Je kunt het daarna terugdraaien, per rij en voor zover het systeem dat toelaat.',
);
const TRYING = t(
  'The sandbox is for trying: no one else sees it.',
  'De sandbox is om te proberen: niemand anders ziet het.',
);
const ONE_SEND = t('Send 1 row', '1 rij versturen');
const SEND = t('Send {n} rows', '{n} rijen versturen');
const ONE_OVER = t('Hand 1 row over to workers', '1 rij aan workers overgeven');
const OVER = t('Hand {n} rows over to workers', '{n} rijen aan workers overgeven');
const TO_REAL = t('{send} to {host}', '{send} naar {host}');

interface ReviewProps {
  readonly draft: DraftDocument;
  readonly reload: () => void;
}

/** A plan that is to be sent; where there is none, the way to one. */
export function ReviewPlan(props: ReviewProps): JSX.Element {
  const begun = useRef(false);
  const planning = planJobOf(props.draft);
  if (planning !== undefined) return <JobView job={planning} />;
  return props.draft.run === null ? <NoPlan {...props} /> : <MadePlan {...props} begun={begun} />;
}

function NoPlan({ draft, reload }: ReviewProps): JSX.Element {
  const wrong = useSignal<Wrong | null>(null);
  const make = async (): Promise<void> => {
    wrong.value = null;
    await beginPlan(draft.id).catch((failed: unknown) => {
      wrong.value = asCallError(failed);
    });
    reload();
  };
  const failed = draft.job?.kind === 'plan' && draft.job.stop !== null ? draft.job.stop : wrong.value;
  return (
    <>
      {failed === null ? <Box tone="warn">{say(NO_PLAN)}</Box> : <ErrorBox error={failed} />}
      <Button look="primary" onClick={() => void make()}>
        {say(MAKE)}
      </Button>
    </>
  );
}

interface MadeProps extends ReviewProps {
  /** It was made anew here already: what fails is not tried again by itself. */
  readonly begun: { current: boolean };
}

/** A plan that is there: made anew first where something was corrected since. */
function MadePlan({ draft, reload, begun }: MadeProps): JSX.Element {
  const params = { draft: draft.id };
  const {
    data: plan,
    error,
    reload: again,
  } = useLoaded(`plan ${draft.id} ${draft.run}`, (signal) => call('plan', { params, signal }), [
    ['drafts', draft.id],
  ]);
  const wrong = useSignal<Wrong | null>(null);
  const planAgain = async (wishes?: PlanWishes): Promise<void> => {
    wrong.value = null;
    keepEarlier(draft.id, plan);
    await beginPlan(draft.id, wishes).catch((failed: unknown) => {
      wrong.value = asCallError(failed);
    });
    reload();
  };
  const isStale = plan?.stale === true && plan.here;
  useEffect(() => {
    if (!isStale || begun.current) return;
    begun.current = true;
    void planAgain();
  }, [isStale]);

  const failed = draft.job?.kind === 'plan' && draft.job.stop !== null ? draft.job.stop : wrong.value;
  if (failed !== null)
    return (
      <>
        <ErrorBox error={failed} />
        <Button look="primary" onClick={() => void planAgain()}>
          {say(MAKE)}
        </Button>
      </>
    );
  if (error !== null) return <ErrorBox error={error} onRetry={again} />;
  if (plan?.here === false)
    return (
      <Elsewhere what={PLAN_ELSEWHERE}>
        {draft.origin !== 'undo' && <Button onClick={() => void planAgain()}>{say(ANEW)}</Button>}
      </Elsewhere>
    );
  if (plan === null || plan.stale) return <div class="skeleton tall" />;
  return <PlanReview draft={draft} plan={plan} onPlan={(allowDelete) => void planAgain({ allowDelete })} />;
}

function planJobOf({ id }: DraftDocument): JobDocument | undefined {
  return [...jobs.value.values()].find((job) => job.draft === id && job.kind === 'plan' && isActive(job));
}

interface PlanProps {
  readonly draft: DraftDocument;
  readonly plan: PlanDocument;
  readonly onPlan: (allowDelete: boolean) => void;
}

function PlanReview({ draft, plan, onPlan }: PlanProps): JSX.Element {
  const agreed = useSignal(false);
  const agreedToWarnings = useSignal(false);
  const { counts, deletes, service, warned } = plan;
  const rows = counts.created + counts.updated + counts.deleted;
  const earlier = earlierCounts(draft.id, plan);
  return (
    <div class="review">
      {earlier !== null && <PlanChanges before={earlier} now={counts} sheets={plan.sheets} />}
      {rows === 0 ? <Box>{say(NOTHING)}</Box> : <SendTable plan={plan} />}
      {rows > 0 && (
        <dl class="facts">
          <div>
            <dt>{say(TO)}</dt>
            <dd>
              <ServiceBadge service={service} />
            </dd>
          </div>
          <div>
            <dt>{say(REQUESTS)}</dt>
            <dd class="figures">{figure(plan.requests)}</dd>
          </div>
          {plan.estimateMs !== null && (
            <div>
              <dt>{say(TAKES)}</dt>
              <dd>{aboutText(plan.estimateMs)[language.value]}</dd>
            </div>
          )}
        </dl>
      )}
      <LeftByUndo plan={plan} />
      <NotSent draft={draft.id} counts={counts} />
      {!draft.allowDelete && <DeletingLeftOut onWith={() => onPlan(true)} />}
      <WarnedRows
        plan={plan}
        look={{ page: 'draft', draft: draft.id, step: 'plan', query: { warned: '1' } }}
        agree={agreedToWarnings}
      />
      {deletes > 0 && (
        <AgreeToDelete
          deletes={deletes}
          look={{ page: 'draft', draft: draft.id, step: 'plan', query: { status: 'delete' } }}
          agreed={agreed.value}
          onAgree={(on) => {
            agreed.value = on;
          }}
          onWithout={rows > deletes ? () => onPlan(false) : undefined}
        />
      )}
      <SendPlan
        draft={draft.id}
        plan={plan}
        rows={rows}
        canSend={(deletes === 0 || agreed.value) && (warned.sends === 0 || agreedToWarnings.value)}
      />
    </div>
  );
}

interface SendProps {
  readonly draft: string;
  readonly plan: PlanDocument;
  readonly rows: number;
  readonly canSend: boolean;
}

/** The button that sends: for what counts it looks otherwise than for trying, and says where to. */
function SendPlan({ draft, plan, rows, canSend }: SendProps): JSX.Element {
  const busy = useSignal(false);
  const wrong = useSignal<Wrong | null>(null);
  const { kind, address } = plan.service;
  const host = hostOf(address ?? '');
  const workers = plan.workers && rows > 0 && byWorkers();
  const send = async (): Promise<void> => {
    busy.value = true;
    wrong.value = null;
    try {
      const body = { run: plan.run, deletes: plan.deletes, workers };
      keepJob((await call('send', { params: { draft }, body })).job);
      keepEarlier(draft, null);
      goTo({ page: 'draft', draft, step: 'send' }, true);
    } catch (error) {
      wrong.value = asCallError(error);
    }
    busy.value = false;
  };
  const word = workers ? sayCount(rows, ONE_OVER, OVER) : sayCount(rows, ONE_SEND, SEND);
  return (
    <>
      {rows > 0 && (
        <p class={kind === 'real' ? 'send-what real-text' : 'send-what dim'} id="send-what">
          {kind === 'real' ? say(REAL, { host }) : say(TRYING)}
        </p>
      )}
      {plan.workers && rows > 0 && <WhoDoesIt />}
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
      <div class="send-end actions">
        {rows === 0 && <FinishPlan draft={draft} plan={plan} />}
        {rows > 0 && (
          <Button
            look={kind === 'real' ? 'real' : 'primary'}
            icon="right"
            busy={busy.value}
            disabled={!canSend}
            describedBy="send-what"
            onClick={() => void send()}
          >
            {kind === 'real' && !workers ? say(TO_REAL, { send: word, host }) : word}
          </Button>
        )}
        <ButtonLink to={{ page: 'draft', draft, step: 'plan' }}>{say(BACK)}</ButtonLink>
      </div>
      {rows > 0 && <PlanFiles run={plan.run} />}
    </>
  );
}
