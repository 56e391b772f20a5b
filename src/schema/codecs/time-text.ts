import type { Time } from './moment.ts';

const TIME =
  /^(\d{1,2})(?:[:.uh](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?)? *(u\.?|uur|h)? *(?:([ap])\.?m\.?)?$/i;

/**
 * A time as people write it: `14:30`, `14.30`, `14u30`, `14:30 uur`, `2:30 PM`, `24:00`; undefined for what is no time
 * of day. Hours alone say that they are hours: `14 uur`.
 */
export function parseTime(text: string): Time | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [hours = '', minutes, seconds, fraction = '', unit, half] = match.slice(1);
  if (minutes === undefined && unit === undefined && half === undefined) return undefined;
  const [minute, second] = [Number(minutes ?? 0), Number(seconds ?? 0)];
  const hour = half === undefined ? Number(hours) : twelveHour(Number(hours), half.toLowerCase() === 'p');
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const rest = minute + second + millisecond;
  if (hour === undefined || hour > 24 || (hour === 24 && rest > 0) || minute > 59 || second > 59)
    return undefined;
  return { hour, minute, second, millisecond };
}

function twelveHour(hour: number, afternoon: boolean): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (afternoon ? 12 : 0);
}
