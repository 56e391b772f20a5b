import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { AnswerOf, RowCell } from '../../contract/answers.ts';
import { say } from '../language.ts';
import { Button } from '../pieces/controls.tsx';
import type { Rows } from './rows.ts';

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
/** Rest after typing until choices are asked for, ms. */
const TYPING_MS = 120;

/** What is to stand in a cell: typed, or chosen from what the service knows. Enter saves it. */
export function CellInput({ rows, cell, label, describedBy, onClose, focus }: InputProps) {
  const [text, setText] = useState(cell.text);
  const [entries, setEntries] = useState<AnswerOf<'suggest'>['entries']>([]);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const busy = rows.busy.value;
  // What stands there is no word to search for: all are listed until something else is typed.
  const search = text === cell.text ? '' : text;
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
    if (!cell.list) return;
    // Whoever can't choose can still type.
    const ask = (): unknown => rows.suggest(cell.column, search).then(setEntries, () => {});
    const wait = setTimeout(ask, TYPING_MS);
    return () => clearTimeout(wait);
  }, [search]);
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
      {search === '' && (
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
