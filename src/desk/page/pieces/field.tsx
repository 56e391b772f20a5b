import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

/** What ties a control to its label, its hint and its error. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  /** Makes the control; what it is given goes onto the input or select. */
  readonly children: (control: ControlProps) => ComponentChildren;
}

/** A control with its label, and below it a hint or what is wrong. */
export function Field({ label, hint, error, children }: FieldProps): JSX.Element {
  const id = useId();
  const wrong = error !== undefined && error !== null && error !== '';
  const described = [wrong ? `${id}-error` : '', hint === undefined ? '' : `${id}-hint`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': wrong ? 'true' : undefined,
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong && (
        <p class="wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface InputProps extends Omit<FieldProps, 'children'> {
  readonly type?: 'text' | 'url' | 'password' | 'date';
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** It is heard once it is left, not with each key. */
  readonly late?: boolean;
  readonly min?: string;
  readonly required?: boolean;
}

/** A field to type in, with its label. */
export const Input = ({
  type = 'text',
  onValue,
  late,
  value,
  min,
  required,
  ...field
}: InputProps): JSX.Element => {
  const hear = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    onValue(currentTarget.value);
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...{ ...control, value, min, required }}
          type={type as 'text'}
          autocomplete="off"
          maxLength={8192}
          {...(late ? { onChange: hear } : { onInput: hear })}
        />
      )}
    </Field>
  );
};

/** What can be chosen: a value with its word. */
export type Option = readonly [value: string, word: string];

interface OptionsProps {
  /** Null for none. */
  readonly group?: string | null;
  readonly of: readonly Option[];
}

/** Some of the options of a list, under a name where they have one; nothing where there are none. */
export function Options({ group = null, of }: OptionsProps): JSX.Element | null {
  const options = of.map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));
  if (of.length === 0) return null;
  return group === null ? <>{options}</> : <optgroup label={group}>{options}</optgroup>;
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to tick, with its text. */
export function Check({ checked, onChange, children }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
