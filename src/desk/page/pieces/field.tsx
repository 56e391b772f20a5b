import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useAttempt } from '../live.ts';
import { Button, ErrorBox } from './controls.tsx';

interface InputProps {
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'url' | 'password' | 'date';
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** It is heard once it is left, not with each key. */
  readonly late?: boolean;
  readonly min?: string;
  readonly required?: boolean;
}

/** A field to type in, with its label and below it a hint. */
export function Input({ label, hint, type, onValue, late, ...given }: InputProps) {
  const id = useId();
  const hear = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    onValue(currentTarget.value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...given}
        {...(late ? { onChange: hear } : { onInput: hear })}
        id={id}
        type={(type ?? 'text') as 'text'}
        autocomplete="off"
        maxLength={8192}
        aria-describedby={hint && `${id}-hint`}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** What can be chosen: a value with its word. */
export type Option = readonly [value: string, word: string];

interface SelectProps {
  readonly label: string;
  readonly value: string;
  /** Groups of options by their name; those without a name come by themselves, and an empty one is not shown. */
  readonly groups: readonly (readonly [name: string | null, options: readonly Option[]])[];
  readonly onValue: (value: string) => void;
  /** Its label is not seen, and read out all the same. */
  readonly bare?: boolean;
}

/** A list to choose from, with its label. */
export function Select({ label, value, groups, onValue, bare }: SelectProps) {
  const list = (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {groups.map(([name, of]) => {
        const options = of.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ));
        return name === null || of.length === 0 ? options : <optgroup label={name}>{options}</optgroup>;
      })}
    </select>
  );
  return bare ? (
    list
  ) : (
    <div class="field">
      <span class="label">{label}</span>
      {list}
    </div>
  );
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to tick, with its text. */
export const Check = ({ checked, onChange, children }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{children}</span>
  </label>
);

interface ChecksProps {
  readonly of: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

/** A box to tick for each of some choices. */
export const Checks = ({ of, chosen, onChosen }: ChecksProps) => (
  <>
    {of.map(([name, word]) => (
      <Check
        key={name}
        checked={chosen.includes(name)}
        onChange={(on) => onChosen(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
      >
        {word}
      </Check>
    ))}
  </>
);

interface FormProps {
  /** What its button is called. */
  readonly word: string;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly onSubmit: () => Promise<unknown>;
  /** Stands beside the button. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Fields that are sent together: the browser checks them first. */
export function Form({ word, busy = false, disabled = false, onSubmit, beside, children }: FormProps) {
  const own = useAttempt();
  const isBusy = busy || own.busy;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && !disabled) void own.attempt(onSubmit);
      }}
    >
      {children}
      <p class="row">
        <Button submit look="primary" busy={isBusy} disabled={disabled}>
          {word}
        </Button>
        {beside}
      </p>
      <ErrorBox error={own.wrong} />
    </form>
  );
}
