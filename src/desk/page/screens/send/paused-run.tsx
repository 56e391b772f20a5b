import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { DeskRun, JobDocument } from '../../../contract/documents.ts';
import { call } from '../../call.ts';
import { home } from '../../desk.ts';
import { say, sayCount } from '../../language.ts';
import { keepJob } from '../../live.ts';
import { asCallError } from '../../loaded.ts';
import { Box } from '../../pieces/box.tsx';
import { Button, ButtonLink } from '../../pieces/button.tsx';
import { Elsewhere, RUN_ELSEWHERE } from '../../pieces/elsewhere.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { Outcomes } from '../../pieces/status-pill.tsx';
import { byWorkers, WhoDoesIt } from '../../pieces/who-does-it.tsx';
import { AgreeToDelete } from './agree-to-delete.tsx';
import { NoteList, Problems } from './sending-run.tsx';

const WHAT = t(
  'What was sent is kept, row by row. Going on sends only what is left; nothing is sent twice.',
  'Wat verstuurd is, is per rij bewaard. Verdergaan verstuurt alleen wat nog over is; niets gaat dubbel.',
);
const ONE_LEFT = t('1 row is left to send.', 'Er is nog 1 rij te versturen.');
const LEFT = t('{n} rows are left to send.', 'Er zijn nog {n} rijen te versturen.');
const GO_ON = t('Go on sending', 'Verder versturen');
const HAND_OVER = t('Hand the rest over to workers', 'De rest aan workers overgeven');
const ROWS = t('Look at the rows', 'De rijen bekijken');
const BUSY = t(
  'Another window or terminal is working on this run now.',
  'Een ander venster of een terminal werkt nu aan deze run.',
);

interface PausedProps {
  readonly run: DeskRun;
  /** Rows that delete and were not sent. */
  readonly deletes: number;
  /** Whether workers can send what is left. */
  readonly workers: boolean;
  /** The job that sent it last, where it is known. */
  readonly job: JobDocument | undefined;
}

/** A run that was stopped half-way, by the user, a failure or the end of the program, and how it goes on. */
export function PausedRun({ run, deletes, workers, job }: PausedProps): JSX.Element {
  const { counts, shown, busy, here } = run;
  return (
    <div class="sending">
      {job?.stop != null && (job.state === 'failed' || job.workers !== null) && <ErrorBox error={job.stop} />}
      <div class="tile">
        <p>{say(WHAT)}</p>
        {counts !== null && shown !== null && (
          <>
            <div class="pills so-far">
              <Outcomes counts={shown} would={false} />
            </div>
            {counts.notSent > 0 && <p>{sayCount(counts.notSent, ONE_LEFT, LEFT)}</p>}
          </>
        )}
        {busy && <Box>{say(BUSY)}</Box>}
        {!here && <Elsewhere what={RUN_ELSEWHERE} />}
        <div class="actions">
          {run.open && <GoOn {...{ deletes, workers }} run={run.run} />}
          <ButtonLink to={{ page: 'run', run: run.run }}>{say(ROWS)}</ButtonLink>
        </div>
      </div>
      {job !== undefined && <NoteList job={job} />}
      {job !== undefined && <Problems job={job} draft={run.draft} />}
    </div>
  );
}

interface GoOnProps extends Pick<PausedProps, 'deletes' | 'workers'> {
  readonly run: string;
}

/** Goes on with a run that was stopped. */
function GoOn({ run, deletes, workers }: GoOnProps): JSX.Element {
  const agreed = useSignal(false);
  const busy = useSignal(false);
  const wrong = useSignal<Wrong | null>(null);
  const theirs = workers && byWorkers();
  const goOn = async (): Promise<void> => {
    busy.value = true;
    wrong.value = null;
    await call('goOn', { params: { run }, body: { deletes, workers: theirs } }).then(
      ({ job }) => keepJob(job),
      (error: unknown) => {
        wrong.value = asCallError(error);
      },
    );
    busy.value = false;
  };
  const isReal = home.value?.service.kind === 'real';
  return (
    <>
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
      {workers && <WhoDoesIt />}
      {deletes > 0 && (
        <AgreeToDelete
          {...{ deletes, look: undefined, onWithout: undefined }}
          agreed={agreed.value}
          onAgree={(on) => {
            agreed.value = on;
          }}
        />
      )}
      <Button
        look={isReal ? 'real' : 'primary'}
        icon="play"
        busy={busy.value}
        disabled={deletes > 0 && !agreed.value}
        onClick={() => void goOn()}
      >
        {say(theirs ? HAND_OVER : GO_ON)}
      </Button>
    </>
  );
}
