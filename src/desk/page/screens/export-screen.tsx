import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { changeQuery, route } from '../router.ts';
import { FinancePart } from './export/finance-part.tsx';
import { RecordsPart } from './export/records-part.tsx';

const TITLE = t('Export', 'Exporteren');
const RECORDS = t('Records as a workbook', 'Gegevens als werkmap');
const FINANCE = t('Revenue of a period', 'Omzet van een periode');
const WHICH = t('What to export', 'Wat je exporteert');

/** What the service holds as a workbook or CSV, and the revenue of a period. */
export function ExportScreen(): JSX.Element {
  const [finance, setFinance] = useState(route.peek().query.part === 'finance');
  const choose = (isFinance: boolean): void => {
    setFinance(isFinance);
    changeQuery(isFinance ? { part: 'finance' } : {});
  };
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      <fieldset class="quick parts">
        <legend class="unseen">{say(WHICH)}</legend>
        {[false, true].map((isFinance) => (
          <button
            key={String(isFinance)}
            type="button"
            class="chip"
            aria-pressed={finance === isFinance}
            onClick={() => choose(isFinance)}
          >
            {say(isFinance ? FINANCE : RECORDS)}
          </button>
        ))}
      </fieldset>
      {finance ? <FinancePart /> : <RecordsPart />}
    </>
  );
}
