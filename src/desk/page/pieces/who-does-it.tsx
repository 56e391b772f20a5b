import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { JobDocument } from '../../contract/documents.ts';
import { call } from '../call.ts';
import { home } from '../desk.ts';
import { say, sayCount } from '../language.ts';
import { useLoaded } from '../loaded.ts';
import { Box } from './box.tsx';

const WHO = t('Who sends it', 'Wie het verstuurt');
const HERE = t(
  'This computer: it goes on as long as catersheet runs here',
  'Deze computer: het gaat door zolang catersheet hier draait',
);
const THEY = t(
  'Workers: they go on also when you stop catersheet',
  'Workers: die gaan ook door als je catersheet stopt',
);
const ONE_RUNS = t('1 worker is running.', 'Er draait 1 worker.');
const RUN = t('{n} workers are running.', 'Er draaien {n} workers.');
const NONE = t(
  'As far as is known no worker is running now. It then waits until one is started, and goes on by itself.',
  'Voor zover bekend draait er nu geen worker. Dan wacht het tot er een gestart wordt, en gaat het vanzelf door.',
);

/** How often it is asked which workers run, ms, while that is in sight. */
const EVERY = 5000;

/** What the user chose while the page is open; null for what is usual. */
const chosen = signal<boolean | null>(null);

/** Whether what is begun next is handed over to workers; never where there can be none. */
export function byWorkers(): boolean {
  const workers = home.value?.workers ?? null;
  return workers !== null && (chosen.value ?? workers.usual);
}

/** Lets the user choose whether workers do it; nothing where there can be none. */
export function WhoDoesIt(): JSX.Element | null {
  const name = useId();
  if ((home.value?.workers ?? null) === null) return null;
  const theirs = byWorkers();
  return (
    <fieldset class="checks">
      <legend>{say(WHO)}</legend>
      {[false, true].map((they) => (
        <label key={String(they)} class="check">
          <input
            type="radio"
            name={name}
            checked={theirs === they}
            onChange={() => {
              chosen.value = they;
            }}
          />
          <span>{say(they ? THEY : HERE)}</span>
        </label>
      ))}
      <div role="status">{theirs && <Running />}</div>
    </fieldset>
  );
}

/** How many workers run, and what happens where none does. */
function Running(): JSX.Element | null {
  const { data, reload } = useLoaded('workers', (ended) => call('workers', { signal: ended }));
  useEffect(() => {
    const timer = setInterval(reload, EVERY);
    return () => clearInterval(timer);
  }, []);
  if (data === null) return null;
  if (data.running === 0) return <Box tone="warn">{say(NONE)}</Box>;
  return <p class="dim">{sayCount(data.running, ONE_RUNS, RUN)}</p>;
}

const LEAVE = t(
  'You can close this page and stop catersheet: workers go on. When you come back, you find it again.',
  'Je kunt deze pagina sluiten en catersheet stoppen: workers gaan door. Als je terugkomt, vind je het weer.',
);
const UNBEGUN = t(
  'No worker has begun. Pausing takes it back: nothing is sent until you send it.',
  'Er is nog geen worker begonnen. Pauzeren haalt het terug: er gaat niets uit tot je het verstuurt.',
);
const BEGUN = t(
  'Pausing asks the workers to stop: they send nothing new and wait for what is on its way. What is left you send later, here or by workers; nothing is sent twice.',
  'Pauzeren vraagt de workers te stoppen: er gaat niets nieuws meer uit en op wat onderweg is, wordt gewacht. Wat over is verstuur je later, hier of met workers; niets wordt dubbel verstuurd.',
);
/** What can be done with something that workers do, and what goes on without the page. */
export const workersText = ({ workers }: JobDocument): string =>
  `${say(workers === 'waiting' ? UNBEGUN : BEGUN)} ${say(LEAVE)}`;
