import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { Home } from '../../contract/answers.ts';
import { bringFile, call, download } from '../call.ts';
import { said, say, whenText } from '../language.ts';
import { doJob, home, useAttempt } from '../live.ts';
import { Button, ErrorBox, Icon } from '../pieces/controls.tsx';
import { Checks, type Option } from '../pieces/field.tsx';
import { announce, isTyping, ScreenTitle } from '../pieces/frame.tsx';
import { goTo, hrefOf } from '../router.ts';
import { check, correctionsText } from './plan-screen.tsx';
import { RunsTable } from './runs-screen.tsx';

/** The first page: a place for a file, what isn't finished, what was sent, templates. */
export function HomeScreen() {
  const shown = home.value;
  return (
    <>
      <ScreenTitle title={say('Send a workbook to the service', 'Een werkmap naar het systeem sturen')} />
      <DropZone />
      {shown && (
        <>
          {shown.drafts.length > 0 && (
            <section>
              <h2>{say('Not sent yet', 'Nog niet verstuurd')}</h2>
              <ul class="lined">
                {shown.drafts.map((draft) => (
                  <DraftLine key={draft.run.run} {...draft} />
                ))}
              </ul>
            </section>
          )}
          <div class="columns">
            <section>
              <h2>{say('Latest runs', 'Laatst verstuurd')}</h2>
              <RunsTable runs={shown.runs} />
            </section>
            <Templates kinds={shown.templates} />
          </div>
          <p class="dim">
            {say(
              'Purchase orders, documents, invoices and refreshing events are commands: catersheet orders, documents, invoices and refresh.',
              'Inkooporders, documenten, facturen en evenementen verversen zijn opdrachten: catersheet orders, documents, invoices en refresh.',
            )}
          </p>
          <p class="dim">
            {say(`catersheet, version ${shown.version}`, `catersheet, versie ${shown.version}`)}
          </p>
        </>
      )}
    </>
  );
}

const BRINGING = t('Reading {name}', '{name} wordt gelezen');
/** What a file picker shows; what a file is, is told by its content. */
const TAKEN = '.xlsx,.xlsm,.xls,.csv,.tsv,.txt';

/** Takes a workbook or CSV that is dropped anywhere on the window, pasted, or chosen. */
function DropZone() {
  const bringing = useSignal<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { wrong, attempt } = useAttempt();
  const bring = async ([file, ...more]: readonly File[]): Promise<void> => {
    if (file === undefined || bringing.peek() !== null) return;
    if (more.length > 0)
      throw new Error(
        say(
          `One file at a time: these were ${1 + more.length}. Drop the one to begin with.`,
          `Eén bestand tegelijk: dit waren er ${1 + more.length}. Zet het eerste neer waar je mee wilt beginnen.`,
        ),
      );
    const { name } = file;
    bringing.value = name;
    announce(said(BRINGING, { name }));
    try {
      const { source, exact } = await bringFile(file);
      // Where nothing is to be decided it goes on to its plan.
      if (exact) await check(source);
      else goTo(`/files/${source}`);
    } finally {
      bringing.value = null;
    }
  };
  const take = (files: Iterable<File> | null | undefined): void =>
    void attempt(() => bring([...(files ?? [])]));
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    addEventListener('drop', ({ dataTransfer }) => take(dataTransfer?.files), { signal });
    const paste = (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text') ?? '';
      if (isTyping(event.target) || (files.length === 0 && text.trim() === '')) return;
      event.preventDefault();
      // Cells of a spreadsheet come as text between tabs.
      take(files.length > 0 ? files : [new File([text], `${say('pasted', 'geplakt')}.tsv`)]);
    };
    addEventListener('paste', paste, { signal });
    return () => ended.abort();
  }, []);
  const now = bringing.value;
  return (
    <>
      <div class="drop">
        <Icon name="drop" />
        <h2>{say('Drop a workbook or CSV here', 'Zet hier een werkmap of CSV neer')}</h2>
        {now === null ? (
          <>
            <input
              ref={input}
              type="file"
              class="unseen"
              tabIndex={-1}
              aria-hidden="true"
              accept={TAKEN}
              onChange={({ currentTarget }) => {
                take(currentTarget.files);
                // The same file, saved once more, can be chosen again.
                currentTarget.value = '';
              }}
            />
            <Button look="primary" icon="file" onClick={() => input.current?.click()}>
              {say('Choose a file', 'Kies een bestand')}
            </Button>
            <p class="dim">
              {say(
                'Excel (.xlsx, .xlsm, .xls) or text (.csv, .tsv). Nothing is sent yet: you see every change first. Or copy cells in your spreadsheet, headers too, and paste them here.',
                'Excel (.xlsx, .xlsm, .xls) of tekst (.csv, .tsv). Er wordt nog niets verstuurd: je ziet eerst elke wijziging. Of kopieer cellen in je spreadsheet, met de koppen, en plak ze hier.',
              )}
            </p>
          </>
        ) : (
          <>
            <p>{said(BRINGING, { name: now })}</p>
            <progress aria-label={now} />
          </>
        )}
      </div>
      <ErrorBox error={wrong} />
    </>
  );
}

/** A file that was brought and not sent. */
function DraftLine({ run: { run, source, file, startedAt }, corrections, undoes }: Home['drafts'][number]) {
  const [asks, setAsks] = useState(false);
  const about = [
    whenText(startedAt),
    undoes !== null && say(`takes back ${undoes}`, `draait ${undoes} terug`),
    correctionsText(corrections),
  ];
  return (
    <li class="spread">
      <span>
        <a href={hrefOf(`/files/${source}/check`)}>{file}</a>{' '}
        <span class="dim">{about.filter(Boolean).join(' · ')}</span>
      </span>
      {asks ? (
        <Button small look="danger" onClick={() => call('dropRun', { run })}>
          {say('Yes, remove it', 'Ja, weghalen')}
        </Button>
      ) : (
        <Button
          small
          look="plain"
          label={say(
            `Remove ${file} from this page; your own file stays where it is`,
            `Weghalen: ${file} van deze pagina; je eigen bestand blijft waar het is`,
          )}
          onClick={() => setAsks(true)}
        >
          {say('Remove', 'Weghalen')}
        </Button>
      )}
    </li>
  );
}

/** Makes a workbook to fill in, with the sheets that are wanted, and saves it. */
function Templates({ kinds }: { readonly kinds: Home['templates'] }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const make = async (): Promise<void> => {
    const { id: job } = await doJob(call('makeTemplate', { kinds: [...chosen] }));
    await download('jobFile', { job });
  };
  return (
    <section>
      <h2>{say('Begin with a template', 'Begin met een sjabloon')}</h2>
      <p class="dim">
        {say(
          'A workbook with the right columns, an explanation of each, and lists to choose from.',
          'Een werkmap met de juiste kolommen, uitleg bij elke kolom, en lijsten om uit te kiezen.',
        )}
      </p>
      <Checks
        of={kinds.map(({ name, sheet }): Option => [name, sheet])}
        chosen={chosen}
        onChosen={setChosen}
      />
      <Button icon="sheet" disabled={chosen.length === 0} onClick={make}>
        {say('Make the template', 'Sjabloon maken')}
      </Button>
    </section>
  );
}
