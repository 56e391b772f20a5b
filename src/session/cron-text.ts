import { type Bilingual, t } from '../core/language.ts';

/** One of the five fields of a cron text. */
interface CronField {
  readonly called: Bilingual;
  readonly from: number;
  readonly to: number;
  /** Names for numbers, the first for `start`. */
  readonly names?: readonly string[];
  readonly start?: number;
  /** What else may stand there. */
  readonly also?: RegExp;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: readonly CronField[] = [
  { called: t('minute', 'minuut'), from: 0, to: 59 },
  { called: t('hour', 'uur'), from: 0, to: 23 },
  { called: t('day of the month', 'dag van de maand'), from: 1, to: 31, also: /^[l?]$/ },
  { called: t('month', 'maand'), from: 1, to: 12, names: MONTHS, start: 1 },
  {
    ...{ called: t('day of the week', 'dag van de week'), from: 0, to: 7, names: DAYS, start: 0 },
    also: /^(?:\?|[0-7]l|[0-7]#[1-5])$/,
  },
];

const WHOLE = /^@(?:yearly|monthly|weekly|daily|hourly)$/;

const LIKE = t(
  'write it as in "0 3 * * *" (each night at three) or "*/30 7-18 * * 1-5" (each half hour of a working day)',
  'schrijf het zoals in "0 3 * * *" (elke nacht om drie uur) of "*/30 7-18 * * 1-5" (elk half uur van een werkdag)',
);

/**
 * What is wrong with a cron text, and how it is written; undefined for one of five fields, minute first, that
 * the engine takes. Seconds are refused: it looks once a minute.
 */
export function cronProblem(text: string): Bilingual | undefined {
  const wanted = text.trim().toLowerCase();
  if (WHOLE.test(wanted)) return undefined;
  const parts = wanted.split(/\s+/);
  if (parts.length !== FIELDS.length)
    return t(
      `"${text}" has ${wanted === '' ? 0 : parts.length} fields, and needs five: minute, hour, day of the month, month, day of the week; ${LIKE.en}`,
      `"${text}" heeft ${wanted === '' ? 0 : parts.length} velden, en het moeten er vijf zijn: minuut, uur, dag van de maand, maand, dag van de week; ${LIKE.nl}`,
    );
  for (const [at, field] of FIELDS.entries()) {
    const part = parts[at] ?? '';
    if (isField(part, field)) continue;
    const { called, from, to } = field;
    return t(
      `"${part}" is no ${called.en}: expected ${from} to ${to}, *, a range as 1-5, a step as */10, or several with commas; ${LIKE.en}`,
      `"${part}" is geen ${called.nl}: verwacht werd ${from} t/m ${to}, *, een bereik zoals 1-5, een stap zoals */10, of meer met komma’s; ${LIKE.nl}`,
    );
  }
  return undefined;
}

const isField = (text: string, field: CronField): boolean =>
  text.split(',').every((one) => isPart(one, field));

function isPart(text: string, field: CronField): boolean {
  if (field.also?.test(text) === true) return true;
  const [, range = '', step] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (step !== undefined && Number(step) < 1) return false;
  if (range === '*') return true;
  const ends = range.split('-');
  const [first, last = first] = ends.map((end) => numberOf(end, field));
  return ends.length <= 2 && first !== undefined && last !== undefined && first <= last;
}

function numberOf(text: string, { from, to, names = [], start = 0 }: CronField): number | undefined {
  const named = names.indexOf(text);
  if (named >= 0) return named + start;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return number >= from && number <= to ? number : undefined;
}
