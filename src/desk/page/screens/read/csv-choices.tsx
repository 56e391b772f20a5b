import { type Bilingual, same, t } from '../../../../core/language.ts';
import { said, say } from '../../language.ts';
import { type Option, Select } from '../../pieces/field.tsx';
import type { Reading } from './choices.ts';

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

/** How a CSV is read: what a workbook says itself. */
export function CsvChoices({ reading: { sheets, choose } }: { readonly reading: Reading }) {
  const { delimiter, encoding, sample, chosen } = sheets;
  const wordOf = DELIMITERS.find(([one]) => one === delimiter)?.[1];
  const choice = (
    name: 'delimiter' | 'encoding' | 'locale',
    label: Bilingual,
    usual: string,
    options: readonly (readonly [string, Bilingual])[],
    hint?: string,
  ) => (
    <Select
      {...{ label: said(label), hint, value: chosen[name] ?? '' }}
      groups={[[null, [['', usual], ...options.map(([one, word]): Option => [one, said(word)])]]]}
      onValue={(value) => choose({ ...chosen, [name]: value || undefined })}
    />
  );
  const found = (what: string | null): string =>
    what === null ? '' : say(`found: ${what}`, `gevonden: ${what}`);
  return (
    <fieldset class="choices fields">
      <legend>{say('How the CSV is read', 'Hoe de CSV gelezen wordt')}</legend>
      {choice(
        'delimiter',
        t('Between columns stands', 'Tussen kolommen staat'),
        found(wordOf === undefined ? delimiter : said(wordOf)),
        DELIMITERS,
      )}
      {choice(
        ...([
          'encoding',
          t('Letters are written as', 'Letters zijn geschreven als'),
          found(encoding),
          ENCODINGS,
        ] as const),
        sample === null
          ? undefined
          : say(`Does this word look right? “${sample}”`, `Staat dit woord er goed? “${sample}”`),
      )}
      {choice(
        'locale',
        t('Numbers are written as', 'Getallen zijn geschreven als'),
        say('as set up', 'zoals ingesteld'),
        LOCALES,
      )}
    </fieldset>
  );
}
