import type { JSX } from 'preact';
import type { Counts } from '../../../../core/counts.ts';
import { t } from '../../../../core/language.ts';
import { figure, say } from '../../language.ts';
import { Box } from '../../pieces/box.tsx';
import { createdWord, type NamedSheet, outcomeWord } from '../../pieces/status-pill.tsx';

const SAME = t(
  'The plan was made anew with what you changed. The numbers stayed the same.',
  'Het plan is opnieuw gemaakt met wat je wijzigde. De aantallen bleven gelijk.',
);
const CHANGED = t(
  'The plan was made anew with what you changed:',
  'Het plan is opnieuw gemaakt met wat je wijzigde:',
);
const FROM_TO = t('{word}: {from} before, {to} now', '{word}: eerst {from}, nu {to}');

interface ChangesProps {
  readonly before: Counts;
  readonly now: Counts;
  readonly sheets: readonly NamedSheet[];
}

/** What a plan that was made anew counts otherwise than the one before. */
export function PlanChanges({ before, now, sheets }: ChangesProps): JSX.Element {
  const names = (Object.keys(now) as (keyof Counts)[]).filter((name) => before[name] !== now[name]);
  if (names.length === 0) return <Box tone="good">{say(SAME)}</Box>;
  const wordOf = (name: keyof Counts): string =>
    name === 'created' ? createdWord(sheets, true) : outcomeWord(name, true);
  const line = (name: keyof Counts): string =>
    say(FROM_TO, { word: wordOf(name), from: figure(before[name]), to: figure(now[name]) });
  return (
    <Box tone="good">
      <p>{say(CHANGED)}</p>
      <ul class="plain-list">
        {names.map((name) => (
          <li key={name}>{line(name)}</li>
        ))}
      </ul>
    </Box>
  );
}
