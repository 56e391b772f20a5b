import { useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { Sheets } from '../../contract/answers.ts';
import type { ChosenReading } from '../../contract/asked.ts';
import { planFile } from '../begin.ts';
import { call } from '../call.ts';
import { said, say, sayCount } from '../language.ts';
import { useAttempt } from '../loaded.ts';
import { Button } from '../pieces/button.tsx';
import { Box, ErrorBox } from '../pieces/error-box.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { announce } from '../pieces/toast.tsx';
import { acceptedAll, proposalsIn, type Reading } from './read/choices.ts';
import { isUnused, showUnused } from './read/column-table.tsx';
import { CsvChoices } from './read/csv-choices.tsx';
import { SheetCard } from './read/sheet-card.tsx';

const REMEMBERED = t(
  'What you choose is remembered for the next file with these headers.',
  'Wat je kiest, wordt onthouden voor het volgende bestand met deze koppen.',
);

interface ReadProps {
  readonly file: string;
  /** The plan that it has, whose corrections are taken along. */
  readonly plan: string | undefined;
  readonly sheets: Sheets;
  readonly reload: () => void;
}

/** What each sheet and column is taken for, and the way to say otherwise. */
export function ReadScreen({ file, plan: of, sheets: data, reload }: ReadProps) {
  const { busy, wrong, attempt } = useAttempt();
  const [chosen, setChosen] = useState(data.chosen);
  // One after the other: the last choice is the one that stays, and the one that is planned by.
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const own = turn.current.catch(() => {}).then(work);
    turn.current = own;
    return own;
  };
  const take = async (reading: ChosenReading): Promise<void> => {
    try {
      await call('chooseReading', { file, reading });
    } catch (error) {
      setChosen(data.chosen);
      throw error;
    }
    reload();
    announce(say('Changed. The columns were matched again.', 'Gewijzigd. De kolommen zijn opnieuw bepaald.'));
  };
  const plan = async (reading?: ChosenReading): Promise<void> => {
    if (reading !== undefined) await call('chooseReading', { file, reading });
    await planFile(file, of);
  };
  const reading: Reading = {
    sheets: { ...data, chosen },
    choose: (next) => {
      setChosen(next);
      void attempt(() => inTurn(() => take(next)));
    },
  };
  const isAny = data.sheets.some(({ kind }) => kind === 'import');
  const proposals = proposalsIn(data);
  return (
    <>
      <ScreenTitle title={say('How the file is read', 'Hoe het bestand gelezen wordt')} stays>
        {proposals > 0 && (
          <Button
            look="primary"
            icon="right"
            busy={busy}
            onClick={() => void attempt(() => inTurn(() => plan(acceptedAll(reading.sheets))))}
          >
            {say('Take the proposals and continue', 'Voorstellen overnemen en verder')}
          </Button>
        )}
        <Button
          look={proposals > 0 ? undefined : 'primary'}
          icon="right"
          busy={busy}
          disabled={!isAny}
          onClick={() => void attempt(() => inTurn(() => plan()))}
        >
          {said(proposals > 0 ? t('Continue without them', 'Verder zonder') : t('Continue', 'Verder'))}
        </Button>
      </ScreenTitle>
      <ErrorBox error={wrong} />
      <div aria-busy={busy}>
        <Summary reading={reading} isAny={isAny} />
        {data.format === 'csv' && <CsvChoices reading={reading} />}
        {data.sheets
          .filter(({ own }) => !own)
          .map((sheet) => (
            <SheetCard key={sheet.sheet} sheet={sheet} reading={reading} />
          ))}
      </div>
    </>
  );
}

function Summary({ reading, isAny }: { readonly reading: Reading; readonly isAny: boolean }) {
  const { sheets } = reading;
  const proposals = proposalsIn(sheets);
  if (proposals > 0)
    return (
      <Box tone="warn">
        <strong>
          {sayCount(
            proposals,
            t('1 proposal, for a header that isn’t known', '1 voorstel, voor een kop die niet bekend is'),
            t(
              '{n} proposals, for headers that aren’t known',
              '{n} voorstellen, voor koppen die niet bekend zijn',
            ),
          )}
        </strong>
        . {said(REMEMBERED)}
      </Box>
    );
  if (!isAny)
    return (
      <Box tone="warn">
        {say(
          'No sheet of this file is taken for anything yet. Choose below what a sheet holds.',
          'Nog geen werkblad van dit bestand wordt ergens voor genomen. Kies hieronder wat een werkblad bevat.',
        )}
      </Box>
    );
  if (sheets.exact)
    return (
      <Box tone="good">
        {say(
          'Everything was recognised. You can still change what each column is.',
          'Alles is herkend. Je kunt nog steeds wijzigen wat elke kolom is.',
        )}
      </Box>
    );
  const unused = sheets.sheets
    .filter(({ kind }) => kind === 'import')
    .flatMap(({ columns }) => columns.filter(isUnused)).length;
  return (
    <Box>
      <p>
        {unused > 0 && (
          <>
            <strong>
              {sayCount(
                unused,
                t(
                  '1 column isn’t used. Say what it is, or leave it.',
                  '1 kolom wordt niet gebruikt. Zeg wat het is, of laat het zo.',
                ),
                t(
                  '{n} columns aren’t used. Say what they are, or leave them.',
                  '{n} kolommen worden niet gebruikt. Zeg wat het zijn, of laat het zo.',
                ),
              )}
            </strong>{' '}
          </>
        )}
        {said(REMEMBERED)}
      </p>
      {unused > 0 && (
        <Button small onClick={showUnused}>
          {said(unused === 1 ? t('Show it', 'Laat zien') : t('Show the first', 'Laat de eerste zien'))}
        </Button>
      )}
    </Box>
  );
}
