import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ExportDocument } from '../../../../api/documents.ts';
import { t } from '../../../../core/language.ts';
import type { ExportsDocument, JobDocument } from '../../../contract/documents.ts';
import { addressOf } from '../../../contract/paths.ts';
import { call } from '../../call.ts';
import { capital, figure, say, sayCount, sizeText } from '../../language.ts';
import { useLoaded } from '../../loaded.ts';
import { Box } from '../../pieces/box.tsx';
import { Button, DownloadLink } from '../../pieces/button.tsx';
import { ErrorBox } from '../../pieces/error-box.tsx';
import { Check, Field } from '../../pieces/field.tsx';
import { JobView } from '../../pieces/job-view.tsx';
import { type NamedFile, NamedProducts } from './named-products.tsx';
import type { Days } from './period.ts';
import { isPeriod, PeriodField } from './period-field.tsx';
import { useLatestJob } from './use-job.ts';

const WHAT = t('What', 'Wat');
const WHICH = t('Which records', 'Welke gegevens');
const ALL = t('All', 'Alle');
const PERIOD = t('Of a period', 'Van een periode');
const LAST = t('Changed since the last export', 'Gewijzigd sinds de vorige export');
const LAST_AT = t('Changed since the last export ({moment})', 'Gewijzigd sinds de vorige export ({moment})');
const SINCE = t('Changed since a moment', 'Gewijzigd sinds een moment');
const MOMENT = t('Changed since', 'Gewijzigd sinds');
const DEFINITIVE = t('Definitive events only', 'Alleen definitieve evenementen');
const DECLARATION = t('With the declaration of ingredients', 'Met de declaratie van ingrediënten');
const FORMAT = t('Format', 'Indeling');
const WORKBOOK = t('Workbook (.xlsx)', 'Werkmap (.xlsx)');
const CSV = t('CSV', 'CSV');
const ONE_CSV = t('A CSV file holds one kind: choose one.', 'Een CSV-bestand bevat één soort: kies er één.');
const IDS = t('Numbers in place of names', 'Nummers in plaats van namen');
const MAKE = t('Export', 'Exporteren');
const NOTHING = t('Choose what to export.', 'Kies wat je exporteert.');
const NAMED = t('Only those that a file names', 'Alleen die in een bestand staan');
const NO_FILE = t('Choose the file.', 'Kies het bestand.');
const NO_DAYS = t('Choose a period.', 'Kies een periode.');

type Kind = ExportsDocument['kinds'][number];
type Which = 'all' | 'period' | 'last' | 'since' | 'named';

interface Choice extends Days {
  readonly what: readonly string[];
  readonly which: Which;
  readonly since: string;
  readonly named: NamedFile | null;
  readonly definitive: boolean;
  readonly declaration: boolean;
  readonly csv: boolean;
  readonly ids: boolean;
}

const NOTHING_CHOSEN: Choice = {
  ...{ what: [], which: 'all', from: '', to: '', since: '', named: null },
  ...{ definitive: false, declaration: false, csv: false, ids: false },
};

/** Records of the service as a workbook or CSV: chosen, made, downloaded. */
export function RecordsPart(): JSX.Element {
  const { data, error, reload } = useLoaded('exports', (signal) => call('exports', { signal }), [
    ['service'],
  ]);
  const [choice, setChoice] = useState(NOTHING_CHOSEN);
  const { job, wrong, busy, begin } = useLatestJob('export');
  const missing = missingOf(choice);
  const make = (): void => void begin(() => call('makeExport', { body: bodyOf(choice) }));
  return (
    <div class="columns export-columns">
      <div class="stack">
        {error !== null && <ErrorBox error={error} onRetry={reload} />}
        {data === null ? (
          <div class="skeleton tall" />
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (missing === null && !busy) make();
            }}
          >
            <ChoiceFields kinds={data.kinds} choice={choice} onChoice={setChoice} />
            <div class="actions">
              <Button submit look="primary" busy={busy} disabled={missing !== null}>
                {say(MAKE)}
              </Button>
              {missing !== null && <span class="dim">{say(missing)}</span>}
            </div>
          </form>
        )}
      </div>
      <div class="stack" aria-live="polite">
        {wrong !== null && <ErrorBox error={wrong} />}
        {job !== undefined && <JobView job={job} />}
        {job?.state === 'done' && <Made job={job} />}
      </div>
    </div>
  );
}

function missingOf({ what, which, csv, since, named, ...days }: Choice) {
  if (what.length === 0) return NOTHING;
  if (csv && what.length > 1) return ONE_CSV;
  if (which === 'period' && !isPeriod(days)) return NO_DAYS;
  if (which === 'named' && named === null) return NO_FILE;
  return which === 'since' && since === '' ? MOMENT : null;
}

const bodyOf = ({ what, which, from, to, since, named, definitive, declaration, csv, ids }: Choice) => ({
  what: [...what],
  ...(which === 'period' ? { from, to } : {}),
  // A moment without seconds is the start of its minute, as the service writes moments.
  since: which === 'last' ? 'last' : which === 'since' ? `${since.replace('T', ' ')}:00`.slice(0, 19) : null,
  named: which === 'named' ? (named?.id ?? null) : null,
  ...{ definitive, declaration, ids, format: csv ? ('csv' as const) : ('xlsx' as const) },
});

interface FieldsProps {
  readonly kinds: readonly Kind[];
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}

function ChoiceFields({ kinds, choice, onChoice }: FieldsProps): JSX.Element {
  const chosen = kinds.filter(({ name }) => choice.what.includes(name));
  const takes = new Set(chosen.flatMap((kind) => kind.takes));
  const change = (part: Partial<Choice>): void => onChoice({ ...choice, ...part });
  const toggle = (name: string, on: boolean): void => {
    const what = on ? [...choice.what, name] : choice.what.filter((one) => one !== name);
    const left = new Set(kinds.filter((kind) => what.includes(kind.name)).flatMap((kind) => kind.takes));
    change({
      what,
      // A file names the records of one kind.
      which: whichFor(choice.which === 'named' && what.length > 1 ? 'all' : choice.which, left),
      definitive: choice.definitive && left.has('definitive'),
      declaration: choice.declaration && left.has('declaration'),
    });
  };
  return (
    <>
      <fieldset class="checks">
        <legend>{say(WHAT)}</legend>
        {kinds.map(({ name, words }) => (
          <Check key={name} checked={choice.what.includes(name)} onChange={(on) => toggle(name, on)}>
            {capital(words)}
          </Check>
        ))}
      </fieldset>
      <WhichField
        {...{ choice, change, takes }}
        last={chosen.length === 1 ? (chosen[0]?.last ?? null) : null}
      />
      <fieldset class="checks">
        <legend>{say(FORMAT)}</legend>
        {[false, true].map((csv) => (
          <label key={String(csv)} class="check">
            <input type="radio" name="format" checked={choice.csv === csv} onChange={() => change({ csv })} />
            <span>{say(csv ? CSV : WORKBOOK)}</span>
          </label>
        ))}
        {takes.has('definitive') && (
          <Check checked={choice.definitive} onChange={(definitive) => change({ definitive })}>
            {say(DEFINITIVE)}
          </Check>
        )}
        {takes.has('declaration') && (
          <Check checked={choice.declaration} onChange={(declaration) => change({ declaration })}>
            {say(DECLARATION)}
          </Check>
        )}
        <Check checked={choice.ids} onChange={(ids) => change({ ids })}>
          {say(IDS)}
        </Check>
      </fieldset>
    </>
  );
}

type Takes = ReadonlySet<Kind['takes'][number]>;

/** What stays of a choice where other kinds were chosen. */
function whichFor(which: Which, takes: Takes): Which {
  if (which === 'named' && takes.has('file')) return which;
  if (which === 'period' || which === 'all') return takes.has('period') ? 'period' : 'all';
  return takes.has('since') ? which : takes.has('period') ? 'period' : 'all';
}

interface WhichProps {
  readonly choice: Choice;
  readonly change: (part: Partial<Choice>) => void;
  readonly takes: Takes;
  /** When the only chosen kind was exported last. */
  readonly last: string | null;
}

function WhichField({ choice, change, takes, last }: WhichProps): JSX.Element | null {
  const ways: readonly Which[] = [
    ...(takes.has('period') ? (['period'] as const) : (['all'] as const)),
    ...(takes.has('since') ? (['last', 'since'] as const) : []),
    ...(takes.has('file') && choice.what.length === 1 ? (['named'] as const) : []),
  ];
  const words = {
    ...{ all: say(ALL), period: say(PERIOD), since: say(SINCE), named: say(NAMED) },
    last: last === null ? say(LAST) : say(LAST_AT, { moment: last }),
  };
  if (choice.what.length === 0) return null;
  return (
    <fieldset class="checks">
      <legend>{say(WHICH)}</legend>
      {ways.map((which) => (
        <label key={which} class="check">
          <input
            type="radio"
            name="which"
            checked={choice.which === which}
            onChange={() => change({ which })}
          />
          <span>{words[which]}</span>
        </label>
      ))}
      {choice.which === 'period' && <PeriodField days={choice} onDays={change} />}
      {choice.which === 'named' && (
        <NamedProducts file={choice.named} onFile={(named) => change({ named })} />
      )}
      {choice.which === 'since' && (
        <Field label={say(MOMENT)}>
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              value={choice.since}
              onInput={(event) => change({ since: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </fieldset>
  );
}

const RECORD = t('1 record', '1 record');
const RECORDS = t('{n} records', '{n} records');
const ROW = t('{sheet}: 1 row', '{sheet}: 1 rij');
const ROWS = t('{sheet}: {n} rows', '{sheet}: {n} rijen');
const DOWNLOAD = t('Download {name}', '{name} downloaden');
const PART = t(
  'Records may be missing, as is said below.',
  'Er kunnen gegevens ontbreken, zoals hieronder staat.',
);

function Made({ job }: { readonly job: JobDocument }): JSX.Element | null {
  if (job.answer?.kind !== 'export' || job.file === null) return null;
  const { document } = job.answer;
  return (
    <Box tone={document.complete ? 'good' : 'warn'}>
      <p>
        <strong>{capital(job.title)}</strong>: {sayCount(document.records, RECORD, RECORDS)}
      </p>
      {!document.complete && <p>{say(PART)}</p>}
      <Sheets document={document} />
      {document.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <DownloadLink look="primary" href={addressOf('jobFile', { params: { job: job.id } })[1]}>
        {say(DOWNLOAD, { name: job.file.name })}
      </DownloadLink>{' '}
      <span class="figures">{sizeText(job.file.bytes)}</span>
    </Box>
  );
}

function Sheets({ document }: { readonly document: ExportDocument }): JSX.Element | null {
  if (document.sheets.length < 2) return null;
  return (
    <ul>
      {document.sheets.map(({ sheet, rows }) => (
        <li key={sheet}>{say(rows === 1 ? ROW : ROWS, { sheet, n: figure(rows) })}</li>
      ))}
    </ul>
  );
}
