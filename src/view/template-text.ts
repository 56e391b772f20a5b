import type { Language } from '../core/value.ts';
import type { WrittenTemplate } from '../template/write-template-file.ts';
import { fileWord, type GivenFlags, serviceFlags } from './next-command.ts';
import { say, WORDS } from './words.ts';

/** What a template holds, and what to do with it. */
export function templateText(
  { file, sheets, lists }: WrittenTemplate,
  language: Language,
  given: GivenFlags,
): string {
  const names = sheets.map(({ sheet }) => sheet).join(', ');
  const chosen = lists.length === 0 ? WORDS.withoutLists : WORDS.withLists;
  return [
    `${say(WORDS.template, language)}: ${file}`,
    `  ${names}`,
    `  ${say(chosen, language, { n: lists.length })}`,
    '',
    say(WORDS.fillIn, language, { file: fileWord(file), flags: serviceFlags(given) }),
  ].join('\n');
}

/** Which lists are not in a template, in one line; null when all are. */
export function missingLists({ missing }: WrittenTemplate, language: Language): string | null {
  if (missing.length === 0) return null;
  const columns = missing.flatMap(({ columns }) => columns).join(', ');
  return say(WORDS.missingLists, language, { columns });
}

/** A template as JSON. */
export function templateDocument(
  { file, sheets, lists, missing }: WrittenTemplate,
  language: Language,
): object {
  const left = missing.map(({ lookup, columns, reason }) => ({
    ...{ lookup: lookup.name, columns, reason: reason[language] },
  }));
  return { file, sheets, lists, missing: left };
}
