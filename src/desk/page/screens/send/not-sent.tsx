import type { JSX } from 'preact';
import type { Counts } from '../../../../core/counts.ts';
import { type Bilingual, t } from '../../../../core/language.ts';
import { say, sayCount } from '../../language.ts';
import { hrefOf } from '../../router.ts';

const TITLE = t('What is not sent', 'Wat er niet verstuurd wordt');
const LOOK = t('look at these', 'deze bekijken');

const REASONS: readonly (readonly [
  name: keyof Counts,
  one: Bilingual,
  other: Bilingual,
  tone: 'warn' | 'bad' | 'plain',
])[] = [
  [
    'invalid',
    t('1 row can’t be sent as it stands.', '1 rij kan zo niet verstuurd worden.'),
    t('{n} rows can’t be sent as they stand.', '{n} rijen kunnen zo niet verstuurd worden.'),
    'bad',
  ],
  [
    'conflict',
    t(
      '1 row was changed on the service since the file was written.',
      '1 rij is in het systeem gewijzigd sinds het bestand geschreven is.',
    ),
    t(
      '{n} rows were changed on the service since the file was written.',
      '{n} rijen zijn in het systeem gewijzigd sinds het bestand geschreven is.',
    ),
    'warn',
  ],
  [
    'skipped',
    t('1 row is passed over, as it says.', '1 rij wordt overgeslagen, zoals er staat.'),
    t('{n} rows are passed over, as they say.', '{n} rijen worden overgeslagen, zoals er staat.'),
    'plain',
  ],
  [
    'unchanged',
    t(
      '1 row needs nothing: it was done before, or is so already.',
      '1 rij heeft niets nodig: die is al gedaan, of is al zo.',
    ),
    t(
      '{n} rows need nothing: they were done before, or are so already.',
      '{n} rijen hebben niets nodig: ze zijn al gedaan, of zijn al zo.',
    ),
    'plain',
  ],
];

interface NotSentProps {
  readonly draft: string;
  readonly counts: Counts;
}

/** Rows that are not sent, by the reason, with the way to them; nothing where all are sent. */
export function NotSent({ draft, counts }: NotSentProps): JSX.Element | null {
  const there = REASONS.filter(([name]) => counts[name] > 0);
  if (there.length === 0) return null;
  return (
    <section class="not-sent" aria-labelledby="not-sent">
      <h2 id="not-sent">{say(TITLE)}</h2>
      <ul>
        {there.map(([name, one, other, tone]) => (
          <li key={name} class={tone}>
            {sayCount(counts[name], one, other)}{' '}
            <a href={hrefOf({ page: 'draft', draft, step: 'plan', query: { status: name } })}>{say(LOOK)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
