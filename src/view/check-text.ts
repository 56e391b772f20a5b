import { checksPassed, type ServiceCheck } from '../check/check-service.ts';
import type { Language } from '../core/value.ts';
import { say, WORDS } from './words.ts';

/** What was tried, a line each, and below it what can be done about what was not as hoped. */
export function checkText(service: string, checks: readonly ServiceCheck[], language: Language): string {
  const width = Math.max(...checks.map(({ what }) => what[language].length));
  const lines = checks.map(
    (check) => `  ${mark(check, language)}  ${check.what[language].padEnd(width)}  ${check.found[language]}`,
  );
  const advice = checks.flatMap(({ what, advice }) =>
    advice === null ? [] : [`  ${what[language]}: ${advice[language]}`],
  );
  const todo = advice.length === 0 ? [] : ['', WORDS.toDo[language], ...advice];
  const verdict = checksPassed(checks) ? WORDS.usable : WORDS.unusable;
  return [service, ...lines, ...todo, '', say(verdict, language)].join('\n');
}

/** What an import can do without is no failure. */
function mark({ ok, needed }: ServiceCheck, language: Language): string {
  const marks = { fine: WORDS.fine[language], odd: '!', wrong: WORDS.wrong[language] };
  const width = Math.max(...Object.values(marks).map((text) => text.length));
  return (ok ? marks.fine : needed ? marks.wrong : marks.odd).padEnd(width);
}
