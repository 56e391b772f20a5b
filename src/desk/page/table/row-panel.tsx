import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Bilingual, t } from '../../../core/language.ts';
import type { AnswerOf, RowCell, TableRow } from '../../contract/answers.ts';
import type { Decision } from '../../contract/asked.ts';
import type { CallError } from '../call.ts';
import { said, say, whenText } from '../language.ts';
import { asCallError } from '../live.ts';
import { Box, Button, ErrorBox } from '../pieces/controls.tsx';
import { Pairs, Table } from '../pieces/lists.tsx';
import { FieldName, StatusPill, useFieldName } from '../pieces/status-pill.tsx';
import { hrefOf } from '../router.ts';
import { keysText, OldNew, useShown } from './row-table.tsx';
import type { RowPlace, Rows } from './rows.ts';

interface PanelProps {
  readonly rows: Rows;
  readonly place: RowPlace;
  /** Whether it can be said of a doubtful row that it arrived. */
  readonly canSettle: boolean | undefined;
}

/** One row: its cells, its changes, what is to be decided. Beside the table, over it where that is narrow. */
export function RowPanel({ rows, place: { sheet, row }, canSettle }: PanelProps) {
  const id = useId();
  const where = `${sheet} ${row}`;
  const detail = rows.detail.value;
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
              label={say('Previous that needs work (p)', 'Vorige die werk vraagt (p)')}
              onClick={() => rows.step(true, true)}
            />
            <Button
              look="plain"
              icon="down"
              label={say('Next that needs work (n)', 'Volgende die werk vraagt (n)')}
              onClick={() => rows.step(false, true)}
            />
            <Button look="plain" icon="cross" label={say('Close', 'Sluiten')} onClick={() => rows.close()} />
          </div>
        </div>
        <div class="row">
          <span>{where}</span>
          {detail && <StatusPill status={detail.row.status} sheet={sheet} />}
          {detail && <span class="dim">{keysText(detail.row)}</span>}
        </div>
      </header>
      <ErrorBox error={rows.wrong.value} />
      {detail?.row.status === 'unknown' && canSettle && <Doubt rows={rows} />}
      {detail && <Row rows={rows} detail={detail} />}
    </aside>
  );
}

interface RowProps {
  readonly rows: Rows;
  readonly detail: AnswerOf<'row'>;
}

function Row({ rows, detail }: RowProps) {
  const { row, cells } = detail;
  const bad = cells.filter((cell) => cell.bad);
  const shown = new Set(cells.flatMap(({ issues }) => issues.map(({ message }) => message)));
  const lines = (row.message ?? '').split('\n').filter((line) => line !== '' && !shown.has(line));
  const others = cells.filter((cell) => !bad.includes(cell));
  // A conflict has a table of its own.
  const changes = row.conflict === undefined ? (row.changes ?? []) : [];
  const cellsOf = (of: readonly RowCell[]) =>
    of.map((cell) => <CellView key={cell.column} {...{ rows, detail, cell }} />);
  return (
    <>
      <Offered rows={rows} />
      {lines.map((line) => (
        <p key={line} class={bad.length > 0 || row.status === 'failed' ? 'bad-text' : undefined}>
          {line}
        </p>
      ))}
      {(row.conflict ?? row.decided) != null && <Conflict rows={rows} detail={detail} />}
      <Part title={changes.length > 0 && t('Changes', 'Wijzigingen')}>
        <Pairs
          of={changes.map((change) => [
            <FieldName key="" sheet={row.sheet} field={change.field} />,
            <OldNew key="" change={change} sheet={row.sheet} />,
          ])}
        />
      </Part>
      <Part title={bad.length > 0 && t('To correct', 'Te verbeteren')}>{cellsOf(bad)}</Part>
      <Part title={others.length > 0 && t('In your file', 'In je bestand')}>{cellsOf(others)}</Part>
      {row.id !== undefined && <History key={`${row.sheet} ${row.row}`} {...{ rows, detail }} />}
    </>
  );
}

/** Who changed the row's record from here, when, and what others did between; asked for once it is opened. */
function History({ rows, detail: { row } }: RowProps) {
  const [changes, setChanges] = useState<AnswerOf<'history'>['changes'] | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const { sheet } = row;
  const linesOf = (of: NonNullable<typeof changes>[number]['changes']) => (
    <Pairs
      of={of.map((change) => [
        <FieldName key="" sheet={sheet} field={change.field} />,
        <OldNew key="" change={change} sheet={sheet} />,
      ])}
    />
  );
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open) return;
        setError(null);
        rows.history({ sheet, row: row.row }).then(setChanges, (wrong) => setError(asCallError(wrong)));
      }}
    >
      <summary>{say('Who changed this, and when', 'Wie dit wijzigde, en wanneer')}</summary>
      <ErrorBox error={error} />
      {changes?.map(({ run, file, at, user, status, changes: own, elsewhere }) => (
        <section key={`${run} ${at}`}>
          <p>
            <b>{whenText(at)}</b> {user} <StatusPill status={status} sheet={sheet} />{' '}
            <a href={hrefOf(`/runs/${run}`)}>{file}</a>
          </p>
          {linesOf(own)}
          {elsewhere && (
            <>
              <p class="dim">{say('Before that changed elsewhere:', 'Daarvoor elders gewijzigd:')}</p>
              {linesOf(elsewhere)}
            </>
          )}
        </section>
      ))}
      {changes && (
        <p class="dim">
          {changes.length === 0
            ? say('Nothing was sent to it from here yet.', 'Er is van hier nog niets naartoe verstuurd.')
            : say('This is what was sent from here.', 'Dit is wat van hier verstuurd is.')}
        </p>
      )}
    </details>
  );
}

interface PartProps {
  /** False where there is nothing to show. */
  readonly title: Bilingual | false;
  readonly children: ComponentChildren;
}

const Part = ({ title, children }: PartProps) =>
  title && (
    <section>
      <h3>{said(title)}</h3>
      {children}
    </section>
  );

const emptyOr = (text: string): string => text || say('(empty)', '(leeg)');

interface CellProps extends RowProps {
  readonly cell: RowCell;
}

function CellView({ rows, detail, cell }: CellProps) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const { column, letters, header, field, issues, before } = cell;
  // One to be corrected is ready to be typed into.
  const { bad: isOpen } = cell;
  const usual = useFieldName(detail.row.sheet, field);
  const { canCorrect } = rows;
  const name = usual ?? (header || letters);
  const text = emptyOr(cell.text);
  const address = `${letters}${detail.row.row}`;
  // The place stands above it already.
  const place = `${address} ${field ?? header}: `;
  return (
    <div class={isOpen ? 'cell bad' : 'cell'}>
      <p class="cell-name">
        <b>{name}</b> {header.toLowerCase() !== name.toLowerCase() && <small class="dim">{header} </small>}
        <span class="dim">{address}</span>
      </p>
      <div id={id}>
        {issues.map(({ code, severity, message }) => (
          <p key={code} class={severity === 'error' ? 'bad-text' : 'warn-text'}>
            {message.startsWith(place) ? message.slice(place.length) : message}{' '}
          </p>
        ))}
      </div>
      {canCorrect && (isOpen || opened) ? (
        <CellInput
          // What the server made of it is what is corrected next.
          key={cell.text}
          {...{ rows, cell, label: name, describedBy: id }}
          onClose={isOpen ? undefined : () => setOpened(false)}
          focus={opened || rows.focused.value === column}
        />
      ) : canCorrect ? (
        <button
          type="button"
          class="cell-value"
          aria-label={say(`Change ${name}, now: ${text}`, `${name} wijzigen, nu: ${text}`)}
          onClick={() => setOpened(true)}
        >
          {text}
        </button>
      ) : (
        <span>{text}</span>
      )}
      {before !== null && (
        <p class="row dim">
          {say(`It was: ${emptyOr(before)}`, `Er stond: ${emptyOr(before)}`)}
          {canCorrect && (
            <Button
              {...{ small: true, look: 'plain', icon: 'undo', busy: rows.busy.value }}
              label={say(`Take back the correction of ${name}`, `De verbetering van ${name} terugnemen`)}
              onClick={() => void rows.save(column, null)}
            >
              {say('Take back', 'Terugnemen')}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

interface ChoicesProps {
  readonly rows: Rows;
  /** What can be chosen, which of it is, and what choosing it does. */
  readonly of: readonly (readonly [text: string, pressed: boolean | undefined, choose: () => unknown])[];
}

/** What can be done with the open row, as buttons beside each other. */
const Choices = ({ rows, of }: ChoicesProps) => (
  <div class="row">
    {of.map(([text, pressed, choose]) => (
      <Button key={text} small busy={rows.busy.value} pressed={pressed} onClick={() => void choose()}>
        {text}
      </Button>
    ))}
  </div>
);

const DECISIONS: Readonly<Record<Decision, Bilingual>> = {
  mine: t('Send mine', 'Het mijne versturen'),
  theirs: t('Keep theirs', 'Dat van het systeem houden'),
  skip: t('Leave this row', 'Deze rij laten'),
};

/** What each field of a conflict was, is and was to be, with the choice between them. */
function Conflict({ rows, detail: { row } }: RowProps) {
  return (
    <section class="conflict">
      <h3>{say('Changed by someone else', 'Door iemand anders gewijzigd')}</h3>
      <Table
        heads={[
          say('Field', 'Veld'),
          say('In your file before', 'Eerst in je bestand'),
          say('On the service now', 'Nu in het systeem'),
          say('You want', 'Jij wilt'),
        ]}
      >
        {row.conflict?.map((one) => (
          <ConflictLine key={one.field} sheet={row.sheet} {...one} />
        ))}
      </Table>
      {rows.canCorrect && (
        <Choices
          rows={rows}
          of={(['mine', 'theirs', 'skip'] as const).map((decision) => {
            const isSo = row.decided === decision;
            return [said(DECISIONS[decision]), isSo, () => rows.decide(isSo ? null : decision)];
          })}
        />
      )}
    </section>
  );
}

type ConflictProps = NonNullable<TableRow['conflict']>[number] & { readonly sheet: string };

function ConflictLine({ sheet, field, was, now, mine, names = {} }: ConflictProps) {
  const shown = useShown(sheet, field);
  const [before, there, wanted] = [was, now, mine].map((value) =>
    value === undefined ? say('delete', 'verwijderen') : shown(value, names[String(value)]),
  );
  return (
    <tr>
      <th scope="row">
        <FieldName sheet={sheet} field={field} />
      </th>
      <td>{before}</td>
      <td class={there === before ? undefined : 'warn-text'}>{there}</td>
      <td class={wanted === there ? undefined : 'good-text'}>{wanted}</td>
    </tr>
  );
}

/** What is offered, and what takes it. */
const OFFERS = {
  same: [
    t(
      '“{found}” stands in 1 other cell of that column. “{text}” there too?|“{found}” stands in {n} other cells of that column. “{text}” there too?',
      '“{found}” staat in nog 1 cel van die kolom. Daar ook “{text}”?|“{found}” staat in nog {n} cellen van die kolom. Daar ook “{text}”?',
    ),
    t('Correct it too|Correct all {n}', 'Die ook verbeteren|Alle {n} verbeteren'),
  ],
  open: [
    t(
      '1 other conflict is open. “{text}” there too?|{n} other conflicts are open. “{text}” there too?',
      '1 ander conflict is nog open. Daar ook “{text}”?|{n} andere conflicten zijn nog open. Daar ook “{text}”?',
    ),
    t('There too|The same for all {n}', 'Daar ook|Hetzelfde voor alle {n}'),
  ],
  taken: [
    t(
      '1 other cell was corrected too: “{text}”.|{n} other cells were corrected too: “{text}”.',
      'Ook 1 andere cel is verbeterd: “{text}”.|Ook {n} andere cellen zijn verbeterd: “{text}”.',
    ),
    t('Take it back|Take all back', 'Terugnemen|Alle terugnemen'),
  ],
} as const;

/** Offers the same for other rows, or to take that back. */
function Offered({ rows }: Pick<RowProps, 'rows'>) {
  const offer = rows.offer.value;
  if (offer === null) return null;
  const { found, isTaken, text, corrections, decisions } = offer;
  const [offered, take] = OFFERS[isTaken ? 'taken' : found === null ? 'open' : 'same'];
  const values = {
    n: corrections.length + decisions.length,
    found: emptyOr(found ?? ''),
    text: found === null ? said(DECISIONS[text as Decision]) : emptyOr(text),
  };
  return (
    <Box tone="good" role="status">
      <p>{said(offered, values)}</p>
      <div class="row">
        <Button small busy={rows.busy.value} onClick={() => void rows.take(offer)}>
          {said(take, values)}
        </Button>
        <Button
          small
          look="plain"
          onClick={() => {
            rows.offer.value = null;
          }}
        >
          {isTaken ? say('Close', 'Sluiten') : say('No', 'Nee')}
        </Button>
      </div>
    </Box>
  );
}

/** Asks the user what nobody else can tell: whether a row arrived. */
const Doubt = ({ rows }: Pick<RowProps, 'rows'>) => (
  <Box tone="warn">
    <h3>{say('Did it arrive?', 'Is het aangekomen?')}</h3>
    <p>
      {say(
        'This row was sent and no answer came, so it may have arrived. Look it up on the service: if it is there, say so; if it isn’t, send it again. Sending it again when it did arrive makes it twice.',
        'Deze rij is verstuurd en er kwam geen antwoord, dus misschien is hij aangekomen. Zoek hem op in het systeem: staat hij er, zeg dat dan; staat hij er niet, verstuur hem dan opnieuw. Opnieuw versturen terwijl hij er al is, maakt hem dubbel.',
      )}
    </p>
    <Choices
      rows={rows}
      of={[
        [say('It did arrive', 'Het is aangekomen'), undefined, () => rows.settle('done')],
        [say('Send again', 'Opnieuw versturen'), undefined, () => rows.settle('resend')],
      ]}
    />
  </Box>
);

interface InputProps {
  readonly rows: Rows;
  readonly cell: RowCell;
  readonly label: string;
  readonly describedBy: string;
  /** Leaves the cell as it is; undefined where it is to be corrected. */
  readonly onClose: (() => void) | undefined;
  readonly focus: boolean;
}

/** Choices that are a button each; of more some are listed as one types. */
const FEW = 6;
/** What is to stand in a cell: typed, or chosen from what the service knows. Enter saves it. */
function CellInput({ rows, cell, label, describedBy, onClose, focus }: InputProps) {
  const [text, setText] = useState(cell.text);
  const [entries, setEntries] = useState<AnswerOf<'suggest'>['entries']>([]);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const busy = rows.busy.value;
  const few = entries.length > FEW ? [] : entries.map((one) => one.text);
  const save = (chosen: string): void => {
    if (busy) return;
    onClose?.();
    void rows.save(cell.column, chosen);
  };
  useEffect(() => {
    if (!focus) return;
    field.current?.focus();
    field.current?.select();
  }, [focus]);
  useEffect(() => {
    // Whoever can't choose can still type.
    if (cell.list) void rows.suggest(cell.column).then(setEntries, () => {});
  }, []);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        save(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || onClose === undefined) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <input
        ref={field}
        type="text"
        value={text}
        list={cell.list ? `${id}-list` : undefined}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={cell.issues.some(({ severity }) => severity === 'error') || undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {entries.map(({ text: one, id: number }) => (
          <option key={one} value={one}>
            {number}
          </option>
        ))}
      </datalist>
      <Button submit small look="primary" busy={busy}>
        {say('Save', 'Opslaan')}
      </Button>
      {onClose && (
        <Button small look="plain" onClick={onClose}>
          {say('Cancel', 'Annuleren')}
        </Button>
      )}
      {text === cell.text && (
        <div class="row">
          {[...new Set([...cell.answers, ...few])].map((one) => (
            <Button key={one} small busy={busy} onClick={() => save(one)}>
              {one}
            </Button>
          ))}
        </div>
      )}
    </form>
  );
}
