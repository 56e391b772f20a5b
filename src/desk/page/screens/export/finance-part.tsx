import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import { addressOf } from '../../../contract/paths.ts';
import { call } from '../../call.ts';
import { say, sizeText } from '../../language.ts';
import { Button, DownloadLink } from '../../pieces/button.tsx';
import { ErrorBox } from '../../pieces/error-box.tsx';
import { Check } from '../../pieces/field.tsx';
import { JobView } from '../../pieces/job-view.tsx';
import { FinanceOverview } from './finance-overview.tsx';
import { type Days, quickPeriods, today } from './period.ts';
import { isPeriod, PeriodField } from './period-field.tsx';
import { useLatestJob } from './use-job.ts';

const ABOUT = t(
  'Events and trips of a period, with their revenue: an overview here, and a workbook whose totals are formulas.',
  'Evenementen en ritten van een periode, met hun omzet: een overzicht hier, en een werkmap waarvan de totalen formules zijn.',
);
const EVERY = t('All events, not only the definitive ones', 'Alle evenementen, niet alleen de definitieve');
const MAKE = t('Make the overview', 'Overzicht maken');
const DOWNLOAD = t('Download {name}', '{name} downloaden');

/** The revenue of a period: asked for, shown, and as a workbook. */
export function FinancePart(): JSX.Element {
  const [days, setDays] = useState<Days>(() => {
    const [, , , last] = quickPeriods(today());
    return { from: last?.from ?? '', to: last?.to ?? '' };
  });
  const [all, setAll] = useState(false);
  const { job, wrong, busy, begin } = useLatestJob('finance');
  const make = (): void => void begin(() => call('makeFinance', { body: { ...days, all } }));
  const answer = job?.state === 'done' && job.answer?.kind === 'finance' ? job.answer.document : null;
  return (
    <>
      <p class="dim">{say(ABOUT)}</p>
      <form
        class="finance-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isPeriod(days) && !busy) make();
        }}
      >
        <PeriodField days={days} onDays={setDays} />
        <Check checked={all} onChange={setAll}>
          {say(EVERY)}
        </Check>
        <div class="actions">
          <Button submit look="primary" busy={busy} disabled={!isPeriod(days)}>
            {say(MAKE)}
          </Button>
          {answer !== null && job?.file != null && (
            <DownloadLink href={addressOf('jobFile', { params: { job: job.id } })[1]}>
              {say(DOWNLOAD, { name: job.file.name })} ({sizeText(job.file.bytes)})
            </DownloadLink>
          )}
        </div>
      </form>
      <div role="status">
        {wrong !== null && <ErrorBox error={wrong} />}
        {job !== undefined && <JobView job={job} />}
      </div>
      {answer !== null && <FinanceOverview document={answer} />}
    </>
  );
}
