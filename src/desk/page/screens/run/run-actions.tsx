import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { DeskRun, JobDocument, PlanDocument } from '../../../contract/documents.ts';
import { addressOf } from '../../../contract/paths.ts';
import { call } from '../../call.ts';
import { say } from '../../language.ts';
import { JobStopped, keepJob, whenEnded } from '../../live.ts';
import { Button, ButtonLink, DownloadLink } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { Icon } from '../../pieces/icon.tsx';
import { goTo } from '../../router.ts';
import { wrongOf } from '../../wrong.ts';
import { AskSend } from './ask-send.tsx';

const GO_ON = t('Go on with it', 'Ermee verdergaan');
const SEND = t('Send it', 'Versturen');
const TAKE_BACK = t('Take back', 'Terugdraaien');
const RESULT = t('Result', 'Resultaat');
const PROBLEMS = t('Only problems', 'Alleen problemen');
const REPORT = t('Report', 'Verslag');
const CORRECT = t('Correct what is left', 'Verbeter wat over is');

interface ActionsProps {
  readonly run: DeskRun;
  readonly plan: PlanDocument | null;
  /** Rows that delete and were not sent. */
  readonly deletes: number;
  readonly busy: boolean;
  readonly onJob: (job: JobDocument) => void;
  readonly reload: () => void;
}

/** What can be done with a run: go on, take back, download. */
export function RunActions({ run, plan, deletes, busy, onJob, reload }: ActionsProps): JSX.Element {
  const [asks, setAsks] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const params = { run: run.run };
  const attempt = (work: () => Promise<void>): void => {
    setWrong(null);
    work().catch((error: unknown) => {
      // What stopped the job is told by the job.
      if (!(error instanceof JobStopped)) setWrong(wrongOf(error));
    });
  };
  const goOn = async (workers: boolean): Promise<void> => {
    setAsks(false);
    const { job } = await call('goOn', { params, body: { deletes, workers } });
    onJob(keepJob(job));
    await whenEnded(job);
    reload();
  };
  const takeBack = async (): Promise<void> => {
    const { job } = await call('takeBack', { params, body: {} });
    onJob(keepJob(job));
    const { draft } = await whenEnded(job);
    if (draft !== null) goTo({ page: 'draft', draft, step: 'plan' });
  };
  const again = async (of: string): Promise<void> => {
    const { draft } = await call('again', { params: { draft: of }, body: {} });
    await call('makePlan', { params: { draft: draft.id }, body: {} });
    goTo({ page: 'draft', draft: draft.id, step: 'plan', query: { work: '1' } });
  };
  const { draft, here, result, takenBack, state, counts, prunedAt } = run;
  const left = (counts?.invalid ?? 0) + (counts?.conflict ?? 0) + (counts?.failed ?? 0);
  return (
    <div class="actions run-actions">
      {wrong !== null && <ErrorBox error={wrong} />}
      {result && <Downloads run={run} />}
      {draft !== null && state === 'done' && left > 0 && here && (
        <Button busy={busy} onClick={() => attempt(() => again(draft))}>
          {say(CORRECT)}
        </Button>
      )}
      {state === 'done' && here && takenBack === null && prunedAt === null && (
        <Button icon="undo" busy={busy} onClick={() => attempt(takeBack)}>
          {say(TAKE_BACK)}
        </Button>
      )}
      <SendButton {...{ run, busy }} canAsk={plan !== null} onAsk={() => setAsks(true)} />
      {asks && plan !== null && (
        <AskSend
          {...{ run, plan, deletes }}
          onSend={(workers) => attempt(() => goOn(workers))}
          onClose={() => setAsks(false)}
        />
      )}
    </div>
  );
}

interface SendProps extends Pick<ActionsProps, 'run' | 'busy'> {
  readonly canAsk: boolean;
  readonly onAsk: () => void;
}

/** The way to send: of a plan whose file is here the step that asks, else a question of its own. */
function SendButton({ run, busy, canAsk, onAsk }: SendProps): JSX.Element | null {
  const { open, state, draft } = run;
  if (!open) return null;
  if (state === 'planned' && draft !== null)
    return (
      <ButtonLink look="primary" icon="right" to={{ page: 'draft', draft, step: 'send' }}>
        {say(SEND)}
      </ButtonLink>
    );
  return (
    <Button look="primary" icon="play" busy={busy} disabled={!canAsk} onClick={onAsk}>
      {say(state === 'planned' ? SEND : GO_ON)}
    </Button>
  );
}

function Downloads({ run }: { readonly run: DeskRun }): JSX.Element {
  const params = { run: run.run };
  return (
    <>
      <DownloadLink href={addressOf('result', { params })[1]}>{say(RESULT)}</DownloadLink>
      <DownloadLink href={addressOf('result', { params, query: { problems: '1' } })[1]}>
        {say(PROBLEMS)}
      </DownloadLink>
      <a class="button" href={addressOf('report', { params })[1]} target="_blank" rel="noopener">
        <Icon name="file" />
        <span>{say(REPORT)}</span>
      </a>
    </>
  );
}
