import { useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { Sheets } from '../../contract/answers.ts';
import type { ChosenReading } from '../../contract/asked.ts';
import { call } from '../call.ts';
import { said, say } from '../language.ts';
import { useAttempt, useLoaded } from '../live.ts';
import { Box, Button, ButtonLink, ErrorBox, type Wrong } from '../pieces/controls.tsx';
import { Select } from '../pieces/field.tsx';
import { announce, FileHead, ScreenTitle } from '../pieces/frame.tsx';
import { Gone, isNowhere } from './nowhere.tsx';
import { check } from './plan-screen.tsx';
import { isUnused, type Reading, SheetCard, withChoices } from './sheet-card.tsx';

interface ScreenProps {
  readonly file: string;
  /** What stopped its plan. */
  readonly wrong: Wrong | null;
}

/** How a file that was brought is read. */
export function ReadScreen({ file, wrong }: ScreenProps) {
  const { data, error, reload } = useLoaded('sheets', { file });
  if (data === null && isNowhere(error)) return <Gone />;
  return (
    <>
      <FileHead name={data?.file ?? ''} file={file} planned={data?.planned === true} step="read" />
      <ErrorBox error={error} onRetry={reload} />
      <ErrorBox error={wrong} />
      {wrong && <ButtonLink to="/">{say('Another file', 'Nog een bestand')}</ButtonLink>}
      {data && <Choosing file={file} data={data} reload={reload} />}
    </>
  );
}

interface ChoosingProps {
  readonly file: string;
  readonly data: Sheets;
  readonly reload: () => void;
}

/** What each sheet and column is taken for, and the way to say otherwise. */
function Choosing({ file, data, reload }: ChoosingProps) {
  const { busy, wrong, attempt } = useAttempt();
  const [chosen, setChosen] = useState(data.chosen);
  // One after the other: the last choice is the one that stays, and the one that is planned by.
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const inTurn = (work: () => Promise<void>): Promise<unknown> => {
    turn.current = turn.current.then(work, work);
    return turn.current;
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
  const sheets = { ...data, chosen };
  const reading: Reading = {
    sheets,
    choose: (changed) => {
      const next = { ...chosen, ...changed };
      setChosen(next);
      void attempt(() => inTurn(() => take(next)));
    },
  };
  const proposals = proposalsIn(data);
  const goOn = (accepts: boolean) => () =>
    inTurn(async () => {
      const accepted = data.sheets.flatMap(({ accept }) =>
        accept === null ? [] : { ...accept, columns: accept.columns?.map((one) => ({ ...one })) },
      );
      const all = { ...chosen, choices: withChoices(chosen.choices, accepted) };
      if (accepts) await call('chooseReading', { file, reading: all });
      await check(file);
    });
  return (
    <>
      <ScreenTitle title={say('How the file is read', 'Hoe het bestand gelezen wordt')} stays>
        {proposals > 0 && (
          <Button look="primary" icon="right" busy={busy} onClick={goOn(true)}>
            {say('Take the proposals and continue', 'Voorstellen overnemen en verder')}
          </Button>
        )}
        <Button
          look={proposals > 0 ? undefined : 'primary'}
          icon="right"
          busy={busy}
          disabled={data.sheets.every(({ kind }) => kind !== 'import')}
          onClick={goOn(false)}
        >
          {proposals > 0 ? say('Continue without them', 'Verder zonder') : say('Continue', 'Verder')}
        </Button>
      </ScreenTitle>
      <ErrorBox error={wrong} />
      <div aria-busy={busy}>
        <Summary sheets={sheets} />
        {data.format === 'csv' && <CsvRead reading={reading} />}
        {data.sheets.map(
          (sheet) => sheet.own || <SheetCard key={sheet.sheet} sheet={sheet} reading={reading} />,
        )}
      </div>
    </>
  );
}

/** How many proposals there are to accept. */
const proposalsIn = ({ sheets }: Sheets): number =>
  sheets.flatMap(({ columns, resourceWhy }) =>
    [resourceWhy, ...columns.map(({ why }) => why)].filter((why) => why === 'proposed'),
  ).length;

function Summary({ sheets }: Pick<Reading, 'sheets'>) {
  const proposals = proposalsIn(sheets);
  const imported = sheets.sheets.filter(({ kind }) => kind === 'import');
  const unused = imported.flatMap(({ columns }) => columns.filter(isUnused)).length;
  if (proposals === 0 && imported.length === 0)
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
  return (
    <Box tone={proposals > 0 ? 'warn' : 'plain'}>
      {proposals > 0 &&
        say(
          '1 proposal, for a header that isn’t known.|{n} proposals, for headers that aren’t known.',
          '1 voorstel, voor een kop die niet bekend is.|{n} voorstellen, voor koppen die niet bekend zijn.',
          proposals,
        )}{' '}
      {proposals === 0 &&
        unused > 0 &&
        say(
          '1 column isn’t used. Say what it is, or leave it.|{n} columns aren’t used. Say what they are, or leave them.',
          '1 kolom wordt niet gebruikt. Zeg wat het is, of laat het zo.|{n} kolommen worden niet gebruikt. Zeg wat het zijn, of laat het zo.',
          unused,
        )}{' '}
      {say(
        'What you choose is remembered for the next file with these headers.',
        'Wat je kiest, wordt onthouden voor het volgende bestand met deze koppen.',
      )}{' '}
      {unused > 0 && (
        <Button small onClick={showUnused}>
          {say('Show it|Show the first', 'Laat zien|Laat de eerste zien', unused)}
        </Button>
      )}
    </Box>
  );
}

/** Shows the first column that is to be looked at: its sheet is opened, and what it is can be chosen. */
function showUnused(): void {
  const first = document.querySelector<HTMLElement>('tr.look select');
  first?.closest('details')?.setAttribute('open', '');
  first?.closest('tr')?.scrollIntoView({ block: 'center' });
  first?.focus({ preventScroll: true });
}

/** How a CSV was read, and how it writes its numbers: what a workbook says itself. */
function CsvRead({ reading: { sheets, choose } }: { readonly reading: Reading }) {
  const { sample, delimiter, encoding, chosen } = sheets;
  return (
    <section>
      <p>
        {said(
          t(
            'Between columns stands {delimiter}, letters are written as {encoding}.',
            'Tussen kolommen staat {delimiter}, letters zijn geschreven als {encoding}.',
          ),
          { delimiter: delimiter === '\t' ? 'tab' : `“${delimiter}”`, encoding: encoding ?? '' },
        )}{' '}
        {sample !== null &&
          say(
            `Does this word look right? “${sample}” If not, save the file anew as UTF-8.`,
            `Staat dit woord er goed? “${sample}” Zo niet, sla het bestand dan opnieuw op als UTF-8.`,
          )}
      </p>
      <Select
        label={say('Numbers are written as', 'Getallen zijn geschreven als')}
        value={chosen.locale ?? ''}
        groups={[
          [
            null,
            [
              ['', say('as set up', 'zoals ingesteld')],
              ['nl', '1.234,50'],
              ['en', '1,234.50'],
            ],
          ],
        ]}
        onValue={(value) => choose({ locale: value === 'nl' || value === 'en' ? value : undefined })}
      />
    </section>
  );
}
