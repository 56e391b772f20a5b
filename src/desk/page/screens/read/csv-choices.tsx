import type { JSX } from 'preact';
import { type Bilingual, same, t } from '../../../../core/language.ts';
import { say } from '../../language.ts';
import { Field, type Option, Options } from '../../pieces/field.tsx';
import type { Reading } from './choices.ts';

const TITLE = t('How the CSV is read', 'Hoe de CSV gelezen wordt');
const DELIMITER = t('Between columns stands', 'Tussen kolommen staat');
const ENCODING = t('Letters are written as', 'Letters zijn geschreven als');
const LOCALE = t('Numbers are written as', 'Getallen zijn geschreven als');
const SAMPLE = t('Does this word look right? “{word}”', 'Staat dit woord er goed? “{word}”');
const FOUND = t('found: {what}', 'gevonden: {what}');

const DELIMITERS: readonly (readonly [string, Bilingual])[] = [
  [';', t('semicolon  ;', 'puntkomma  ;')],
  [',', t('comma  ,', 'komma  ,')],
  ['\t', t('tab', 'tab')],
  ['|', t('bar  |', 'streep  |')],
];
const ENCODINGS: readonly (readonly [string, Bilingual])[] = [
  ['utf-8', same('UTF-8')],
  ['windows-1252', t('Windows, Western Europe', 'Windows, West-Europa')],
  ['utf-16le', same('UTF-16')],
  ['macintosh', t('Mac, older', 'Mac, ouder')],
];
const LOCALES: readonly (readonly [string, Bilingual])[] = [
  ['nl', same('1.234,50')],
  ['en', same('1,234.50')],
];
const USUAL = t('as set up', 'zoals ingesteld');

/** How a CSV is read: what a workbook says itself. */
export function CsvChoices({ reading: { sheets, choose } }: { readonly reading: Reading }): JSX.Element {
  const { delimiter, encoding, sample } = sheets;
  const { chosen } = sheets;
  const found = (what: string | null): string => (what === null ? '' : say(FOUND, { what }));
  return (
    <fieldset class="tile choices fields">
      <legend>{say(TITLE)}</legend>
      <Choice
        label={say(DELIMITER)}
        value={chosen.delimiter}
        usual={found(delimiterWord(delimiter))}
        choices={DELIMITERS}
        onChoose={(value) => choose({ ...chosen, delimiter: value })}
      />
      <Choice
        label={say(ENCODING)}
        value={chosen.encoding}
        usual={found(encoding)}
        choices={ENCODINGS}
        hint={sample === null ? undefined : say(SAMPLE, { word: sample })}
        onChoose={(value) => choose({ ...chosen, encoding: value })}
      />
      <Choice
        label={say(LOCALE)}
        value={chosen.locale}
        usual={say(USUAL)}
        choices={LOCALES}
        onChoose={(value) =>
          choose({ ...chosen, locale: value === 'nl' || value === 'en' ? value : undefined })
        }
      />
    </fieldset>
  );
}

function delimiterWord(delimiter: string | null): string | null {
  const known = DELIMITERS.find(([one]) => one === delimiter);
  return known === undefined ? delimiter : say(known[1]);
}

interface ChoiceProps {
  readonly label: string;
  /** Undefined: as it was found. */
  readonly value: string | undefined;
  readonly usual: string;
  readonly choices: readonly (readonly [string, Bilingual])[];
  readonly hint?: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}

function Choice({ label, value, usual, choices, hint, onChoose }: ChoiceProps): JSX.Element {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(control) => (
        <select
          {...control}
          value={value ?? ''}
          onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
        >
          <Options of={[['', usual], ...choices.map(([name, word]): Option => [name, say(word)])]} />
        </select>
      )}
    </Field>
  );
}
