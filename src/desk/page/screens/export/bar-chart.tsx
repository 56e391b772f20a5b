import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import { amountText, say } from '../../language.ts';

interface Bar {
  readonly key: string | number | null;
  readonly name: string;
  /** A decimal in full. */
  readonly amount: string;
}

interface ChartProps {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** The room of the chart, in its own units: it grows with the page. */
const [WIDTH, HEIGHT, FOOT, SIDE] = [720, 220, 26, 72];
/** About the width of a letter. */
const LETTER = 6.5;
const ABOVE = t('{title}: the table has the same figures', '{title}: de tabel heeft dezelfde cijfers');

/** Amounts as bars; who can't see them has the same figures in the table beside it. */
export function BarChart({ title, bars }: ChartProps): JSX.Element {
  const id = useId();
  // Only how tall a bar is drawn: amounts themselves are never floats.
  const values = bars.map(({ amount }) => Number(amount));
  const top = niceTop(Math.max(0, ...values));
  const bottom = Math.min(0, -niceTop(Math.max(0, ...values.map((value) => -value))));
  const scale = (HEIGHT - 12) / Math.max(1e-9, top - bottom);
  const placeOf = (value: number): number => 12 + (top - value) * scale;
  const step = (WIDTH - SIDE) / bars.length;
  // Names that would run into each other give way to every other one, or fewer.
  const widest = LETTER * (2 + Math.max(0, ...bars.map(({ name }) => name.length)));
  const every = Math.max(1, Math.ceil(widest / step));
  const marks = [...new Set([top, top / 2, 0, ...(bottom < 0 ? [bottom] : [])])];
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT + FOOT}`} role="img" aria-labelledby={id}>
      <title id={id}>{say(ABOVE, { title })}</title>
      {marks.map((mark) => (
        <g key={mark} class="mark">
          <line x1={SIDE} x2={WIDTH} y1={placeOf(mark)} y2={placeOf(mark)} />
          <text x={SIDE - 8} y={placeOf(mark) + 4} text-anchor="end">
            {amountText(String(mark), 0)}
          </text>
        </g>
      ))}
      {bars.map(({ key, name, amount }, at) => {
        const value = values[at] ?? 0;
        const middle = SIDE + step * (at + 0.5);
        return (
          <g key={String(key)} class={value < 0 ? 'bar below' : 'bar'}>
            <title>{`${name}: ${amountText(amount)}`}</title>
            <rect
              x={middle - Math.min(28, step * 0.35)}
              y={Math.min(placeOf(0), placeOf(value))}
              width={Math.min(56, step * 0.7)}
              height={Math.max(1, Math.abs(placeOf(value) - placeOf(0)))}
              rx="3"
            />
            {at % every === 0 && (
              <text x={middle} y={HEIGHT + 18} text-anchor="middle">
                {name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** A round number that is not below another: 1, 2 or 5 with zeros. */
function niceTop(value: number): number {
  if (value <= 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((part) => part * unit >= value) ?? 10) * unit;
}
