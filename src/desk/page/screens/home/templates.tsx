import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../../core/language.ts';
import type { HomeDocument, JobDocument } from '../../../contract/documents.ts';
import { addressOf } from '../../../contract/paths.ts';
import { call } from '../../call.ts';
import { followLink } from '../../file-links.ts';
import { wordsBeside } from '../../kind-name.ts';
import { say, sizeText } from '../../language.ts';
import { isActive, jobs, keepJob, whenEnded } from '../../live.ts';
import { asCallError } from '../../loaded.ts';
import { Button, DownloadLink } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { Check } from '../../pieces/field.tsx';
import { JobView } from '../../pieces/job-view.tsx';
import type { Days } from '../export/period.ts';
import { isPeriod, PeriodField } from '../export/period-field.tsx';

const TITLE = t('Begin with a template', 'Begin met een sjabloon');
const WHAT = t(
  'A workbook with the right columns, an explanation of each, and lists to choose from.',
  'Een werkmap met de juiste kolommen, uitleg bij elke kolom, en lijsten om uit te kiezen.',
);
const SHEETS = t('Sheets', 'Werkbladen');
const OFFLINE = t(
  'Without lists from the service (it isn’t asked for anything)',
  'Zonder lijsten uit het systeem (er wordt niets gevraagd)',
);
const DAYS = t(
  'With a sheet to look up the numbers of a period',
  'Met een werkblad om de nummers van een periode op te zoeken',
);
const MAKE = t('Make the template', 'Sjabloon maken');
const SAVE = t('Download {name} ({size})', '{name} downloaden ({size})');

/** Makes a workbook to fill in, with the sheets that are wanted. */
export function Templates({ kinds }: { readonly kinds: HomeDocument['templates'] }): JSX.Element {
  const chosen = useSignal<readonly string[]>([]);
  const offline = useSignal(false);
  const period = useSignal<Days | null>(null);
  const setPeriod = (days: Days | null): void => {
    period.value = days;
  };
  const made = useSignal<string | null>(null);
  const wrong = useSignal<Wrong | null>(null);
  const job = made.value === null ? undefined : jobs.value.get(made.value);

  const make = async (): Promise<void> => {
    wrong.value = null;
    try {
      const body = { kinds: [...chosen.value], offline: offline.value, ...period.value };
      const begun = keepJob((await call('makeTemplate', { body })).job);
      made.value = begun.id;
      saveFile(await whenEnded(begun));
    } catch (error) {
      if (made.value === null) wrong.value = asCallError(error);
    }
  };
  return (
    <section aria-labelledby="templates" class="tile">
      <h2 id="templates">{say(TITLE)}</h2>
      <p class="dim">{say(WHAT)}</p>
      <KindChecks
        kinds={kinds}
        chosen={chosen.value}
        onChoose={(names) => {
          chosen.value = names;
        }}
      />
      <Check
        checked={offline.value}
        onChange={(on) => {
          offline.value = on;
          // Numbers are looked up on the service.
          if (on) period.value = null;
        }}
      >
        {say(OFFLINE)}
      </Check>
      {!offline.value && <PeriodChoice days={period.value} onDays={setPeriod} />}
      <Button
        icon="sheet"
        disabled={chosen.value.length === 0 || (period.value !== null && !isPeriod(period.value))}
        busy={job !== undefined && isActive(job)}
        onClick={() => void make()}
      >
        {say(MAKE)}
      </Button>
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
      {job !== undefined && <Made job={job} />}
    </section>
  );
}

function Made({ job }: { readonly job: JobDocument }): JSX.Element {
  return (
    <>
      <JobView job={job} />
      {job.file !== null && (
        <DownloadLink href={addressOf('jobFile', { params: { job: job.id } })[1]} look="plain" small>
          {say(SAVE, { name: job.file.name, size: sizeText(job.file.bytes) })}
        </DownloadLink>
      )}
    </>
  );
}

interface PeriodProps {
  /** Null where no numbers are looked up. */
  readonly days: Days | null;
  readonly onDays: (days: Days | null) => void;
}

/** Whether there is a sheet to look up numbers in, and of which days. */
function PeriodChoice({ days, onDays }: PeriodProps): JSX.Element {
  return (
    <>
      <Check checked={days !== null} onChange={(on) => onDays(on ? { from: '', to: '' } : null)}>
        {say(DAYS)}
      </Check>
      {days !== null && <PeriodField days={days} onDays={onDays} />}
    </>
  );
}

interface ChecksProps {
  readonly kinds: HomeDocument['templates'];
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
}

function KindChecks({ kinds, chosen, onChoose }: ChecksProps): JSX.Element {
  return (
    <fieldset class="checks">
      <legend>{say(SHEETS)}</legend>
      {kinds.map(({ name, ...kind }) => (
        <Check
          key={name}
          checked={chosen.includes(name)}
          onChange={(on) => onChoose(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
        >
          <b>{kind.sheet}</b> <span class="dim">{wordsBeside(kind)}</span>
        </Check>
      ))}
    </fieldset>
  );
}

/** Saves what a job made, as its link would. */
function saveFile({ id, file }: JobDocument): void {
  if (file === null) return;
  const link = document.createElement('a');
  link.href = addressOf('jobFile', { params: { job: id } })[1];
  link.download = '';
  void followLink(link);
}
