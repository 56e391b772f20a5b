import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { DeskRun, DraftDocument } from '../../../contract/documents.ts';
import { placeOf } from '../../begin.ts';
import { call } from '../../call.ts';
import { loadHome } from '../../desk.ts';
import { figure, say, sayCount, whenText } from '../../language.ts';
import { asCallError } from '../../loaded.ts';
import { Button, ButtonLink } from '../../pieces/button.tsx';
import { Dialog } from '../../pieces/dialog.tsx';
import { Icon } from '../../pieces/icon.tsx';
import { toast } from '../../pieces/toast.tsx';
import type { Place } from '../../router.ts';
import { isBeingSent } from './latest-runs.tsx';

const TITLE = t('Not finished yet', 'Nog niet klaar');
const GO_ON = t('Go on', 'Verder');
const LOOK = t('Follow', 'Volgen');
const REMOVE = t('Remove', 'Weghalen');

const STATES = {
  read: t('Read, no plan made yet', 'Gelezen, nog geen plan gemaakt'),
  planned: t('Planned, nothing sent yet', 'Gepland, nog niets verstuurd'),
  planning: t('Being planned now', 'Wordt nu gepland'),
  sending: t('Being sent now', 'Wordt nu verstuurd'),
  interrupted: t(
    'Stopped half-way. Going on sends only what is left.',
    'Halverwege gestopt. Verdergaan verstuurt alleen wat nog over is.',
  ),
} as const;
const THEIRS = {
  waiting: t('Waits for a worker', 'Wacht op een worker'),
  working: t('Workers are sending it now', 'Workers versturen het nu'),
  again: t('A worker stopped: it is tried again soon', 'Een worker stopte: zo wordt het weer geprobeerd'),
} as const;
const UNDO = t('takes back {of}', 'draait {of} terug');
const AGAIN = t('what {of} left', 'wat {of} overliet');
const ONE_CORRECTED = t('1 cell corrected', '1 cel verbeterd');
const CORRECTED = t('{n} cells corrected', '{n} cellen verbeterd');

interface Props {
  readonly drafts: readonly DraftDocument[];
  readonly runs: readonly DeskRun[];
}

/** Files that were brought and not sent, and runs that were stopped half-way, if any. */
export function Unfinished({ drafts, runs }: Props): JSX.Element | null {
  const open = runs.filter((run) => (run.state === 'interrupted' || isBeingSent(run)) && run.here);
  if (drafts.length + open.length === 0) return null;
  return (
    <section aria-labelledby="unfinished">
      <h2 id="unfinished">{say(TITLE)}</h2>
      <ul class="cards">
        {open.map((run) => (
          <RunCard key={run.run} run={run} />
        ))}
        {drafts.map((draft) => (
          <DraftCard key={draft.id} draft={draft} />
        ))}
      </ul>
      {drafts.length > 1 && <RemoveAll drafts={drafts} />}
    </section>
  );
}

function RunCard({ run }: { readonly run: DeskRun }): JSX.Element {
  const isSending = isBeingSent(run);
  const place: Place =
    run.draft === null ? { page: 'run', run: run.run } : { page: 'draft', draft: run.draft, step: 'send' };
  return (
    <li class={`card ${isSending ? '' : 'warn'}`}>
      <Icon name={isSending ? 'play' : 'pause'} />
      <div class="card-text">
        <strong>{run.file}</strong>
        <p>
          {say(run.workers !== null ? THEIRS[run.workers] : isSending ? STATES.sending : STATES.interrupted)}
        </p>
        <p class="dim">{whenText(run.startedAt)}</p>
      </div>
      <ButtonLink to={place} look={isSending ? 'plain' : 'primary'} small>
        {say(isSending ? LOOK : GO_ON)}
      </ButtonLink>
    </li>
  );
}

function DraftCard({ draft }: { readonly draft: DraftDocument }): JSX.Element {
  const asks = useSignal(false);
  const { file, stage, job, origin, of, corrections } = draft;
  const isPlanning = job?.kind === 'plan' && job.endedAt === null;
  const state = isPlanning ? STATES.planning : stage === 'read' ? STATES.read : STATES.planned;
  const about = [
    whenText(draft.addedAt),
    origin === 'file' || of === null ? '' : say(origin === 'undo' ? UNDO : AGAIN, { of }),
    corrections === 0 ? '' : sayCount(corrections, ONE_CORRECTED, CORRECTED),
  ];
  return (
    <li class="card">
      <Icon name={origin === 'undo' ? 'undo' : 'sheet'} />
      <div class="card-text">
        <strong>{file.name}</strong>
        <p>{say(state)}</p>
        <p class="dim">{about.filter(Boolean).join(' · ')}</p>
      </div>
      <div class="actions">
        <ButtonLink to={placeOf(draft)} small>
          {say(GO_ON)}
        </ButtonLink>
        <Button
          look="plain"
          small
          label={`${say(REMOVE)}: ${file.name}`}
          onClick={() => {
            asks.value = true;
          }}
        >
          {say(REMOVE)}
        </Button>
      </div>
      {asks.value && (
        <RemoveDialog
          draft={draft}
          onClose={() => {
            asks.value = false;
          }}
        />
      )}
    </li>
  );
}

const REMOVE_TITLE = t('Remove {name} from this page?', '{name} van deze pagina halen?');
const REMOVE_WHAT = t(
  'Your own file stays where it is. What was chosen and corrected here goes.',
  'Je eigen bestand blijft waar het is. Wat je hier koos en verbeterde, gaat weg.',
);
const KEEP = t('Keep it', 'Houden');
const REMOVED = t('{name} was removed from this page.', '{name} is van deze pagina gehaald.');

const ALL = t('Remove all {n}', 'Alle {n} weghalen');
const ALL_TITLE = t('Remove all {n} files from this page?', 'Alle {n} bestanden van deze pagina halen?');
const ALL_REMOVED = t(
  '{n} files were removed from this page.',
  '{n} bestanden zijn van deze pagina gehaald.',
);

/** Removes all files that were not sent, after a question; one that is worked on stays. */
function RemoveAll({ drafts }: { readonly drafts: readonly DraftDocument[] }): JSX.Element {
  const asks = useSignal(false);
  const n = figure(drafts.length);
  const close = (): void => {
    asks.value = false;
  };
  const remove = async (): Promise<void> => {
    close();
    let removed = 0;
    for (const { id } of drafts)
      try {
        await call('dropDraft', { params: { draft: id } });
        removed++;
      } catch (error) {
        toast(asCallError(error).message, 'bad');
      }
    toast(say(ALL_REMOVED, { n: figure(removed) }));
    await loadHome();
  };
  return (
    <div class="actions">
      <Button
        look="plain"
        small
        onClick={() => {
          asks.value = true;
        }}
      >
        {say(ALL, { n })}
      </Button>
      {asks.value && <AskRemove title={say(ALL_TITLE, { n })} onRemove={remove} onClose={close} />}
    </div>
  );
}

interface RemoveProps {
  readonly draft: DraftDocument;
  readonly onClose: () => void;
}

function RemoveDialog({ draft, onClose }: RemoveProps): JSX.Element {
  const { name } = draft.file;
  const remove = async (): Promise<void> => {
    onClose();
    try {
      await call('dropDraft', { params: { draft: draft.id } });
      toast(say(REMOVED, { name }));
      await loadHome();
    } catch (error) {
      toast(asCallError(error).message, 'bad');
    }
  };
  return <AskRemove title={say(REMOVE_TITLE, { name })} onRemove={remove} onClose={onClose} />;
}

interface AskProps {
  readonly title: string;
  readonly onRemove: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before anything goes. */
function AskRemove({ title, onRemove, onClose }: AskProps): JSX.Element {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{say(KEEP)}</Button>
          <Button look="danger" onClick={() => void onRemove()}>
            {say(REMOVE)}
          </Button>
        </>
      }
    >
      <p>{say(REMOVE_WHAT)}</p>
    </Dialog>
  );
}
