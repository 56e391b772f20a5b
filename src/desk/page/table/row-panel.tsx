import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type Bilingual, t } from '../../../core/language.ts';
import type { RowCell, RowDetail, SameCells } from '../../contract/answers.ts';
import type { Decision } from '../../contract/asked.ts';
import { said, say, sayCount } from '../language.ts';
import { Button } from '../pieces/button.tsx';
import { Box, ErrorBox, type Wrong } from '../pieces/error-box.tsx';
import { FieldName, useFieldName } from '../pieces/field-name.tsx';
import { CLOSE } from '../pieces/keys-help.tsx';
import { Pairs, Table } from '../pieces/lists.tsx';
import { StatusPill } from '../pieces/status-pill.tsx';
import { CellInput, type Suggest } from './cell-input.tsx';
import { HEADS, keysText, OldNew } from './row-line.tsx';
import type { RowPlace } from './row-source.ts';

/** What can be done with other rows too, after a correction or a decision; or was, and can be taken back. */
export type Offer =
  | (SameCells & { readonly isTaken?: boolean })
  | { readonly decide: Decision; readonly places: readonly RowPlace[] };

/** What is done about the cells and the conflict of the open row. */
export interface Editing {
  /** The column whose input takes the focus; null for none. */
  readonly focused: number | null;
  readonly suggest: Suggest;
  /** Null takes a correction back. */
  save(column: number, text: string | null): void;
  /** Null leaves it open again. */
  decide(decision: Decision | null): void;
  /** What can be done with other rows too; null for nothing. */
  readonly offer: Offer | null;
  take(offer: Offer): void;
  leave(): void;
}

interface PanelProps {
  readonly place: RowPlace;
  /** Null while it is on its way. */
  readonly detail: RowDetail | null;
  readonly error: Wrong | null;
  readonly busy: boolean;
  /** Undefined where it can only be looked at. */
  readonly editing: Editing | undefined;
  /** Says of a doubtful row whether it arrived; undefined where nothing can be said. */
  readonly onSettle: ((as: 'done' | 'resend') => void) | undefined;
  readonly onClose: () => void;
  readonly onNext: (back: boolean) => void;
}

/** One row: its cells, its changes, what is to be decided. Beside the table, over it where that is narrow. */
export function RowPanel(props: PanelProps) {
  const { place, detail, error, onClose, onNext, busy, onSettle } = props;
  const id = useId();
  const where = `${place.sheet} ${place.row}`;
  return (
    <aside class="row-panel" aria-labelledby={id}>
      <header>
        <div class="spread">
          <h2 id={id} tabIndex={-1}>
            {detail?.row.label || where}
          </h2>
          <div>
            <Button
              look="plain"
              icon="up"
              label={`${say('Previous that needs work', 'Vorige die werk vraagt')} (p)`}
              onClick={() => onNext(true)}
            />
            <Button
              look="plain"
              icon="down"
              label={`${say('Next that needs work', 'Volgende die werk vraagt')} (n)`}
              onClick={() => onNext(false)}
            />
            <Button look="plain" icon="cross" label={said(CLOSE)} onClick={onClose} />
          </div>
        </div>
        <div class="row">
          <span>{where}</span>
          {detail !== null && <StatusPill status={detail.row.status} sheet={place.sheet} />}
          {detail !== null && <span class="dim">{keysText(detail.row)}</span>}
        </div>
      </header>
      <ErrorBox error={error} />
      {detail !== null && (
        <>
          {detail.doubtful && onSettle !== undefined && <Doubt busy={busy} onSettle={onSettle} />}
          <Row {...props} detail={detail} />
        </>
      )}
    </aside>
  );
}

interface RowProps extends PanelProps {
  readonly detail: RowDetail;
}

/** What is decided between two values, not corrected in a cell. */
const DECIDED: readonly string[] = ['changed-by-both', 'changed-meanwhile'];

/** Whether a cell has to be corrected. */
export const isBad = ({ issues }: RowCell): boolean =>
  issues.some(({ severity, code }) => severity === 'error' && !DECIDED.includes(code));

function Row(props: RowProps) {
  const { detail, editing, busy } = props;
  const { row, cells, conflict } = detail;
  const bad = cells.filter(isBad);
  const shown = new Set(cells.flatMap(({ issues }) => issues.map(({ message }) => message)));
  const lines = (row.message ?? '').split('\n').filter((line) => line !== '' && !shown.has(line));
  // Where it can be changed, `#action` stands apart as what it means; a conflict has a table of its own.
  const others = cells.filter((cell) => !bad.includes(cell) && !(editing && cell.field === '#action'));
  const changes = conflict.length > 0 ? [] : (row.changes ?? []);
  return (
    <>
      {editing !== undefined && <Offered editing={editing} detail={detail} busy={busy} />}
      {lines.map((line) => (
        <p key={line} class={bad.length > 0 || row.status === 'failed' ? 'bad-text' : undefined}>
          {line}
        </p>
      ))}
      {(conflict.length > 0 || row.decided !== null) && <Conflict {...props} />}
      <Part title={changes.length > 0 && HEADS.changes}>
        <Pairs
          of={changes.map((change) => [
            <FieldName key="" sheet={row.sheet} field={change.field} />,
            <OldNew key="" change={change} sheet={row.sheet} />,
          ])}
        />
      </Part>
      <Part title={bad.length > 0 && t('To correct', 'Te verbeteren')}>
        {bad.map((cell) => (
          <CellView key={cell.column} row={row} cell={cell} isBad {...{ editing, busy }} />
        ))}
      </Part>
      {editing !== undefined && <Action detail={detail} editing={editing} busy={busy} />}
      <Part title={others.length > 0 && t('In your file', 'In je bestand')}>
        {others.map((cell) => (
          <CellView key={cell.column} row={row} cell={cell} {...{ editing, busy }} />
        ))}
      </Part>
    </>
  );
}

interface PartProps {
  /** False where there is nothing to show. */
  readonly title: Bilingual | false;
  readonly children: ComponentChildren;
}

const Part = ({ title, children }: PartProps) =>
  title === false ? null : (
    <section>
      <h3>{said(title)}</h3>
      {children}
    </section>
  );

const EMPTY = t('(empty)', '(leeg)');

interface CellProps {
  readonly row: RowPlace;
  readonly cell: RowCell;
  /** It is to be corrected, and ready to be typed into. */
  readonly isBad?: boolean;
  readonly editing: Editing | undefined;
  readonly busy: boolean;
}

function CellView({ row: { sheet, row }, cell, isBad: isOpen = false, editing, busy }: CellProps) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const { column, letters, header, field, issues, before } = cell;
  const usual = useFieldName(sheet, field);
  // Headers of the user's own are what they know.
  const isOwn = field === null || header.trim().toLowerCase() !== field.toLowerCase();
  const name = isOwn ? header || letters : (usual ?? header);
  const also = isOwn ? usual : field;
  const text = cell.text || said(EMPTY);
  const close = (): void => setOpened(false);
  // The place stands above it already.
  const place = `${letters}${row} ${header}: `;
  return (
    <div class={isOpen ? 'cell bad' : 'cell'}>
      <p class="cell-name">
        <b>{name}</b>{' '}
        {also !== null && also.toLowerCase() !== name.toLowerCase() && <small class="dim">{also} </small>}
        <span class="dim">{`${letters}${row}`}</span>
      </p>
      <div id={id}>
        {issues.map(({ code, severity, message }) => (
          <p key={code} class={severity === 'error' ? 'bad-text' : 'warn-text'}>
            {message.startsWith(place) ? message.slice(place.length) : message}{' '}
          </p>
        ))}
      </div>
      {editing !== undefined && (isOpen || opened) ? (
        <CellInput
          // What the server made of it is what is corrected next.
          key={cell.text}
          {...{ cell, busy, label: name, describedBy: id, suggest: editing.suggest }}
          onSave={(typed) => {
            close();
            editing.save(column, typed);
          }}
          onCancel={isOpen ? undefined : close}
          focus={opened || editing.focused === column}
        />
      ) : editing === undefined ? (
        <span>{text}</span>
      ) : (
        <button
          type="button"
          class="cell-value"
          aria-label={say(`Change ${name}, now: ${text}`, `${name} wijzigen, nu: ${text}`)}
          onClick={() => setOpened(true)}
        >
          {text}
        </button>
      )}
      {before !== null && (
        <p class="row dim">
          {say(`It was: ${before || said(EMPTY)}`, `Er stond: ${before || said(EMPTY)}`)}
          {editing !== undefined && (
            <Button
              {...{ small: true, look: 'plain', icon: 'undo', busy }}
              label={say(`Take back the correction of ${name}`, `De verbetering van ${name} terugnemen`)}
              onClick={() => editing.save(column, null)}
            >
              {say('Take back', 'Terugnemen')}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

interface EditedProps {
  readonly detail: RowDetail;
  readonly editing: Editing;
  readonly busy: boolean;
}

const ACTIONS: Readonly<Record<string, Bilingual>> = {
  '': t('What is needed', 'Wat nodig is'),
  create: t('Create', 'Aanmaken'),
  update: t('Update', 'Wijzigen'),
  delete: t('Delete', 'Verwijderen'),
  skip: t('Leave out', 'Overslaan'),
};

/** Leaves a row out, or says what is to be done with it: a correction of its cell `#action`. */
function Action({ detail: { cells, actions }, editing, busy }: EditedProps) {
  const cell = cells.find(({ field }) => field === '#action');
  if (cell === undefined) return null;
  const chosen = cell.text.trim().toLowerCase();
  // Deleting is asked for in the file alone.
  const words = ['', ...actions.filter((word) => word !== 'delete' || word === chosen)];
  return (
    <Part title={t('What to do with this row', 'Wat er met deze rij moet gebeuren')}>
      <div class="row">
        {words.map((word) => (
          <Button
            key={word}
            small
            busy={busy}
            pressed={chosen === word}
            onClick={() => editing.save(cell.column, word === (cell.before ?? null) ? null : word)}
          >
            {said(ACTIONS[word] ?? EMPTY)}
          </Button>
        ))}
      </div>
    </Part>
  );
}

const FIELDS = [
  t('Field', 'Veld'),
  t('In your file before', 'Eerst in je bestand'),
  t('On the service now', 'Nu in het systeem'),
  t('You want', 'Jij wilt'),
] as const;
const DECISIONS = {
  mine: t('Send mine', 'Het mijne versturen'),
  theirs: t('Keep theirs', 'Dat van het systeem houden'),
  skip: t('Leave this row', 'Deze rij laten'),
} as const;

/** What each field of a conflict was, is and was to be, with the choice between them. */
function Conflict({ detail: { conflict, row }, editing, busy }: RowProps) {
  return (
    <section class="conflict">
      <h3>{say('Changed by someone else', 'Door iemand anders gewijzigd')}</h3>
      <Table heads={FIELDS}>
        {conflict.map(({ field, was, now, mine }) => (
          <tr key={field}>
            <th scope="row">
              <FieldName sheet={row.sheet} field={field} />
            </th>
            <td>{was}</td>
            <td class={now === was ? undefined : 'warn-text'}>{now}</td>
            <td class={mine === now ? undefined : 'good-text'}>{mine}</td>
          </tr>
        ))}
      </Table>
      {editing !== undefined && (
        <div class="row">
          {(['mine', 'theirs', 'skip'] as const).map((decision) => (
            <Button
              key={decision}
              small
              busy={busy}
              pressed={row.decided === decision}
              onClick={() => editing.decide(row.decided === decision ? null : decision)}
            >
              {said(DECISIONS[decision])}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

const SAME = [
  t(
    'The same problem stands in 1 other cell. “{text}” there too?',
    'Hetzelfde probleem staat in 1 andere cel. Daar ook “{text}”?',
  ),
  t(
    'The same problem stands in {n} other cells. “{text}” there too?',
    'Hetzelfde probleem staat in {n} andere cellen. Daar ook “{text}”?',
  ),
  t('Correct it too', 'Die ook verbeteren'),
  t('Correct all {n}', 'Alle {n} verbeteren'),
] as const;
const OPEN = [
  t('1 other conflict is open. “{text}” there too?', '1 ander conflict is nog open. Daar ook “{text}”?'),
  t(
    '{n} other conflicts are open. “{text}” there too?',
    '{n} andere conflicten zijn nog open. Daar ook “{text}”?',
  ),
  t('There too', 'Daar ook'),
  t('The same for all {n}', 'Hetzelfde voor alle {n}'),
] as const;
const TAKEN = [
  t('1 other cell was corrected too: “{text}”.', 'Ook 1 andere cel is verbeterd: “{text}”.'),
  t('{n} other cells were corrected too: “{text}”.', 'Ook {n} andere cellen zijn verbeterd: “{text}”.'),
  t('Take it back', 'Terugnemen'),
  t('Take all back', 'Alle terugnemen'),
] as const;

/** Offers the same for other rows, where the open row has that problem too; or to take that back. */
function Offered({ detail: { cells, conflict }, editing, busy }: EditedProps) {
  const { offer, take, leave } = editing;
  if (offer === null) return null;
  const isAlike =
    'decide' in offer
      ? conflict.length > 0
      : cells.some(
          ({ column, text, issues }) =>
            column === offer.column && text === offer.found && issues.some(({ code }) => code === offer.code),
        );
  const isTaken = 'rows' in offer && offer.isTaken === true;
  if (!isAlike && !isTaken) return null;
  const [one, other, takeOne, takeAll] = 'decide' in offer ? OPEN : isTaken ? TAKEN : SAME;
  const { length: count } = 'decide' in offer ? offer.places : offer.rows;
  const text = 'decide' in offer ? said(DECISIONS[offer.decide]) : offer.text || said(EMPTY);
  return (
    <Box tone="good" role="status">
      <p>{sayCount(count, one, other).replace('{text}', () => text)}</p>
      <div class="row">
        <Button small busy={busy} onClick={() => take(offer)}>
          {sayCount(count, takeOne, takeAll)}
        </Button>
        <Button small look="plain" onClick={leave}>
          {said(isTaken ? CLOSE : t('No', 'Nee'))}
        </Button>
      </div>
    </Box>
  );
}

interface DoubtProps {
  readonly busy: boolean;
  readonly onSettle: (as: 'done' | 'resend') => void;
}

/** Asks the user what nobody else can tell: whether a row arrived. */
const Doubt = ({ busy, onSettle }: DoubtProps) => (
  <Box tone="warn">
    <h3>{say('Did it arrive?', 'Is het aangekomen?')}</h3>
    <p>
      {say(
        'This row was sent and no answer came, so it may have arrived. Look it up on the service: if it is there, say so; if it isn’t, send it again. Sending it again when it did arrive makes it twice.',
        'Deze rij is verstuurd en er kwam geen antwoord, dus misschien is hij aangekomen. Zoek hem op in het systeem: staat hij er, zeg dat dan; staat hij er niet, verstuur hem dan opnieuw. Opnieuw versturen terwijl hij er al is, maakt hem dubbel.',
      )}
    </p>
    <div class="row">
      <Button small busy={busy} onClick={() => onSettle('done')}>
        {say('It did arrive', 'Het is aangekomen')}
      </Button>
      <Button small busy={busy} onClick={() => onSettle('resend')}>
        {say('Send again', 'Opnieuw versturen')}
      </Button>
    </div>
  </Box>
);
