import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Bilingual, t } from '../../../core/language.ts';
import { shownPeriod } from '../../../core/shown-moment.ts';
import type { ExportDocument } from '../../../export/export-records.ts';
import { namedPeriod } from '../../../export/named-period.ts';
import type { FinanceDocument } from '../../../finance/export-finance.ts';
import type { Job } from '../../contract/answers.ts';
import { call, download } from '../call.ts';
import { amountText, capital, figure, language, said, say } from '../language.ts';
import { begin, latestOf, useLoaded } from '../live.ts';
import { Box, Button, ErrorBox } from '../pieces/controls.tsx';
import { Check, Checks, Form, Input, type Option } from '../pieces/field.tsx';
import { ScreenTitle } from '../pieces/frame.tsx';
import { Listed, Table } from '../pieces/lists.tsx';
import { JobView } from '../pieces/progress.tsx';

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
const Made = ({ job }: { readonly job: Job | undefined }) =>
  job?.file && (
    <Button icon="download" onClick={() => download('jobFile', { job: job.id })}>
      {say(`Download ${job.file}`, `${job.file} downloaden`)}
    </Button>
  );

const NO_DAYS: Days = { from: '', to: '' };

/** The revenue of a period: asked for, shown, and as a workbook. */
function FinancePart() {
  const [days, setDays] = useState(NO_DAYS);
  const [all, setAll] = useState(false);
  const [isCsv, setCsv] = useState(false);
  const { job, busy, answer } = latestOf('finance');
  return (
    <>
      <p class="dim">
        {say(
          'Events and trips of a period, with their revenue: an overview here, and a workbook whose totals are formulas.',
          'Evenementen en ritten van een periode, met hun omzet: een overzicht hier, en een werkmap waarvan de totalen formules zijn.',
        )}
      </p>
      <Form
        word={say('Make the overview', 'Overzicht maken')}
        busy={busy}
        onSubmit={() => begin(call('makeFinance', { ...days, all, format: isCsv ? 'csv' : 'xlsx' }))}
        beside={<Made job={job} />}
      >
        <PeriodField days={days} onDays={setDays} />
        <Check checked={all} onChange={setAll}>
          {say('All events, not only the definitive ones', 'Alle evenementen, niet alleen de definitieve')}
        </Check>
        <Check checked={isCsv} onChange={setCsv}>
          {say(
            'The bookings as CSV, in place of a workbook',
            'De boekingen als CSV, in plaats van een werkmap',
          )}
        </Check>
      </Form>
      <JobView job={job} />
      {answer && <FinanceOverview document={answer} />}
    </>
  );
}

/** Records of the service as a workbook or CSV: chosen, made, downloaded. */
function RecordsPart() {
  const { data, error, reload } = useLoaded('exports', {});
  const [what, setWhat] = useState<readonly string[]>([]);
  const [days, setDays] = useState(NO_DAYS);
  const [isSince, setSince] = useState(false);
  const [isCsv, setCsv] = useState(false);
  const { job, busy, answer } = latestOf('export');
  const kinds = data?.kinds ?? [];
  const takes = new Set(kinds.flatMap((kind) => (what.includes(kind.name) ? kind.takes : [])));
  // What was chosen of other kinds holds no longer.
  const since = isSince && takes.has('since');
  const missing =
    what.length === 0
      ? say('Choose what to export.', 'Kies wat je exporteert.')
      : isCsv && what.length > 1
        ? say('A CSV file holds one kind: choose one.', 'Een CSV-bestand bevat één soort: kies er één.')
        : null;
  const make = () =>
    begin(
      call('makeExport', {
        ...{ what: [...what], format: isCsv ? 'csv' : 'xlsx' },
        ...(since ? { since: 'last' } : takes.has('period') && days),
      }),
    );
  return (
    <>
      <Form
        {...{ word: say('Export', 'Exporteren'), busy, disabled: missing !== null }}
        onSubmit={make}
        beside={<span class="dim">{missing}</span>}
      >
        <ErrorBox error={error} onRetry={reload} />
        <fieldset class="checks">
          <legend>{say('What', 'Wat')}</legend>
          <Checks
            of={kinds.map(({ name, words }): Option => [name, capital(words)])}
            chosen={what}
            onChosen={setWhat}
          />
        </fieldset>
        <fieldset class="checks">
          <legend>{say('How', 'Hoe')}</legend>
          {takes.has('period') && !since && <PeriodField days={days} onDays={setDays} />}
          {takes.has('since') && (
            <Check checked={isSince} onChange={setSince}>
              {say(
                'Only what changed since the last export',
                'Alleen wat gewijzigd is sinds de vorige export',
              )}
            </Check>
          )}
          <Check checked={isCsv} onChange={setCsv}>
            {say('As CSV in place of a workbook', 'Als CSV in plaats van een werkmap')}
          </Check>
        </fieldset>
      </Form>
      <p class="dim">
        {say(
          'More ways to choose, and numbers in place of names: catersheet export --help.',
          'Meer manieren om te kiezen, en nummers in plaats van namen: catersheet export --help.',
        )}
      </p>
      <JobView job={job} />
      {answer && <Exported job={job} document={answer} />}
    </>
  );
}

interface ExportedProps {
  readonly job: Job | undefined;
  readonly document: ExportDocument;
}

function Exported({ job, document: { complete, records, sheets, notes } }: ExportedProps) {
  return (
    <Box tone={complete ? 'good' : 'warn'} role="status">
      <p>
        <strong>{capital(job?.title ?? '')}</strong>:{' '}
        {say('1 record|{n} records', '1 record|{n} records', records)}
      </p>
      {!complete && <p>{said(MAY_BE_MISSING)}</p>}
      {sheets.length > 1 && (
        <Listed
          items={sheets.map(
            ({ sheet, rows }) => `${sheet}: ${say('1 row|{n} rows', '1 rij|{n} rijen', rows)}`,
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

const MAY_BE_MISSING = t(
  'Records may be missing, as is said below.',
  'Er kunnen gegevens ontbreken, zoals hieronder staat.',
);

/** The days of a period, `YYYY-MM-DD`; either may be missing. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** Periods that people ask for. */
const NAMED: Readonly<Record<string, Bilingual>> = {
  'last-week': t('Last week', 'Vorige week'),
  'this-week': t('This week', 'Deze week'),
  'next-week': t('Next week', 'Volgende week'),
  'last-month': t('Last month', 'Vorige maand'),
  'this-month': t('This month', 'Deze maand'),
  'next-month': t('Next month', 'Volgende maand'),
  'last-year': t('Last year', 'Vorig jaar'),
  'this-year': t('This year', 'Dit jaar'),
};

interface PeriodProps {
  readonly days: Days;
  readonly onDays: (days: Days) => void;
}

/** The first and the last day of a period, with those that people ask for at hand. */
function PeriodField({ days, onDays }: PeriodProps) {
  // As days of this machine's clock are written in Sweden.
  const today = new Date().toLocaleDateString('sv');
  const field = (name: keyof Days, label: string) => (
    <Input
      {...{ type: 'date', required: true, label, value: days[name] }}
      onValue={(day) => onDays({ ...days, [name]: day })}
    />
  );
  return (
    <>
      <fieldset class="row" aria-label={say('Choose a period', 'Kies een periode')}>
        {Object.entries(NAMED).map(([name, word]) => {
          const quick = namedPeriod(name, today) ?? days;
          return (
            <Button
              key={name}
              small
              look="chip"
              pressed={quick.from === days.from && quick.to === days.to}
              onClick={() => onDays(quick)}
            >
              {said(word)}
            </Button>
          );
        })}
      </fieldset>
      <div class="fields">
        {field('from', say('From', 'Van'))}
        {field('to', say('Up to and including', 'Tot en met'))}
      </div>
    </>
  );
}

const WORDS = {
  revenue: t('Revenue', 'Omzet'),
  arrangements: t('Arrangements', 'Arrangementen'),
  tripPrices: t('Trips, charged', 'Ritten, berekend'),
  tripCosts: t('Trips, costs', 'Ritten, kosten'),
  distance: t('Distance, km', 'Afstand, km'),
} as const;
const BY = {
  months: t('By month', 'Per maand'),
  locations: t('By location', 'Per locatie'),
  types: t('By type', 'Per type'),
  managers: t('By manager', 'Per manager'),
} as const;
const CHANGES = t(
  '{sheet}: {added} added, {changed} changed, {removed} removed',
  '{sheet}: {added} erbij, {changed} gewijzigd, {removed} weg',
);

/** The overview of a period's revenue: what it comes to, divided four times. */
function FinanceOverview({ document }: { readonly document: FinanceDocument }) {
  const { sums, totals, period, sheets, complete, changes, notes } = document;
  const events = sheets.find(({ key }) => key === 'events')?.rows ?? 0;
  return (
    <section class="finance" aria-labelledby="finance">
      <h2 id="finance">
        {said(WORDS.revenue)} {shownPeriod(period.from, period.to)[language.value]}
      </h2>
      {!complete && <Box tone="warn">{said(MAY_BE_MISSING)}</Box>}
      <p>{say('1 event|{n} events', '1 evenement|{n} evenementen', events)}</p>
      <div class="totals">
        <Amounts
          title={say('Together', 'Samen')}
          heads={[say('Name', 'Naam'), say('Sum', 'Som')]}
          lines={(Object.keys(WORDS) as (keyof typeof WORDS)[]).map((name) => [
            said(WORDS[name]),
            amountText(sums[name]),
          ])}
        />
        {(Object.keys(BY) as (keyof typeof BY)[]).map((by) => (
          <Amounts
            key={by}
            title={said(BY[by])}
            heads={[say('Name', 'Naam'), say('Events', 'Evenementen'), said(WORDS.revenue)]}
            lines={totals[by].map(({ name, count, amount }) => [name, figure(count), amountText(amount)])}
          />
        ))}
      </div>
      {changes !== null && (
        <>
          <h3>{say('Since the last export of this period', 'Sinds de vorige export van deze periode')}</h3>
          <Listed
            items={sheets.flatMap(({ key, sheet }) => {
              if (key === 'bookings') return [];
              const { added, changed, removed } = changes.counts[key];
              const counts = { added: figure(added), changed: figure(changed), removed: figure(removed) };
              return said(CHANGES, { sheet, ...counts });
            })}
          />
        </>
      )}
      <Listed items={notes} />
    </section>
  );
}

interface AmountsProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly lines: readonly (readonly ComponentChildren[])[];
}

/** Amounts by their names; nothing where there are none. */
const Amounts = ({ title, heads, lines }: AmountsProps) =>
  lines.length > 0 && (
    <Table class="amounts" caption={title} heads={heads}>
      {lines.map(([name, ...amounts], at) => (
        <tr key={at}>
          <th scope="row">{name}</th>
          {amounts.map((amount, place) => (
            <td key={place}>{amount}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
