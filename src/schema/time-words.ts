import type { Bilingual } from './value.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A time that is only roughly known, in words: "about 2 minutes". @param ms milliseconds */
export function aboutText(ms: number): Bilingual {
  if (ms < 2 * SECOND) return { en: 'a moment', nl: 'een ogenblik' };
  if (ms < 90 * SECOND) {
    // Rounded up to fives: nobody counts along.
    const seconds = ms < 10 * SECOND ? Math.round(ms / SECOND) : 5 * Math.ceil(ms / (5 * SECOND));
    return { en: `about ${seconds} seconds`, nl: `ongeveer ${seconds} seconden` };
  }
  if (ms < 90 * MINUTE) {
    const minutes = Math.round(ms / MINUTE);
    return { en: `about ${minutes} minutes`, nl: `ongeveer ${minutes} minuten` };
  }
  const hours = Math.round((2 * ms) / HOUR) / 2;
  return { en: `about ${hours} hours`, nl: `ongeveer ${String(hours).replace('.', ',')} uur` };
}
