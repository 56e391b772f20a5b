import type { DateOrder } from '../codec.ts';
import type { Bilingual } from '../value.ts';
import { type Moment, momentWords, showMoment } from './moment.ts';

const ORDERS = {
  day: { en: 'day first', nl: 'dag eerst' },
  month: { en: 'month first', nl: 'maand eerst' },
} as const;

/**
 * Of a date that gives a day only with day and month the other way round: in which order it was read and why, which day
 * it would be, and the way out. `evident`: its column shows that order.
 */
export function otherWayRound(other: Moment, order: DateOrder, evident: boolean): Bilingual {
  const { en, nl } = momentWords(other);
  const read = ORDERS[order];
  const why = evident
    ? {
        en: `the column is read ${read.en}, as other dates in it are written`,
        nl: `de kolom is gelezen met de ${read.nl}, zoals andere datums erin`,
      }
    : { en: `read ${read.en}`, nl: `gelezen met de ${read.nl}` };
  const iso = showMoment(other).slice(0, 10);
  return {
    en: `${why.en}; the other way round it is ${en}: if that is meant, write ${iso}`,
    nl: `${why.nl}; andersom is het ${nl}: is dat bedoeld, schrijf dan ${iso}`,
  };
}
