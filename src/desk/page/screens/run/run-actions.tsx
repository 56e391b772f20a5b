import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { DeskRun, JobDocument } from '../../../contract/documents.ts';
import { addressOf } from '../../../contract/paths.ts';
import { call } from '../../call.ts';
import { say } from '../../language.ts';
import { JobStopped, keepJob, whenEnded } from '../../live.ts';
import { Button, DownloadLink } from '../../pieces/button.tsx';
import { Dialog } from '../../pieces/dialog.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { Icon } from '../../pieces/icon.tsx';
import { goTo } from '../../router.ts';
import { wrongOf } from '../../wrong.ts';

const GO_ON = t('Go on with it', 'Ermee verdergaan');
const SEND = t('Send it', 'Versturen');
const ASK_SEND = t('Send what is left of this run?', 'Versturen wat er van deze run over is?');
const SENDS_REAL = t(
  'This goes to the real service. Rows that were sent already are not sent again.',
  'Dit gaat naar het echte systeem. Rijen die al verstuurd zijn, gaan niet nog eens.',
);
const SENDS = t(
  'This goes to the sandbox. Rows that were sent already are not sent again.',
  'Dit gaat naar de sandbox. Rijen die al verstuurd zijn, gaan niet nog eens.',
);
const TAKE_BACK = t('Take back', 'Terugdraaien');
const RESULT = t('Result', 'Resultaat');
const PROBLEMS = t('Only problems', 'Alleen problemen');
const REPORT = t('Report', 'Verslag');
const CORRECT = t('Correct what is left', 'Verbeter wat over is');
const CANCEL = t('Cancel', 'Annuleren');

interface ActionsProps {
  readonly run: DeskRun;
  readonly busy: boolean;
  readonly onJob: (job: JobDocument) => void;
  readonly reload: () => void;
}

/** What can be done with a run: go on, take back, download. */
export function RunActions({ run, busy, onJob, reload }: ActionsProps): JSX.Element {
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
  const goOn = async (): Promise<void> => {
    setAsks(false);
    const { job } = await call('goOn', { params, body: {} });
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
  const { draft, open, here, result, takenBack, state, counts } = run;
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
      {state === 'done' && here && takenBack === null && (
        <Button icon="undo" busy={busy} onClick={() => attempt(takeBack)}>
          {say(TAKE_BACK)}
        </Button>
      )}
      {open && here && (
        <Button look="primary" icon="play" busy={busy} onClick={() => setAsks(true)}>
          {say(state === 'planned' ? SEND : GO_ON)}
        </Button>
      )}
      {asks && <AskSend service={run.service} onSend={() => attempt(goOn)} onClose={() => setAsks(false)} />}
    </div>
  );
}

interface AskProps {
  readonly service: string;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

function AskSend({ service, onSend, onClose }: AskProps): JSX.Element {
  const isReal = service !== 'sandbox';
  return (
    <Dialog
      title={say(ASK_SEND)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{say(CANCEL)}</Button>
          <Button look={isReal ? 'real' : 'primary'} onClick={onSend}>
            {say(SEND)}
          </Button>
        </>
      }
    >
      <p>{say(isReal ? SENDS_REAL : SENDS)}</p>
      {isReal && <p class="dim">{service}</p>}
    </Dialog>
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
