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
