import type { JSX } from 'preact';
import { type Bilingual, t } from '../../../../core/language.ts';
import { FILE_USES, type FileUse } from '../../../contract/file-uses.ts';
import { say } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';
import { Button } from '../../pieces/button.tsx';
import { Field } from '../../pieces/field.tsx';
import { chooseUse, type Reading } from './choices.ts';

const LABEL = t('This file is for', 'Dit bestand is voor');

const USES: Readonly<Record<FileUse, Bilingual>> = {
  import: t('importing records', 'het importeren van gegevens'),
  documents: t('uploading documents to events', 'het uploaden van documenten naar evenementen'),
  invoices: t('fetching invoices', 'het ophalen van facturen'),
  refresh: t('refreshing events', 'het verversen van evenementen'),
};
const SERVES = t(
  '{sheet} isn’t imported: it is for {use}. A file is for one thing at a time.',
  '{sheet} wordt niet geïmporteerd: dat is voor {use}. Een bestand is voor één ding tegelijk.',
);
const TAKE = t('Take the file for {use}', 'Neem het bestand voor {use}');

/** What a file is for, and the way to say otherwise; sheets that are for something else are named. */
export function UseChoice({ reading }: { readonly reading: Reading }): JSX.Element {
  const { sheets, choose } = reading;
  return (
    <div class="file-use">
      {sheets.use === 'import' && <OtherUse reading={reading} />}
      <Field label={say(LABEL)}>
        {(control) => (
          <select
            {...control}
            class="narrow"
            value={sheets.use}
            onChange={({ currentTarget }) => choose(chooseUse(sheets, currentTarget.value as FileUse))}
          >
            {FILE_USES.map((use) => (
              <option key={use} value={use}>
                {say(USES[use])}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

function OtherUse({ reading }: { readonly reading: Reading }): JSX.Element | null {
  const { sheets, choose } = reading;
  const other = sheets.sheets.find(({ serves }) => serves !== null);
  const use = FILE_USES.find((one) => one === other?.serves);
  if (other === undefined || use === undefined) return null;
  const words = { sheet: other.sheet, use: say(USES[use]) };
  return (
    <Box tone="warn">
      <p>{say(SERVES, words)}</p>
      <Button small onClick={() => choose(chooseUse(sheets, use))}>
        {say(TAKE, words)}
      </Button>
    </Box>
  );
}
