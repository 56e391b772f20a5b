import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import type { ChosenReading, SheetsDocument } from '../../contract/sheets-document.ts';
import { beginPlan } from '../begin.ts';
import { call } from '../call.ts';
import { say, sayCount } from '../language.ts';
import { asCallError, useLoaded } from '../loaded.ts';
import { Box } from '../pieces/box.tsx';
import { Button } from '../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../pieces/error-box.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { announce } from '../pieces/toast.tsx';
import { goTo } from '../router.ts';
import { DocumentsPart } from './beside/documents-part.tsx';
import type { StepProps } from './draft-screen.tsx';
import { acceptedAll, proposalsIn, type Reading } from './read/choices.ts';
import { isUnused, showUnused } from './read/column-table.tsx';
import { CsvChoices } from './read/csv-choices.tsx';
import { OpenProposals } from './read/open-proposals.tsx';
import { SheetCard } from './read/sheet-card.tsx';
import { UseChoice } from './read/use-choice.tsx';

const TITLE = t('How the file is read', 'Hoe het bestand gelezen wordt');
const MAKE = t('Make the plan', 'Plan maken');
const NONE = t(
  'No sheet of this file is taken for anything yet. Choose below what a sheet holds.',
  'Nog geen werkblad van dit bestand wordt ergens voor genomen. Kies hieronder wat een werkblad bevat.',
);
const ONE_PROPOSAL = t(
  '1 proposal, for a header that isn’t known',
  '1 voorstel, voor een kop die niet bekend is',
);
const PROPOSALS = t(
  '{n} proposals, for headers that aren’t known',
  '{n} voorstellen, voor koppen die niet bekend zijn',
);
const TAKE = t('Take all proposals', 'Alle voorstellen overnemen');
const KEPT = t('Changed. The columns were matched again.', 'Gewijzigd. De kolommen zijn opnieuw bepaald.');
const REMEMBERED = t(
  'What you choose is remembered for the next file with these headers.',
  'Wat je kiest, wordt onthouden voor het volgende bestand met deze koppen.',
);
const ONE_UNUSED = t(
  '1 column isn’t used. Say what it is, or leave it.',
  '1 kolom wordt niet gebruikt. Zeg wat het is, of laat het zo.',
);
const UNUSED = t(
  '{n} columns aren’t used. Say what they are, or leave them.',
  '{n} kolommen worden niet gebruikt. Zeg wat het zijn, of laat het zo.',
);
const SHOW_ONE = t('Show it', 'Laat zien');
const SHOW_FIRST = t('Show the first', 'Laat de eerste zien');
const EXACT = t(
  'Everything was recognised. You can still change what each column is.',
  'Alles is herkend. Je kunt nog steeds wijzigen wat elke kolom is.',
);

/** What a file is taken for, and what the user does about it. */
function useReading(draft: string) {
  const params = { draft };
  const loaded = useLoaded(`sheets ${draft}`, (signal) => call('sheets', { params, signal }));
  const answered = useSignal<SheetsDocument | null>(null);
  const busy = useSignal<'choice' | 'plan' | null>(null);
  const wrong = useSignal<Wrong | null>(null);
  const attempt = async (what: 'choice' | 'plan', work: () => Promise<void>): Promise<void> => {
    busy.value = what;
    wrong.value = null;
    await work().catch((failed: unknown) => {
      wrong.value = asCallError(failed);
    });
    busy.value = null;
  };
  return {
    ...loaded,
    ...{ sheets: answered.value ?? loaded.data, busy: busy.value, wrong: wrong.value },
    choose: (chosen: ChosenReading) =>
      attempt('choice', async () => {
        answered.value = await call('chooseReading', { params, body: chosen });
        announce(say(KEPT));
      }),
    /** `chosen`: taken first. */
    plan: (chosen?: ChosenReading) =>
      attempt('plan', async () => {
        if (chosen !== undefined) answered.value = await call('chooseReading', { params, body: chosen });
        await beginPlan(draft);
        goTo({ page: 'draft', draft, step: 'plan' });
      }),
  };
}

/** What each sheet and column is taken for, and the way to say otherwise. */
export function ReadScreen({ draft }: StepProps): JSX.Element {
  const { sheets, busy, wrong, error, reload, choose, plan } = useReading(draft.id);
  const reading: Reading | null = sheets === null ? null : { sheets, choose: (next) => void choose(next) };
  const isAny = sheets?.sheets.some(({ kind }) => kind === 'import') === true;
  /** How often it was asked what becomes of open proposals; 0 where it was not. */
  const asked = useSignal(0);
  const proposals = sheets === null ? 0 : proposalsIn(sheets);
  return (
    <>
      <ScreenTitle title={say(TITLE)} stays>
        <Button
          look="primary"
          icon="right"
          busy={busy === 'plan'}
          disabled={!isAny || busy !== null}
          onClick={() => {
            if (proposals === 0) void plan();
            else asked.value++;
          }}
        >
          {say(MAKE)}
        </Button>
      </ScreenTitle>
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      {wrong !== null && <ErrorBox error={wrong} />}
      {sheets !== null && proposals > 0 && asked.value > 0 && (
        <OpenProposals
          key={asked.value}
          count={proposals}
          busy={busy !== null}
          onTake={() => void plan(acceptedAll(sheets))}
          onLeave={() => void plan()}
        />
      )}
      {reading === null ? (
        error === null && <div class="skeleton tall" />
      ) : (
        <div class={busy === 'choice' ? 'reading busy' : 'reading'} aria-busy={busy === 'choice'}>
          <UseChoice reading={reading} />
          {draft.use === 'documents' && reading.sheets.use === 'documents' && <DocumentsPart draft={draft} />}
          <Summary reading={reading} isAny={isAny} />
          {reading.sheets.format === 'csv' && <CsvChoices reading={reading} />}
          {reading.sheets.sheets
            .filter(({ own }) => !own)
            .map((sheet) => (
              <SheetCard key={sheet.sheet} sheet={sheet} reading={reading} />
            ))}
        </div>
      )}
    </>
  );
}

function Summary({ reading, isAny }: { readonly reading: Reading; readonly isAny: boolean }): JSX.Element {
  const { sheets, choose } = reading;
  const proposals = proposalsIn(sheets);
  if (proposals > 0)
    return (
      <Box tone="warn">
        <p>
          <strong>{sayCount(proposals, ONE_PROPOSAL, PROPOSALS)}</strong>. {say(REMEMBERED)}
        </p>
        <Button small icon="check" onClick={() => choose(acceptedAll(sheets))}>
          {say(TAKE)}
        </Button>
      </Box>
    );
  if (!isAny) return <Box tone="warn">{say(NONE)}</Box>;
  if (sheets.exact) return <Box tone="good">{say(EXACT)}</Box>;
  const unused = sheets.sheets
    .filter(({ kind }) => kind === 'import')
    .flatMap(({ columns }) => columns.filter(isUnused)).length;
  return (
    <Box>
      <p>
        {unused > 0 && (
          <>
            <strong>{sayCount(unused, ONE_UNUSED, UNUSED)}</strong>{' '}
          </>
        )}
        {say(REMEMBERED)}
      </p>
      {unused > 0 && (
        <Button small onClick={showUnused}>
          {say(unused === 1 ? SHOW_ONE : SHOW_FIRST)}
        </Button>
      )}
    </Box>
  );
}
