import { useState } from 'preact/hooks';
import type { ExportDocument } from '../../../api/documents.ts';
import { type Bilingual, t } from '../../../core/language.ts';
import { shownPeriod } from '../../../core/shown-moment.ts';
import { namedPeriod } from '../../../export/named-period.ts';
import type { FinanceDocument } from '../../../finance/export-finance.ts';
import type { Job } from '../../contract/answers.ts';
import { addressOf } from '../../contract/paths.ts';
import { call } from '../call.ts';
import { amountText, capital, figure, language, said, say, sizeText } from '../language.ts';
import { begin, latestOf, useLoaded } from '../live.ts';
import { Box, Button, ButtonLink, ErrorBox } from '../pieces/controls.tsx';
import { Check, Checks, Form, Input, type Option } from '../pieces/field.tsx';
import { Listed, Table } from '../pieces/lists.tsx';
import { JobView } from '../pieces/progress.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';

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
    <ButtonLink icon="download" to={addressOf('jobFile', { job: job.id })}>
      {say(`Download ${job.file.name}`, `${job.file.name} downloaden`)} ({sizeText(job.file.bytes)})
    </ButtonLink>
  );

const NO_DAYS: Days = { from: '', to: '' };

/** The revenue of a period: asked for, shown, and as a workbook. */
function FinancePart() {
  const [days, setDays] = useState(NO_DAYS);
  const [all, setAll] = useState(false);
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
        onSubmit={() => begin(call('makeFinance', { ...days, all }))}
        beside={<Made job={job} />}
      >
        <PeriodField days={days} onDays={setDays} />
        <Check checked={all} onChange={setAll}>
          {say('All events, not only the definitive ones', 'Alle evenementen, niet alleen de definitieve')}
        </Check>
      </Form>
      <JobView job={job} />
      {answer && <FinanceOverview document={answer} />}
    </>
  );
}

/** How records can be chosen, of kinds that can be chosen so. */
const WAYS = {
  since: t('Only what changed since the last export', 'Alleen wat gewijzigd is sinds de vorige export'),
  definitive: t('Definitive events only', 'Alleen definitieve evenementen'),
  declaration: t('With the declaration of ingredients', 'Met de declaratie van ingrediënten'),
} as const;
const CSV: Bilingual = t('As CSV in place of a workbook', 'Als CSV in plaats van een werkmap');

/** Records of the service as a workbook or CSV: chosen, made, downloaded. */
function RecordsPart() {
  const { data, error, reload } = useLoaded('exports', {});
  const [what, setWhat] = useState<readonly string[]>([]);
  const [days, setDays] = useState(NO_DAYS);
  const [how, setHow] = useState<readonly string[]>([]);
  const { job, busy, answer } = latestOf('export');
  const kinds = data?.kinds ?? [];
  const takes = new Set(kinds.flatMap((kind) => (what.includes(kind.name) ? kind.takes : [])));
  const ways = (Object.keys(WAYS) as (keyof typeof WAYS)[]).filter((name) => takes.has(name));
  // What was chosen of other kinds holds no longer.
  const [since, definitive, declaration] = (['since', 'definitive', 'declaration'] as const).map(
    (name) => ways.includes(name) && how.includes(name),
  );
  const isCsv = how.includes('csv');
  const missing =
    what.length === 0
      ? say('Choose what to export.', 'Kies wat je exporteert.')
      : isCsv && what.length > 1
        ? say('A CSV file holds one kind: choose one.', 'Een CSV-bestand bevat één soort: kies er één.')
        : null;
  const make = () =>
    begin(
      call('makeExport', {
        ...{ what: [...what], format: isCsv ? 'csv' : 'xlsx', definitive, declaration },
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
          <Checks
            of={[...ways.map((name): Option => [name, said(WAYS[name])]), ['csv', said(CSV)]]}
            chosen={how}
            onChosen={setHow}
          />
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

/** The days of a period, `YYYY-MM-DD`; either may be missing. */
export interface Days {
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
function PeriodField({ days: { from, to }, onDays }: PeriodProps) {
  // As days of this machine's clock are written in Sweden.
  const today = new Date().toLocaleDateString('sv');
  return (
    <div class="period">
      <fieldset class="row" aria-label={say('Choose a period', 'Kies een periode')}>
        {Object.entries(NAMED).map(([name, word]) => {
          const quick = namedPeriod(name, today) ?? { from, to };
          return (
            <Button
              key={name}
              small
              look="chip"
              pressed={quick.from === from && quick.to === to}
              onClick={() => onDays(quick)}
            >
              {said(word)}
            </Button>
          );
        })}
      </fieldset>
      <div class="fields">
        <Input
          {...{ type: 'date', required: true, label: say('From', 'Van'), value: from }}
          onValue={(day) => onDays({ from: day, to })}
        />
        <Input
          {...{ type: 'date', required: true, value: to, min: from }}
          label={say('Up to and including', 'Tot en met')}
          onValue={(day) => onDays({ from, to: day })}
        />
      </div>
    </div>
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
      {!complete && (
        <Box tone="warn">
          {say(
            'Records may be missing: the notes say which.',
            'Er kunnen gegevens ontbreken: bij de opmerkingen staat welke.',
          )}
        </Box>
      )}
      <dl class="sums">
        {(Object.keys(WORDS) as (keyof typeof WORDS)[]).map((name) => (
          <div key={name} class={name === 'revenue' ? 'main' : undefined}>
            <dt>{said(WORDS[name])}</dt>
            <dd>{amountText(sums[name])}</dd>
            {name === 'revenue' && (
              <dd class="dim">{say('1 event|{n} events', '1 evenement|{n} evenementen', events)}</dd>
            )}
          </div>
        ))}
      </dl>
      {events === 0 && <p>{say('No events in this period.', 'Geen evenementen in deze periode.')}</p>}
      <div class="totals">
        {(Object.keys(BY) as (keyof typeof BY)[]).map(
          (by) => totals[by].length > 0 && <Totals key={by} title={said(BY[by])} totals={totals[by]} />,
        )}
      </div>
      {changes !== null && (
        <>
          <h3>{say('Since the last export of this period', 'Sinds de vorige export van deze periode')}</h3>
          <Listed
            items={sheets.map(({ key, sheet }) => {
              const { added, changed, removed } = changes.counts[key];
              const counts = { added: figure(added), changed: figure(changed), removed: figure(removed) };
              return said(CHANGES, { sheet, ...counts });
            })}
          />
        </>
      )}
      {notes.length > 0 && <h3>{say('Notes', 'Opmerkingen')}</h3>}
      <Listed items={notes} />
    </section>
  );
}

interface TotalsProps {
  readonly title: string;
  readonly totals: FinanceDocument['totals'][keyof typeof BY];
}

function Totals({ title, totals }: TotalsProps) {
  // Only how long a bar is: amounts themselves are never floats.
  const most = Math.max(1, ...totals.map(({ amount }) => Number(amount)));
  return (
    <Table
      class="amounts"
      caption={title}
      heads={[say('Name', 'Naam'), say('Events', 'Evenementen'), said(WORDS.revenue)]}
    >
      {totals.map(({ key, name, count, amount }) => (
        <tr key={String(key)}>
          <th scope="row">{name}</th>
          <td>{figure(count)}</td>
          <td>
            {amountText(amount)}{' '}
            <progress aria-hidden="true" max={most} value={Math.max(0, Number(amount))} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
