import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { RowDetail } from '../../contract/documents.ts';
import { say } from '../language.ts';
import { Button } from '../pieces/button.tsx';
import type { Wrong } from '../pieces/error-box.tsx';
import {
  type ChoiceList,
  Choices,
  comboboxRole,
  onChoiceKey,
  type Suggest,
  useChoices,
} from './cell-choices.tsx';

/** A cell of a row, as the user wrote it. */
export type RowCell = RowDetail['cells'][number];

interface InputProps {
  readonly cell: RowCell;
  readonly label: string;
  readonly describedBy: string | undefined;
  /** What was typed before and is not saved; null for nothing. */
  readonly typed: string | null;
  readonly onType: (text: string) => void;
  readonly busy: boolean;
  readonly error: Wrong | null;
  readonly suggest: Suggest;
  readonly onSave: (text: string) => void;
  /** Leaves the cell as it was. */
  readonly onCancel?: (() => void) | undefined;
  readonly focus?: boolean;
}

const SAVE = t('Save', 'Opslaan');
const SEND_AGAIN = t('Save again', 'Nog eens opslaan');
const CANCEL = t('Cancel', 'Annuleren');
const GONE = t(
  'catersheet doesn’t answer. What you typed is kept; save it again in a moment.',
  'catersheet antwoordt niet. Wat je typte, blijft staan; sla het zo nog eens op.',
);

/** What is to stand in a cell: typed, or chosen from what the service knows. Enter saves it. */
export function CellInput(props: InputProps): JSX.Element {
  const { cell, busy, error, onSave, onCancel } = props;
  const [text, setText] = useState(props.typed ?? cell.text);
  const list = useChoices(props.suggest);
  const id = useId();
  const change = (typed: string): void => {
    setText(typed);
    props.onType(typed);
  };
  const save = (chosen: string): void => {
    list.close();
    change(chosen);
    onSave(chosen);
  };
  const marked = list.open ? list.found.entries[list.at] : undefined;
  return (
    <form
      class="cell-input"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) save(marked?.text ?? text);
      }}
    >
      <div class="typed">
        <TypedInput {...props} {...{ id, text, list, onChange: change, marked: marked !== undefined }} />
        <Choices id={id} list={list} label={props.label} onChoose={save} />
      </div>
      <Button submit small look="primary" busy={busy}>
        {say(error === null ? SAVE : SEND_AGAIN)}
      </Button>
      {onCancel !== undefined && (
        <Button small look="plain" onClick={onCancel}>
          {say(CANCEL)}
        </Button>
      )}
      {error !== null && (
        <p class="wrong" id={`${id}-error`} role="alert">
          {error.status === 0 ? say(GONE) : [error.message, error.next].filter(Boolean).join(' ')}
        </p>
      )}
    </form>
  );
}

interface TypedProps extends InputProps {
  readonly id: string;
  readonly text: string;
  readonly list: ChoiceList;
  /** A choice is marked. */
  readonly marked: boolean;
  readonly onChange: (text: string) => void;
}

function TypedInput(props: TypedProps): JSX.Element {
  const { id, text, list, marked, cell, error, busy, onChange } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (props.focus !== true) return;
    field.current?.focus();
    field.current?.select();
  }, [props.focus]);
  const described = [props.describedBy, error === null ? '' : `${id}-error`].filter(Boolean);
  return (
    <input
      ref={field}
      type="text"
      value={text}
      class={cell.list ? 'chooses' : undefined}
      aria-label={props.label}
      aria-describedby={described.join(' ')}
      aria-invalid={cell.issues.some(({ severity }) => severity === 'error') ? 'true' : undefined}
      aria-busy={busy ? 'true' : undefined}
      autocomplete="off"
      spellcheck={false}
      {...comboboxRole(cell.list, id, list, marked)}
      onInput={(event) => {
        onChange(event.currentTarget.value);
        if (cell.list) list.show(event.currentTarget.value);
      }}
      onClick={() => cell.list && !list.open && list.show('')}
      onBlur={() => list.close()}
      onKeyDown={(event) => onChoiceKey(event, list, props.onCancel, cell.list)}
    />
  );
}
