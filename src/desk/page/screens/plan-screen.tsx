import { aboutText } from '../../../core/codecs/moment.ts';
import { t } from '../../../core/language.ts';
import type { Plan, Run } from '../../contract/answers.ts';
import { planAnew } from '../begin.ts';
import { figure, language, said, say, sayCount } from '../language.ts';
import { Act } from '../pieces/act.tsx';
import { Box } from '../pieces/error-box.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { readingOf } from '../pieces/steps.tsx';
import { goTo, hrefOf } from '../router.ts';
import { RowsView } from '../table/rows-view.tsx';
import { LeftByUndo, UnnamedRows } from './plan-parts.tsx';
import { ELSEWHERE } from './runs-screen.tsx';

export const CORRECTIONS = [
  t('1 correction', '1 verbetering'),
  t('{n} corrections', '{n} verbeteringen'),
] as const;

/** What each step with a plan is given. */
export interface PlanProps {
  readonly run: Run;
  readonly plan: Plan;
}

/** The plan of a file: every row with what would become of it, to be looked through and corrected. */
export function PlanScreen({ run, plan }: PlanProps) {
  const { here, stale } = run;
  const { corrections } = plan;
  /** Corrected rows are checked with all others before anything of them is sent. */
  const goOn = async (): Promise<void> =>
    stale ? await planAnew(run, {}, 'send') : goTo({ page: 'run', run: run.run, step: 'send' });
  return (
    <div class="table-screen">
      <ScreenTitle title={say('What would change', 'Wat er zou veranderen')} stays>
        <span class="dim figures">{costText(plan)}</span>
        {here ? (
          <Act look="primary" icon="right" act={goOn}>
            {say('Continue', 'Verder')}
          </Act>
        ) : (
          <Act act={() => planAnew(run)}>
            {say('Check it for the service in use', 'Nakijken voor het systeem dat in gebruik is')}
          </Act>
        )}
      </ScreenTitle>
      {!here && <Box tone="warn">{said(ELSEWHERE)}</Box>}
      <LeftOut run={run} sheets={plan.leftOut} />
      {here && <UnnamedRows run={run} plan={plan} />}
      <LeftByUndo plan={plan} />
      <Notes notes={plan.notes} />
      <RowsView key={run.run} {...{ run, plan, corrections }} canCorrect={here} />
    </div>
  );
}

function costText({ requests, estimateMs, corrections }: Plan): string {
  const time = estimateMs === null || requests === 0 ? '' : aboutText(estimateMs)[language.value];
  const cost =
    requests === 0 && corrections === 0
      ? say('Nothing would be sent.', 'Er zou niets worden verstuurd.')
      : sayCount(requests, t('1 request', '1 verzoek'), t('{n} requests', '{n} verzoeken'));
  return [cost, time, corrections === 0 ? '' : sayCount(corrections, ...CORRECTIONS)]
    .filter(Boolean)
    .join(' · ');
}

/** Names the sheets of the file of which nothing is sent, so that none is missed in silence. */
function LeftOut({ run, sheets }: { readonly run: Run; readonly sheets: readonly string[] }) {
  if (sheets.length === 0) return null;
  return (
    <Box>
      {sayCount(
        sheets.length,
        t('1 sheet is not imported: {sheets}.', '1 werkblad wordt niet geïmporteerd: {sheets}.'),
        t('{n} sheets are not imported: {sheets}.', '{n} werkbladen worden niet geïmporteerd: {sheets}.'),
      ).replace('{sheets}', () => sheets.join(', '))}{' '}
      <a href={hrefOf(readingOf(run))}>{say('Say what it holds', 'Zeg wat erop staat')}</a>
    </Box>
  );
}

function Notes({ notes }: Pick<Plan, 'notes'>) {
  if (notes.length === 0) return null;
  return (
    <details class="notes">
      <summary>
        {say(
          `How the file was read (${figure(notes.length)})`,
          `Hoe het bestand gelezen is (${figure(notes.length)})`,
        )}
      </summary>
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
