import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Makes the control; what it is given ties it to its label and hint. */
  readonly children: (control: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
  }) => ComponentChildren;
}

/** A control with its label, and below it a hint. */
function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const described = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described })}
      {hint !== undefined && (
        <p class="hint" id={described}>
          {hint}
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
export const Input = ({ type = 'text', onValue, late, value, min, required, ...field }: InputProps) => {
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

interface SelectProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  /** Groups of options by their name; those without a name come by themselves, and an empty one is not shown. */
  readonly groups: readonly (readonly [name: string | null, options: readonly Option[]])[];
  readonly onValue: (value: string) => void;
  /** Its label is not seen, and read out all the same. */
  readonly bare?: boolean;
}

/** A list to choose from, with its label. */
export function Select({ label, hint, value, groups, onValue, bare = false }: SelectProps) {
  const list = {
    value,
    onChange: (event: { readonly currentTarget: HTMLSelectElement }): void =>
      onValue(event.currentTarget.value),
    children: groups.map(([name, of]) => {
      const options = of.map(([one, word]) => (
        <option key={one} value={one}>
          {word}
        </option>
      ));
      return name === null || of.length === 0 ? options : <optgroup label={name}>{options}</optgroup>;
    }),
  };
  if (bare) return <select aria-label={label} {...list} />;
  return <Field {...{ label, hint }}>{(control) => <select {...control} {...list} />}</Field>;
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

/** A box to tick, with its text. */
export function Check({ checked, onChange, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}
