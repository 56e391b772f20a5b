import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import { say } from '../../language.ts';
import { Field } from '../../pieces/field.tsx';

const HINT = t(
  'With spaces, commas or lines between them: a column of a sheet can be pasted.',
  'Met spaties, komma’s of regels ertussen: een kolom uit een werkblad kun je plakken.',
);

interface NumbersProps {
  readonly label: string;
  readonly text: string;
  readonly wrong: string | null;
  readonly onText: (text: string) => void;
}

/** A place to type or paste numbers. */
export function NumbersField({ label, text, wrong, onText }: NumbersProps): JSX.Element {
  return (
    <Field label={label} hint={say(HINT)} error={wrong}>
      {(control) => (
        <textarea
          {...control}
          class="numbers"
          rows={3}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </Field>
  );
}
