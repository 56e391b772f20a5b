import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ExportDocument } from '../../../api/documents.ts';
import { type Bilingual, t } from '../../../core/language.ts';
import type { AnswerOf, Job } from '../../contract/answers.ts';
import type { AskedOf } from '../../contract/asked.ts';
import { addressOf } from '../../contract/paths.ts';
import { call } from '../call.ts';
import { capital, say, sayCount, sizeText } from '../language.ts';
import { useLatestJob, useLoaded } from '../loaded.ts';
import { Button, ButtonLink, Chip } from '../pieces/button.tsx';
import { Box, ErrorBox } from '../pieces/error-box.tsx';
import { Check } from '../pieces/field.tsx';
import { Listed } from '../pieces/lists.tsx';
import { JobState } from '../pieces/progress.tsx';
import { ScreenTitle } from '../pieces/screen-title.tsx';
import { goTo, route } from '../router.ts';
import { FinanceOverview } from './export/finance-overview.tsx';
import { type Days, quickPeriods, today } from './export/period.ts';
import { isPeriod, PeriodField } from './export/period-field.tsx';

const TITLE = t('Export', 'Exporteren');
const PARTS = [
  t('Records as a workbook', 'Gegevens als werkmap'),
  t('Revenue of a period', 'Omzet van een periode'),
];

/** What the service holds as a workbook or CSV, and the revenue of a period. */
export function ExportScreen(): JSX.Element {
  const isFinance = route.value.query?.part === 'finance';
  return (
    <>
      <ScreenTitle title={say(TITLE)} />
      <p class="row">
        {PARTS.map((word, at) => (
          <Chip
            key={word.en}
            on={isFinance === (at === 1)}
            onPress={() => goTo({ page: 'export', query: at === 1 ? { part: 'finance' } : {} }, true)}
          >
            {say(word)}
          </Chip>
        ))}
      </p>
      {isFinance ? <FinancePart /> : <RecordsPart />}
    </>
  );
}

const DOWNLOAD = t('Download {name}', '{name} downloaden');

/** The way to the file that a job made. */
const Made = ({ job }: { readonly job: Job }): JSX.Element | null =>
  job.file === null ? null : (
    <ButtonLink icon="download" to={addressOf('jobFile', { job: job.id })}>
      {say(DOWNLOAD, { name: job.file.name })} ({sizeText(job.file.bytes)})
    </ButtonLink>
  );

const ABOUT = t(
  'Events and trips of a period, with their revenue: an overview here, and a workbook whose totals are formulas.',
  'Evenementen en ritten van een periode, met hun omzet: een overzicht hier, en een werkmap waarvan de totalen formules zijn.',
);
const EVERY = t('All events, not only the definitive ones', 'Alle evenementen, niet alleen de definitieve');
const OVERVIEW = t('Make the overview', 'Overzicht maken');

/** The revenue of a period: asked for, shown, and as a workbook. */
function FinancePart(): JSX.Element {
  const [days, setDays] = useState<Days>(() => quickPeriods(today())[3] ?? { from: '', to: '' });
  const [all, setAll] = useState(false);
  const { job, busy, begin, ...made } = useLatestJob('finance');
  const { from, to } = days;
  return (
    <>
      <p class="dim">{say(ABOUT)}</p>
      <form
        class="finance-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isPeriod(days) && !busy) void begin(call('makeFinance', { from, to, all }));
        }}
      >
        <PeriodField days={days} onDays={setDays} />
        <Check checked={all} onChange={setAll}>
          {say(EVERY)}
        </Check>
        <p class="row">
          <Button submit look="primary" busy={busy} disabled={!isPeriod(days)}>
            {say(OVERVIEW)}
          </Button>
          {job !== undefined && <Made job={job} />}
        </p>
      </form>
      <JobState {...made} job={job} busy={busy} />
      {job?.answer?.kind === 'finance' && <FinanceOverview document={job.answer.document} />}
    </>
  );
}

const WHAT = t('What', 'Wat');
const WHICH = t('Which records', 'Welke gegevens');
const WAYS = {
  all: t('All', 'Alle'),
  period: t('Of a period', 'Van een periode'),
  last: t('Changed since the last export', 'Gewijzigd sinds de vorige export'),
} as const;
const DEFINITIVE = t('Definitive events only', 'Alleen definitieve evenementen');
const DECLARATION = t('With the declaration of ingredients', 'Met de declaratie van ingrediënten');
const FORMAT = t('Format', 'Indeling');
const WORKBOOK = t('Workbook (.xlsx)', 'Werkmap (.xlsx)');
const CSV = t('CSV', 'CSV');
const ONE_CSV = t('A CSV file holds one kind: choose one.', 'Een CSV-bestand bevat één soort: kies er één.');
const MAKE = t('Export', 'Exporteren');
const NOTHING = t('Choose what to export.', 'Kies wat je exporteert.');
const NO_DAYS = t('Choose a period.', 'Kies een periode.');
const MORE = t(
  'More ways to choose, and numbers in place of names: catersheet export --help.',
  'Meer manieren om te kiezen, en nummers in plaats van namen: catersheet export --help.',
);

type Kind = AnswerOf<'exports'>['kinds'][number];
type Way = keyof typeof WAYS;

interface Choice extends Days {
  readonly what: readonly string[];
  readonly way: Way;
  readonly definitive: boolean;
  readonly declaration: boolean;
  readonly csv: boolean;
}

const NOTHING_CHOSEN: Choice = {
  ...{ what: [], way: 'all', from: '', to: '', definitive: false, declaration: false, csv: false },
};

/** What a choice still lacks; null for nothing. */
function missingOf({ what, way, csv, ...days }: Choice): Bilingual | null {
  if (what.length === 0) return NOTHING;
  if (csv && what.length > 1) return ONE_CSV;
  return way === 'period' && !isPeriod(days) ? NO_DAYS : null;
}

/** Records of the service as a workbook or CSV: chosen, made, downloaded. */
function RecordsPart(): JSX.Element {
  const { data, error, reload } = useLoaded('exports', {});
  const [choice, setChoice] = useState(NOTHING_CHOSEN);
  const { job, busy, begin, ...made } = useLatestJob('export');
  const kinds = data?.kinds ?? [];
  const takes = new Set(kinds.flatMap((kind) => (choice.what.includes(kind.name) ? kind.takes : [])));
  const ways: readonly Way[] = [
    takes.has('period') ? 'period' : 'all',
    ...(takes.has('since') ? (['last'] as const) : []),
  ];
  // What was chosen of other kinds holds no longer.
  const way = ways.find((one) => one === choice.way) ?? ways[0] ?? 'all';
  const missing = missingOf({ ...choice, way });
  const wishes = (): AskedOf<'makeExport'> => ({
    ...{ what: [...choice.what], format: choice.csv ? 'csv' : 'xlsx' },
    ...(way === 'period' && { from: choice.from, to: choice.to }),
    ...(way === 'last' && { since: 'last' }),
    ...(takes.has('definitive') && choice.definitive && { definitive: true }),
    ...(takes.has('declaration') && choice.declaration && { declaration: true }),
  });
  return (
    <div class="columns even">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null && !busy) void begin(call('makeExport', wishes()));
        }}
      >
        <ErrorBox error={error} onRetry={reload} />
        <ChoiceFields
          {...{ kinds, choice, ways, way, takes }}
          change={(part) => setChoice({ ...choice, ...part })}
        />
        <p class="row">
          <Button submit look="primary" busy={busy} disabled={missing !== null}>
            {say(MAKE)}
          </Button>
          {missing !== null && <span class="dim">{say(missing)}</span>}
        </p>
        <p class="dim">{say(MORE)}</p>
      </form>
      <JobState {...made} job={job} busy={busy}>
        {job?.answer?.kind === 'export' && <Exported job={job} document={job.answer.document} />}
      </JobState>
    </div>
  );
}

interface FieldsProps {
  readonly kinds: readonly Kind[];
  readonly choice: Choice;
  readonly ways: readonly Way[];
  readonly way: Way;
  readonly takes: ReadonlySet<Kind['takes'][number]>;
  readonly change: (part: Partial<Choice>) => void;
}

function ChoiceFields({ kinds, choice, ways, way, takes, change }: FieldsProps): JSX.Element {
  const { what, csv, definitive, declaration } = choice;
  const radio = (name: string, word: Bilingual, on: boolean, part: Partial<Choice>): JSX.Element => (
    <label key={word.en} class="check">
      <input type="radio" name={name} checked={on} onChange={() => change(part)} />
      <span>{say(word)}</span>
    </label>
  );
  return (
    <>
      <fieldset class="checks">
        <legend>{say(WHAT)}</legend>
        {kinds.map(({ name, words }) => (
          <Check
            key={name}
            checked={what.includes(name)}
            onChange={(on) => change({ what: on ? [...what, name] : what.filter((one) => one !== name) })}
          >
            {capital(words)}
          </Check>
        ))}
      </fieldset>
      {what.length > 0 && (
        <fieldset class="checks">
          <legend>{say(WHICH)}</legend>
          {ways.map((one) => radio('way', WAYS[one], one === way, { way: one }))}
          {way === 'period' && <PeriodField days={choice} onDays={change} />}
        </fieldset>
      )}
      <fieldset class="checks">
        <legend>{say(FORMAT)}</legend>
        {radio('format', WORKBOOK, !csv, { csv: false })}
        {radio('format', CSV, csv, { csv: true })}
        {takes.has('definitive') && (
          <Check checked={definitive} onChange={(on) => change({ definitive: on })}>
            {say(DEFINITIVE)}
          </Check>
        )}
        {takes.has('declaration') && (
          <Check checked={declaration} onChange={(on) => change({ declaration: on })}>
            {say(DECLARATION)}
          </Check>
        )}
      </fieldset>
    </>
  );
}

const RECORDS = [t('1 record', '1 record'), t('{n} records', '{n} records')] as const;
const ROWS = [t('1 row', '1 rij'), t('{n} rows', '{n} rijen')] as const;
const PART = t(
  'Records may be missing, as is said below.',
  'Er kunnen gegevens ontbreken, zoals hieronder staat.',
);

function Exported({ job, document }: { readonly job: Job; readonly document: ExportDocument }): JSX.Element {
  const { complete, records, sheets, notes } = document;
  return (
    <Box tone={complete ? 'good' : 'warn'}>
      <p>
        <strong>{capital(job.title)}</strong>: {sayCount(records, ...RECORDS)}
      </p>
      {!complete && <p>{say(PART)}</p>}
      {sheets.length > 1 && (
        <Listed items={sheets.map(({ sheet, rows }) => `${sheet}: ${sayCount(rows, ...ROWS)}`)} />
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Made job={job} />
    </Box>
  );
}
