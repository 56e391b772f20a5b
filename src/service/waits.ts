import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import type { Time } from '../core/time.ts';

/** A longer pause that the service asks for is not waited for, and a shorter one than this not told, ms. */
const LONGEST_MS = 300_000;
const TOLD_MS = 3000;

/** Tells of waits, each once; `tell` shows a text while the work goes on. */
export function openWaits(time: Time, tell: (text: Bilingual) => void = () => {}) {
  let toldUntil = Number.NEGATIVE_INFINITY;
  const told = (wait: number, text: (until: string) => Bilingual): void => {
    const until = time.steady() + wait;
    if (wait < TOLD_MS || until < toldUntil + TOLD_MS) return;
    toldUntil = until;
    tell(withFlag(text(new Date(time.now() + wait).toTimeString().slice(0, 8)), 'stop: Ctrl-C'));
  };
  return {
    /** A request is tried again after `wait` ms. */
    retry: (wait: number, endpoint: string, reason: Bilingual) =>
      told(wait, (until) =>
        t(
          `${endpoint}: ${reason.en}; it is tried again at ${until}.`,
          `${endpoint}: ${reason.nl}; om ${until} wordt het nog eens geprobeerd.`,
        ),
      ),
    /** The service asks for a pause of `wait` ms. @throws StopError (service) for one that is too long. */
    asked(wait: number, reason: Bilingual): void {
      const length = lengthOf(wait);
      if (wait > LONGEST_MS) throw notWaited(length);
      told(wait, (until) =>
        t(
          `The service asks for a pause of ${length.en} (${reason.en}); waiting until ${until}.`,
          `Het systeem vraagt om een pauze van ${length.nl} (${reason.nl}); er wordt tot ${until} gewacht.`,
        ),
      );
    },
  };
}

function notWaited(length: Bilingual): StopError {
  const text = t(
    `The service asks for a pause of ${length.en} (Retry-After); more than 5 minutes is not waited for.`,
    `Het systeem vraagt om een pauze van ${length.nl} (Retry-After); langer dan 5 minuten wordt niet gewacht.`,
  );
  return new StopError(EXIT.service, text, {
    next: t('Nothing is lost: try again after that.', 'Er is niets verloren: probeer het daarna opnieuw.'),
  });
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** A time in its largest unit of which it holds two. */
function lengthOf(ms: number): Bilingual {
  const times = (unit: number): number => Math.round(ms / unit);
  if (ms >= 365 * DAY) return t('more than a year', 'meer dan een jaar');
  if (ms >= 2 * DAY) return t(`${times(DAY)} days`, `${times(DAY)} dagen`);
  if (ms >= 2 * HOUR) return t(`${times(HOUR)} hours`, `${times(HOUR)} uur`);
  if (ms >= 2 * MINUTE) return t(`${times(MINUTE)} minutes`, `${times(MINUTE)} minuten`);
  return t(`${times(1000)} seconds`, `${times(1000)} seconden`);
}
