import type { ComponentChildren } from 'preact';
import { figure, say } from '../language.ts';

interface TableProps {
  readonly heads: readonly string[];
  readonly caption?: string;
  readonly class?: string;
  /** Its rows. */
  readonly children: ComponentChildren;
}

/** A table with its heads, the first column naming the rows. */
export const Table = ({ heads, caption, class: look = '', children }: TableProps) => (
  <table class={`list ${look}`}>
    {caption && <caption>{caption}</caption>}
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

interface PairsProps {
  readonly of: readonly (readonly [name: ComponentChildren, what: ComponentChildren])[];
}

/** Names, and what stands for each. */
export const Pairs = ({ of }: PairsProps) => (
  <dl class="pairs">
    {of.map(([name, what], at) => (
      <div key={at}>
        <dt>{name}</dt>
        <dd>{what}</dd>
      </div>
    ))}
  </dl>
);

/** Said where more of something is not shown; nothing where nothing is left. */
export const more = (left: number): string =>
  left > 0 ? say(`and ${figure(left)} more`, `en nog ${figure(left)}`) : '';

interface ListedProps {
  readonly items: readonly ComponentChildren[];
  /** How many are named; all where it is left out. */
  readonly most?: number;
  /** How many there are, where these are the first. */
  readonly count?: number;
}

/** A list, or its first lines with how many more there are; nothing where there are none. */
export function Listed({ items, most = items.length, count = items.length }: ListedProps) {
  const named = items.slice(0, most);
  const rest = more(count - named.length);
  if (named.length === 0) return null;
  return (
    <ul>
      {[...named, ...(rest === '' ? [] : [rest])].map((item, at) => (
        <li key={at}>{item}</li>
      ))}
    </ul>
  );
}
