import { useRef, useState } from 'preact/hooks';
import { type Bilingual, same, t } from '../../../core/language.ts';
import type { Sheets } from '../../contract/answers.ts';
import type { ChosenReading } from '../../contract/asked.ts';
import { call } from '../call.ts';
import { said, say } from '../language.ts';
import { useAttempt, useLoaded } from '../live.ts';
import { Box, Button, ButtonLink, ErrorBox, type Wrong } from '../pieces/controls.tsx';
import { type Option, Select } from '../pieces/field.tsx';
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
        {data.format === 'csv' && <CsvChoices reading={reading} />}
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

const REMEMBERED = t(
  'What you choose is remembered for the next file with these headers.',
  'Wat je kiest, wordt onthouden voor het volgende bestand met deze koppen.',
);

function Summary({ sheets }: Pick<Reading, 'sheets'>) {
  const proposals = proposalsIn(sheets);
  const imported = sheets.sheets.filter(({ kind }) => kind === 'import');
  const unused = imported.flatMap(({ columns }) => columns.filter(isUnused)).length;
  if (proposals > 0)
    return (
      <Box tone="warn">
        <strong>
          {say(
            '1 proposal, for a header that isn’t known|{n} proposals, for headers that aren’t known',
            '1 voorstel, voor een kop die niet bekend is|{n} voorstellen, voor koppen die niet bekend zijn',
            proposals,
          )}
        </strong>
        . {said(REMEMBERED)}
      </Box>
    );
  if (imported.length === 0)
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
    <Box>
      <p>
        {unused > 0 && (
          <strong>
            {say(
              '1 column isn’t used. Say what it is, or leave it.|{n} columns aren’t used. Say what they are, or leave them.',
              '1 kolom wordt niet gebruikt. Zeg wat het is, of laat het zo.|{n} kolommen worden niet gebruikt. Zeg wat het zijn, of laat het zo.',
              unused,
            )}
          </strong>
        )}{' '}
        {said(REMEMBERED)}
      </p>
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

/** What a CSV does not say of itself, and how it can be said. */
const CSV: readonly (readonly [
  name: 'delimiter' | 'encoding' | 'locale',
  label: Bilingual,
  options: Readonly<Record<string, Bilingual>>,
])[] = [
  [
    'delimiter',
    t('Between columns stands', 'Tussen kolommen staat'),
    {
      ';': t('semicolon  ;', 'puntkomma  ;'),
      ',': t('comma  ,', 'komma  ,'),
      '\t': t('tab', 'tab'),
      '|': t('bar  |', 'streep  |'),
    },
  ],
  [
    'encoding',
    t('Letters are written as', 'Letters zijn geschreven als'),
    {
      'utf-8': same('UTF-8'),
      'windows-1252': t('Windows, Western Europe', 'Windows, West-Europa'),
      'utf-16le': same('UTF-16'),
      macintosh: t('Mac, older', 'Mac, ouder'),
    },
  ],
  [
    'locale',
    t('Numbers are written as', 'Getallen zijn geschreven als'),
    { nl: same('1.234,50'), en: same('1,234.50') },
  ],
];

/** How a CSV is read: what a workbook says itself. */
function CsvChoices({ reading: { sheets, choose } }: { readonly reading: Reading }) {
  const { sample, chosen } = sheets;
  return (
    <fieldset class="choices">
      <legend>{say('How the CSV is read', 'Hoe de CSV gelezen wordt')}</legend>
      <div class="fields">
        {CSV.map(([name, label, options]) => {
          const found = name === 'locale' ? null : sheets[name];
          const word = options[found ?? ''];
          const usual =
            found === null
              ? say('as set up', 'zoals ingesteld')
              : `${say('found', 'gevonden')}: ${word === undefined ? found : said(word)}`;
          return (
            <Select
              key={name}
              label={said(label)}
              value={chosen[name] ?? ''}
              groups={[
                [null, [['', usual]]],
                [null, Object.entries(options).map(([one, text]): Option => [one, said(text)])],
              ]}
              onValue={(value) => choose({ [name]: value || undefined })}
            />
          );
        })}
      </div>
      {sample !== null && (
        <p class="hint">
          {say(`Does this word look right? “${sample}”`, `Staat dit woord er goed? “${sample}”`)}
        </p>
      )}
    </fieldset>
  );
}
