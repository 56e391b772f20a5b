import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { RowDetail } from '../../contract/documents.ts';
import { say, sayCount } from '../language.ts';
import { Button } from '../pieces/button.tsx';
import { Dialog } from '../pieces/dialog.tsx';
import { ErrorBox, type Wrong } from '../pieces/error-box.tsx';
import { Icon } from '../pieces/icon.tsx';
import { StatusPill } from '../pieces/status-pill.tsx';
import { ConflictChoice, DECISION_WORDS, type Decision } from './conflict-choice.tsx';
import { RowAction } from './row-action.tsx';
import { type CellEditing, isBad, RowCells } from './row-cells.tsx';
import { OldNew } from './row-line.tsx';
import { RowDoubt, RowRequests, type SettleAs } from './row-requests.tsx';
import type { RowPlace } from './row-source.ts';
import { keysText, nameOfRow, placeText, ROW_WORDS } from './row-words.ts';
import type { Offer } from './use-correcting.ts';

/** What is offered for other rows: those with the problem that a correction solved, or other conflicts. */
export interface SameOffer {
  readonly offer: Offer;
  readonly busy: boolean;
  onTake(): void;
  onLeave(): void;
}

interface PanelProps {
  readonly place: RowPlace;
  /** Null while it is on its way. */
  readonly detail: RowDetail | null;
  readonly error: Wrong | null;
  readonly onRetry: () => void;
  readonly onClose: () => void;
  readonly onNext: (back: boolean) => void;
  /** Over the table, on a narrow screen. */
  readonly over: boolean;
  readonly editing?: CellEditing | undefined;
  readonly onDecide?: ((decision: Decision) => void) | undefined;
  readonly onSettle?: ((as: SettleAs) => void) | undefined;
  readonly busy: boolean;
  readonly same: SameOffer | null;
}

const CLOSE = t('Close', 'Sluiten');
const NEXT = t('Next that needs work', 'Volgende die werk vraagt');
const BACK = t('Previous that needs work', 'Vorige die werk vraagt');
const SAME = t(
  'The same problem stands in {n} other cells. “{text}” there too?',
  'Hetzelfde probleem staat in {n} andere cellen. Daar ook “{text}”?',
);
const SAME_ONE = t(
  'The same problem stands in 1 other cell. “{text}” there too?',
  'Hetzelfde probleem staat in 1 andere cel. Daar ook “{text}”?',
);
const OPEN = t(
  '{n} other conflicts are open. “{what}” there too?',
  '{n} andere conflicten zijn nog open. Daar ook “{what}”?',
);
const OPEN_ONE = t(
  '1 other conflict is open. “{what}” there too?',
  '1 ander conflict is nog open. Daar ook “{what}”?',
);
const DECIDE_ALL = t('The same for all {n}', 'Hetzelfde voor alle {n}');
const DECIDE_ONE = t('There too', 'Daar ook');
const TAKE_ALL = t('Correct all {n}', 'Alle {n} verbeteren');
const TAKE_ONE = t('Correct it too', 'Die ook verbeteren');
const LEAVE = t('No', 'Nee');
const CLEARED = t('(empty)', '(leeg)');

/** One row: its cells, its changes, what is to be decided. Beside the table, over it where that is narrow. */
export function RowPanel(props: PanelProps): JSX.Element {
  const { place, detail, over, onClose, onNext } = props;
  const title = detail === null ? placeText(place) : nameOfRow(detail.row);
  const id = useId();
  const body = (
    <>
      <PanelHead {...props} />
      <PanelBody {...props} />
    </>
  );
  if (over)
    return (
      <Dialog title={title} onClose={onClose} place="side">
        <div class="panel-in">{body}</div>
      </Dialog>
    );
  return (
    <aside
      class="row-panel"
      aria-labelledby={id}
      onKeyDown={(event) => {
        const isTyped = (event.target as HTMLElement).closest('input, textarea, select') !== null;
        if (event.key === 'Escape') onClose();
        else if (!isTyped && !hasModifier(event) && (event.key === 'n' || event.key === 'p'))
          onNext(event.key === 'p');
        else return;
        event.preventDefault();
      }}
    >
      <header>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="button plain cross" aria-label={say(CLOSE)} onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      {body}
    </aside>
  );
}

const hasModifier = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => altKey || ctrlKey || metaKey;

function PanelHead({ place, detail, onNext }: PanelProps): JSX.Element {
  const keys = detail === null ? '' : keysText(detail.row);
  return (
    <div class="panel-head">
      <span>{placeText(place)}</span>
      {detail !== null && <StatusPill status={detail.row.status} sheet={place.sheet} />}
      {keys !== '' && <span class="dim">{keys}</span>}
      <span class="steps-beside">
        <button
          type="button"
          class="button plain cross"
          aria-label={say(BACK)}
          title={`${say(BACK)} (p)`}
          onClick={() => onNext(true)}
        >
          <Icon name="up" />
        </button>
        <button
          type="button"
          class="button plain cross"
          aria-label={say(NEXT)}
          title={`${say(NEXT)} (n)`}
          onClick={() => onNext(false)}
        >
          <Icon name="down" />
        </button>
      </span>
    </div>
  );
}

function PanelBody(props: PanelProps): JSX.Element {
  const { detail, error, onRetry, editing, busy, onDecide, onSettle, same } = props;
  return (
    <div class={detail === null ? 'panel-body waits' : 'panel-body'}>
      {same !== null && <Same same={same} />}
      {error !== null && <ErrorBox error={error} onRetry={onRetry} />}
      {detail !== null && (
        <>
          {detail.doubtful && onSettle !== undefined && <RowDoubt busy={busy} onSettle={onSettle} />}
          <Messages detail={detail} />
          {(detail.conflict.length > 0 || detail.row.decided !== null) && (
            <ConflictChoice detail={detail} busy={busy} onDecide={onDecide} />
          )}
          <Changes detail={detail} />
          <RowCells row={detail.row.row} cells={detail.cells} editing={editing}>
            {editing !== undefined && <RowAction detail={detail} editing={editing} />}
          </RowCells>
          <RowRequests requests={detail.requests} />
        </>
      )}
    </div>
  );
}

function Same({ same }: { readonly same: SameOffer }): JSX.Element {
  const { offer, busy, onTake, onLeave } = same;
  return (
    <section class="box good same" role="status">
      <div>
        <p>{askText(offer)}</p>
        <div class="actions">
          <Button small busy={busy} onClick={onTake}>
            {'decide' in offer
              ? sayCount(offer.count, DECIDE_ONE, DECIDE_ALL)
              : sayCount(offer.count, TAKE_ONE, TAKE_ALL)}
          </Button>
          <Button small look="plain" onClick={onLeave}>
            {say(LEAVE)}
          </Button>
        </div>
      </div>
    </section>
  );
}

function askText(offer: Offer): string {
  if ('decide' in offer)
    return sayCount(offer.count, OPEN_ONE, OPEN).replace('{what}', () => say(DECISION_WORDS[offer.decide]));
  const text = offer.text === '' ? say(CLEARED) : offer.text;
  return sayCount(offer.count, SAME_ONE, SAME).replace('{text}', () => text);
}

/** What is said of the row beside what stands at its cells. */
function Messages({ detail }: { readonly detail: RowDetail }): JSX.Element | null {
  const shown = new Set(detail.cells.flatMap(({ issues }) => issues.map(({ message }) => message)));
  const lines = (detail.row.message ?? '').split('\n').filter((line) => line !== '' && !shown.has(line));
  if (lines.length === 0) return null;
  const tone = detail.cells.some(isBad) || detail.row.status === 'failed' ? 'bad' : 'plain';
  return (
    <div class={`said ${tone}`}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

function Changes({ detail }: { readonly detail: RowDetail }): JSX.Element | null {
  const { changes = [] } = detail.row;
  // Of a conflict the table above says it, with what is on the service now.
  if (changes.length === 0 || detail.conflict.length > 0) return null;
  return (
    <PanelPart title={say(ROW_WORDS.changes)}>
      <dl class="cells">
        {changes.map((change) => (
          <div key={change.field}>
            <dt>{change.field}</dt>
            <dd>
              <OldNew change={change} sheet={detail.row.sheet} />
            </dd>
          </div>
        ))}
      </dl>
    </PanelPart>
  );
}

interface PartProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function PanelPart({ title, children }: PartProps): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
