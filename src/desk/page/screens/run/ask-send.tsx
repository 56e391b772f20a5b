import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { DeskRun, PlanDocument } from '../../../contract/documents.ts';
import { say, sayCount } from '../../language.ts';
import { Button } from '../../pieces/button.tsx';
import { Dialog } from '../../pieces/dialog.tsx';
import { hostOf, ServiceBadge } from '../../pieces/service-badge.tsx';
import { byWorkers, WhoDoesIt } from '../../pieces/who-does-it.tsx';
import { AgreeToDelete } from '../send/agree-to-delete.tsx';
import { LeftByUndo } from '../send/left-by-undo.tsx';
import { SendTable } from '../send/send-table.tsx';
import { WarnedRows } from '../send/warned-rows.tsx';

const ASK = t('Send it?', 'Versturen?');
const ASK_LEFT = t('Send what is left of this run?', 'Versturen wat er van deze run over is?');
const REAL = t('This changes the real service at {host}.', 'Dit wijzigt het echte systeem op {host}.');
const TRYING = t('This goes to the sandbox.', 'Dit gaat naar de sandbox.');
const NOT_AGAIN = t(
  'Rows that were sent already are not sent again.',
  'Rijen die al verstuurd zijn, gaan niet nog eens.',
);
const ONE_SEND = t('Send 1 row', '1 rij versturen');
const SEND = t('Send {n} rows', '{n} rijen versturen');
const ONE_OVER = t('Hand 1 row over to workers', '1 rij aan workers overgeven');
const OVER = t('Hand {n} rows over to workers', '{n} rijen aan workers overgeven');
const TO_REAL = t('{send} to {host}', '{send} naar {host}');
const CANCEL = t('Cancel', 'Annuleren');

interface AskProps {
  readonly run: DeskRun;
  readonly plan: PlanDocument;
  /** Rows that delete and were not sent. */
  readonly deletes: number;
  readonly onSend: (workers: boolean) => void;
  readonly onClose: () => void;
}

/** Says what exactly is sent of a run, and asks for deleting on its own, as the step of a file does. */
export function AskSend({ run, plan, deletes, onSend, onClose }: AskProps): JSX.Element {
  const agreed = useSignal(false);
  const agreedToWarnings = useSignal(false);
  const isPlan = run.state === 'planned';
  // Of what is left of a run they were agreed to when it began.
  const warns = isPlan && plan.warned.sends > 0;
  const { created, updated, deleted } = plan.counts;
  const rows = isPlan ? created + updated + deleted : (run.counts?.notSent ?? 0);
  const { kind, address } = plan.service;
  const host = hostOf(address ?? '');
  const workers = plan.workers && byWorkers();
  const word = workers ? sayCount(rows, ONE_OVER, OVER) : sayCount(rows, ONE_SEND, SEND);
  return (
    <Dialog
      title={say(isPlan ? ASK : ASK_LEFT)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{say(CANCEL)}</Button>
          <Button
            look={kind === 'real' ? 'real' : 'primary'}
            disabled={(deletes > 0 && !agreed.value) || (warns && !agreedToWarnings.value)}
            onClick={() => onSend(workers)}
          >
            {kind === 'real' && !workers ? say(TO_REAL, { send: word, host }) : word}
          </Button>
        </>
      }
    >
      {isPlan && <SendTable plan={plan} />}
      <p>
        {kind === 'real' ? say(REAL, { host }) : say(TRYING)} {!isPlan && say(NOT_AGAIN)}
      </p>
      <p>
        <ServiceBadge service={plan.service} />
      </p>
      {plan.workers && <WhoDoesIt />}
      <LeftByUndo plan={plan} />
      {warns && <WarnedRows plan={plan} look={undefined} agree={agreedToWarnings} />}
      {deletes > 0 && (
        <AgreeToDelete
          deletes={deletes}
          look={undefined}
          agreed={agreed.value}
          onAgree={(on) => {
            agreed.value = on;
          }}
          onWithout={undefined}
        />
      )}
    </Dialog>
  );
}
