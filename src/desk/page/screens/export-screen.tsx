import { useState } from 'preact/hooks';
import type { ExportDocument } from '../../../api/documents.ts';
import { t } from '../../../core/language.ts';
import type { Job } from '../../contract/answers.ts';
import type { AskedOf } from '../../contract/asked.ts';
import { addressOf } from '../../contract/paths.ts';
import { call } from '../call.ts';
import { capital, said, say, sayCount, sizeText } from '../language.ts';
import { useLatestJob, useLoaded } from '../loaded.ts';
import { Button, ButtonLink } from '../pieces/button.tsx';
import { Box, ErrorBox } from '../pieces/error-box.tsx';
import { Check } from '../pieces/field.tsx';
import { Listed } from '../pieces/lists.tsx';
import { JobState } from '../pieces/progress.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { FinanceOverview } from './export/finance-overview.tsx';
import type { Days } from './export/period.ts';
import { PeriodField } from './export/period-field.tsx';

/** What the service holds as a workbook or CSV, and the revenue of a period. */
export function ExportScreen() {
  return (
    <>
      <ScreenTitle title={say('Export', 'Exporteren')} />
      <section>
        <h2>{say('Records as a workbook', 'Gegevens als werkmap')}</h2>
        <RecordsPart />
      </section>
      <section>
        <h2>{say('Revenue of a period', 'Omzet van een periode')}</h2>
        <FinancePart />
      </section>
    </>
  );
}

/** The way to the file that a job made. */
const Made = ({ job }: { readonly job: Job }) =>
  job.file === null ? null : (
    <ButtonLink icon="download" to={addressOf('jobFile', { job: job.id })}>
      {say(`Download ${job.file.name}`, `${job.file.name} downloaden`)} ({sizeText(job.file.bytes)})
    </ButtonLink>
  );

/** The revenue of a period: asked for, shown, and as a workbook. */
function FinancePart() {
  const [days, setDays] = useState<Days>({ from: '', to: '' });
  const [all, setAll] = useState(false);
  const { job, answer, busy, begin, ...made } = useLatestJob('finance');
  return (
    <>
      <p class="dim">
        {say(
          'Events and trips of a period, with their revenue: an overview here, and a workbook whose totals are formulas.',
          'Evenementen en ritten van een periode, met hun omzet: een overzicht hier, en een werkmap waarvan de totalen formules zijn.',
        )}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void begin(call('makeFinance', { ...days, all }));
        }}
      >
        <PeriodField days={days} onDays={setDays} />
        <Check checked={all} onChange={setAll}>
          {say('All events, not only the definitive ones', 'Alle evenementen, niet alleen de definitieve')}
        </Check>
        <p class="row">
          <Button submit look="primary" busy={busy}>
            {say('Make the overview', 'Overzicht maken')}
          </Button>
          {job !== undefined && <Made job={job} />}
        </p>
      </form>
      <JobState {...made} job={job} busy={busy} />
      {answer !== null && <FinanceOverview document={answer} />}
    </>
  );
}

const CSV = t('As CSV in place of a workbook', 'Als CSV in plaats van een werkmap');

/** Records of the service as a workbook or CSV: chosen, made, downloaded. */
function RecordsPart() {
  const { data, error, reload } = useLoaded('exports', {});
  const [what, setWhat] = useState<readonly string[]>([]);
  const [days, setDays] = useState<Days>({ from: '', to: '' });
  const [how, setHow] = useState<readonly string[]>([]);
  const { job, answer, busy, begin, ...made } = useLatestJob('export');
  const kinds = data?.kinds ?? [];
  const takes = new Set(kinds.flatMap((kind) => (what.includes(kind.name) ? kind.takes : [])));
  // What was chosen of other kinds holds no longer.
  const isSo = (name: 'since' | 'definitive' | 'declaration'): boolean =>
    takes.has(name) && how.includes(name);
  const isCsv = how.includes('csv');
  const missing =
    what.length === 0
      ? t('Choose what to export.', 'Kies wat je exporteert.')
      : isCsv && what.length > 1
        ? t('A CSV file holds one kind: choose one.', 'Een CSV-bestand bevat één soort: kies er één.')
        : null;
  const wishes = (): AskedOf<'makeExport'> => ({
    ...{ what: [...what], format: isCsv ? 'csv' : 'xlsx' },
    ...(isSo('since') ? { since: 'last' } : takes.has('period') && days),
    ...(isSo('definitive') && { definitive: true }),
    ...(isSo('declaration') && { declaration: true }),
  });
  const check = (
    name: string,
    word: string,
    all: readonly string[],
    set: (all: readonly string[]) => void,
  ) => (
    <Check
      key={name}
      checked={all.includes(name)}
      onChange={(on) => set(on ? [...all, name] : all.filter((one) => one !== name))}
    >
      {word}
    </Check>
  );
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null && !busy) void begin(call('makeExport', wishes()));
        }}
      >
        <ErrorBox error={error} onRetry={reload} />
        <fieldset class="checks">
          <legend>{say('What', 'Wat')}</legend>
          {kinds.map(({ name, words }) => check(name, capital(words), what, setWhat))}
        </fieldset>
        <fieldset class="checks">
          <legend>{say('How', 'Hoe')}</legend>
          {takes.has('period') && !isSo('since') && <PeriodField days={days} onDays={setDays} />}
          {takes.has('since') &&
            check(
              'since',
              say(
                'Only what changed since the last export',
                'Alleen wat gewijzigd is sinds de vorige export',
              ),
              how,
              setHow,
            )}
          {takes.has('definitive') &&
            check('definitive', say('Definitive events only', 'Alleen definitieve evenementen'), how, setHow)}
          {takes.has('declaration') &&
            check(
              'declaration',
              say('With the declaration of ingredients', 'Met de declaratie van ingrediënten'),
              how,
              setHow,
            )}
          {check('csv', said(CSV), how, setHow)}
        </fieldset>
        <p class="row">
          <Button submit look="primary" busy={busy} disabled={missing !== null}>
            {say('Export', 'Exporteren')}
          </Button>
          {missing !== null && <span class="dim">{said(missing)}</span>}
        </p>
        <p class="dim">
          {say(
            'More ways to choose, and numbers in place of names: catersheet export --help.',
            'Meer manieren om te kiezen, en nummers in plaats van namen: catersheet export --help.',
          )}
        </p>
      </form>
      <JobState {...made} job={job} busy={busy}>
        {job !== undefined && answer !== null && <Exported job={job} document={answer} />}
      </JobState>
    </>
  );
}

function Exported({ job, document }: { readonly job: Job; readonly document: ExportDocument }) {
  const { complete, records, sheets, notes } = document;
  return (
    <Box tone={complete ? 'good' : 'warn'}>
      <p>
        <strong>{capital(job.title)}</strong>:{' '}
        {sayCount(records, t('1 record', '1 record'), t('{n} records', '{n} records'))}
      </p>
      {!complete && (
        <p>
          {say(
            'Records may be missing, as is said below.',
            'Er kunnen gegevens ontbreken, zoals hieronder staat.',
          )}
        </p>
      )}
      {sheets.length > 1 && (
        <Listed
          items={sheets.map(
            ({ sheet, rows }) =>
              `${sheet}: ${sayCount(rows, t('1 row', '1 rij'), t('{n} rows', '{n} rijen'))}`,
          )}
        />
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Made job={job} />
    </Box>
  );
}
