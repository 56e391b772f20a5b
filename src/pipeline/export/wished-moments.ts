import { EXIT, StopError } from '../../errors.ts';
import type { DateOrders } from '../../schema/codec.ts';
import { datetimeCodec } from '../../schema/codecs/datetime.ts';
import { sayMoment } from '../../schema/codecs/moment.ts';
import { expectedText } from '../../schema/issue.ts';
import type { Bilingual, Locale } from '../../schema/value.ts';
import { ordersIn } from '../map/date-order.ts';
import type { Days } from './lists/days.ts';

/** How each flag is written so that it reads one way only. */
const EXAMPLES = { since: '"2026-11-01 06:00"', from: '2026-11-01', to: '2026-11-30' } as const;
type Flag = keyof typeof EXAMPLES;

/** A period, and how its days were read where that could have been otherwise. */
interface Period {
  readonly days: Days;
  readonly notes: readonly Bilingual[];
}

/** How a date is read: by the locale, unless those beside it show another order. */
interface Reading {
  readonly locale: Locale;
  readonly orders: DateOrders;
}

/** A period as the user wrote it; null for none. Throws StopError with EXIT.usage. */
export function periodOf(from: string | undefined, to: string | undefined, locale: Locale): Period | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) throw stop(HALF_PERIOD, HALF_PERIOD_NEXT);
  const reading = { locale, orders: ordersIn([from, to]) };
  const [first, last] = [dayOf('from', from, reading), dayOf('to', to, reading)];
  const days = { from: first.moment, to: last.moment };
  if (days.from > days.to) throw stop(backwards(days), HALF_PERIOD_NEXT);
  return { days, notes: [...first.note, ...last.note] };
}

/** A moment, and how it was read, if that is to be said. */
interface ReadMoment {
  readonly moment: string;
  readonly note: readonly Bilingual[];
}

/** A day of a period. A time at midnight is how the service writes a day; of any other nobody would notice that it is dropped. */
function dayOf(flag: 'from' | 'to', text: string, reading: Reading): ReadMoment {
  const { moment, note } = momentOf(flag, text, reading);
  if (moment.slice(11).startsWith('00:00:00')) return { moment: moment.slice(0, 10), note };
  throw stop(
    {
      en: `--${flag} ${text}: a period is of whole days, without a time.`,
      nl: `--${flag} ${text}: een periode is van hele dagen, zonder tijd.`,
    },
    likeIn(flag),
  );
}

/** A moment as people write it, as wall-clock text `YYYY-MM-DD hh:mm:ss`. Throws StopError with EXIT.usage. */
export function momentOf(flag: Flag, text: string, { locale, orders }: Reading): ReadMoment {
  const read = datetimeCodec.decode({ column: 1, type: 'text', value: text }, locale, orders);
  if (read.ok && read.warning?.code === 'date-zone') throw stop(zoned(flag, text), likeIn(flag));
  if (read.ok) {
    const note = read.warning?.code === 'date-order' ? [readAs(flag, text, read.value)] : [];
    return { moment: read.value, note };
  }
  const [en, nl] = [expectedText(read.finding, 'en'), expectedText(read.finding, 'nl')];
  throw stop(
    { en: `--${flag} ${text}: expected ${en}.`, nl: `--${flag} ${text}: verwacht werd ${nl}.` },
    likeIn(flag),
  );
}

function readAs(flag: Flag, text: string, moment: string): Bilingual {
  const { en, nl } = sayMoment(moment);
  const plain = moment.endsWith(' 00:00:00') ? moment.slice(0, 10) : `"${moment}"`;
  return {
    en: `--${flag} ${text} was read as ${en}; --${flag} ${plain} can be read in one way only`,
    nl: `--${flag} ${text} is gelezen als ${nl}; --${flag} ${plain} is maar op één manier te lezen`,
  };
}

function likeIn(flag: Flag): Bilingual {
  const last = flag === 'since' ? { en: ', or --since last', nl: ', of --since last' } : { en: '', nl: '' };
  return {
    en: `Write it as in --${flag} ${EXAMPLES[flag]}${last.en}.`,
    nl: `Schrijf het zoals in --${flag} ${EXAMPLES[flag]}${last.nl}.`,
  };
}

/** The interface shows no zone: what a moment in one is on the service's clock, can't be told. */
const zoned = (flag: Flag, text: string): Bilingual => ({
  en: `--${flag} ${text}: moments go by the service's own clock, and its time zone is not known.`,
  nl: `--${flag} ${text}: momenten gaan naar de klok van de dienst, en zijn tijdzone is niet bekend.`,
});

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });

const HALF_PERIOD: Bilingual = {
  en: 'A period has a first and a last day.',
  nl: 'Een periode heeft een eerste en een laatste dag.',
};
const HALF_PERIOD_NEXT: Bilingual = {
  en: 'Write it as in --from 2026-11-01 --to 2026-11-30.',
  nl: 'Schrijf het zoals in --from 2026-11-01 --to 2026-11-30.',
};
const backwards = ({ from, to }: Days): Bilingual => ({
  en: `The period ends (${to}) before it begins (${from}).`,
  nl: `De periode eindigt (${to}) voordat hij begint (${from}).`,
});
