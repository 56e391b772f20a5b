import { aboutText } from '../../../core/codecs/moment.ts';
import { t } from '../../../core/language.ts';
import { figure, language, said, say } from '../language.ts';
import { Box, Button } from '../pieces/controls.tsx';
import { Listed } from '../pieces/lists.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { goTo, hrefOf } from '../router.ts';
import { RowsView } from '../table/rows-view.tsx';
import { check, correctionsText, ELSEWHERE, LeftByUndo, type PlanProps } from './send-screen.tsx';

/** The plan of a file: every row with what would become of it, to be looked through and corrected. */
export function PlanScreen({ run, plan }: PlanProps) {
  const { here, stale, source } = run;
  const { requests, estimateMs, corrections, leftOut, notes } = plan;
  const cost = [
    requests === 0 && corrections === 0
      ? say('Nothing would be sent.', 'Er zou niets worden verstuurd.')
      : say('1 request|{n} requests', '1 verzoek|{n} verzoeken', requests),
    estimateMs !== null && requests > 0 && aboutText(estimateMs)[language.value],
    correctionsText(corrections),
  ];
  return (
    <div class="table-screen">
      <ScreenTitle title={say('What would change', 'Wat er zou veranderen')} stays>
        <span class="dim figures">{cost.filter(Boolean).join(' · ')}</span>
        {here ? (
          <Button
            look="primary"
            icon="right"
            // Corrected rows are checked with all others before anything of them is sent.
            onClick={() =>
              stale ? check(source, 'send') : goTo({ page: 'file', file: source ?? '', step: 'send' })
            }
          >
            {say('Continue', 'Verder')}
          </Button>
        ) : (
          <Button onClick={() => check(source)}>
            {say('Check it for the service in use', 'Nakijken voor het systeem dat in gebruik is')}
          </Button>
        )}
      </ScreenTitle>
      {!here && <Box tone="warn">{said(ELSEWHERE)}</Box>}
      {leftOut.length > 0 && (
        <Box>
          {said(
            t(
              '1 sheet is not imported: {sheets}.|{n} sheets are not imported: {sheets}.',
              '1 werkblad wordt niet geïmporteerd: {sheets}.|{n} werkbladen worden niet geïmporteerd: {sheets}.',
            ),
            { n: leftOut.length, sheets: leftOut.join(', ') },
          )}{' '}
          <a href={hrefOf({ page: 'file', file: source ?? '' })}>
            {say('Say what it holds', 'Zeg wat erop staat')}
          </a>
        </Box>
      )}
      {here && <UnnamedRows run={run} plan={plan} />}
      <LeftByUndo {...plan} />
      {notes.length > 0 && (
        <details class="notes">
          <summary>
            {say(
              `How the file was read (${figure(notes.length)})`,
              `Hoe het bestand gelezen is (${figure(notes.length)})`,
            )}
          </summary>
          <Listed items={notes} />
        </details>
      )}
      <RowsView key={run.run} {...{ run, plan, corrections }} canCorrect={here} />
    </div>
  );
}

/** Asks whether rows that name no record are new; once answered, says so with the way back. */
function UnnamedRows({ run: { source }, plan: { unnamed, createUnnamed } }: PlanProps) {
  const rows = unnamed.reduce((sum, one) => sum + one.rows, 0);
  const sheets = new Intl.ListFormat(language.value).format(unnamed.map(({ sheet }) => sheet));
  if (rows === 0 && !createUnnamed) return null;
  return (
    <Box tone={rows === 0 ? 'plain' : 'warn'}>
      <p>
        {rows === 0 ? (
          say(
            'Rows that name no record are created as new, as you chose.',
            'Rijen die geen record noemen, worden als nieuw aangemaakt, zoals je koos.',
          )
        ) : (
          <>
            {said(
              t(
                '1 row of {sheets} names no record. Is it new?|{n} rows of {sheets} name no record. Are they new?',
                '1 rij van {sheets} noemt geen record. Is die nieuw?|{n} rijen van {sheets} noemen geen record. Zijn die nieuw?',
              ),
              { n: rows, sheets },
            )}{' '}
            {say(
              'A row is found again by its key. Without one it is only created if you say so.',
              'Een rij wordt teruggevonden op zijn sleutel. Zonder sleutel wordt die alleen aangemaakt als jij het zegt.',
            )}
          </>
        )}
      </p>
      <Button small onClick={() => check(source, 'check', { createUnnamed: rows > 0 })}>
        {rows === 0 ? say('Don’t create them', 'Niet aanmaken') : say('Create as new', 'Als nieuw aanmaken')}
      </Button>
    </Box>
  );
}
