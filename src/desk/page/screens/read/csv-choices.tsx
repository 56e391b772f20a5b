import { type Bilingual, same, t } from '../../../../core/language.ts';
import { said, say } from '../../language.ts';
import { type Option, Select } from '../../pieces/field.tsx';
import type { Reading } from './reading.ts';

const DELIMITERS: Readonly<Record<string, Bilingual>> = {
  ';': t('semicolon  ;', 'puntkomma  ;'),
  ',': t('comma  ,', 'komma  ,'),
  '\t': t('tab', 'tab'),
  '|': t('bar  |', 'streep  |'),
};
const ENCODINGS: Readonly<Record<string, Bilingual>> = {
  'utf-8': same('UTF-8'),
  'windows-1252': t('Windows, Western Europe', 'Windows, West-Europa'),
  'utf-16le': same('UTF-16'),
  macintosh: t('Mac, older', 'Mac, ouder'),
};
const LOCALES: Readonly<Record<string, Bilingual>> = { nl: same('1.234,50'), en: same('1,234.50') };

/** How a CSV is read: what a workbook says itself. */
export function CsvChoices({ reading: { sheets, choose } }: { readonly reading: Reading }) {
  const { delimiter, encoding, sample, chosen } = sheets;
  const wordOf = DELIMITERS[delimiter ?? ''];
  const choice = (
    name: 'delimiter' | 'encoding' | 'locale',
    label: string,
    usual: string,
    options: typeof DELIMITERS,
  ) => (
    <Select
      label={label}
      value={chosen[name] ?? ''}
      groups={[
        [null, [['', usual]]],
        [null, Object.entries(options).map(([one, word]): Option => [one, said(word)])],
      ]}
      onValue={(value) => choose({ [name]: value || undefined })}
    />
  );
  const found = (what: string | null): string => (what && say(`found: ${what}`, `gevonden: ${what}`)) || '';
  return (
    <fieldset class="choices fields">
      <legend>{say('How the CSV is read', 'Hoe de CSV gelezen wordt')}</legend>
      {choice(
        'delimiter',
        say('Between columns stands', 'Tussen kolommen staat'),
        found(wordOf === undefined ? delimiter : said(wordOf)),
        DELIMITERS,
      )}
      <div>
        {choice(
          'encoding',
          say('Letters are written as', 'Letters zijn geschreven als'),
          found(encoding),
          ENCODINGS,
        )}
        {sample !== null && (
          <p class="hint">
            {say(`Does this word look right? “${sample}”`, `Staat dit woord er goed? “${sample}”`)}
          </p>
        )}
      </div>
      {choice(
        'locale',
        say('Numbers are written as', 'Getallen zijn geschreven als'),
        say('as set up', 'zoals ingesteld'),
        LOCALES,
      )}
    </fieldset>
  );
}
