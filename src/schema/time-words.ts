import { sayMoment } from './codecs/moment.ts';
import type { Bilingual, Language } from './value.ts';

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

/** Days from the first to the last of them, in words that read one way: "1–28 February 2027". Both are `YYYY-MM-DD`. */
export function daysText(from: string, to: string): Bilingual {
  const say = (language: Language): string => {
    const [first, last] = [from, to].map((day) => sayMoment(day)[language].split(' ')) as [
      string[],
      string[],
    ];
    // What both days have in common is said once, from the year on.
    const same = [2, 1, 0].find((at) => first.slice(at).join(' ') !== last.slice(at).join(' '));
    if (same === undefined) return last.join(' ');
    return `${first.slice(0, same + 1).join(' ')}${same === 0 ? '–' : ' – '}${last.join(' ')}`;
  };
  return { en: say('en'), nl: say('nl') };
}
