import { OWN_SHEETS } from '../core/own-sheets.ts';
import type { Language } from '../core/value.ts';
import type { WrittenUndo } from '../import/undo/undo-run.ts';
import { fileWord, type GivenFlags, serviceFlags } from './next-command.ts';
import { say, WORDS } from './words.ts';

const MOST_LINES = 12;

/** What a workbook that takes a run back holds, what it can't, and what to do with it. */
export function undoText(written: WrittenUndo, language: Language, given: GivenFlags): string {
  const { run, file, sheets, deletes } = written;
  const flag = deletes ? ' --allow-delete' : '';
  return [
    `${say(WORDS.undo, language, { run })}: ${file}`,
    ...sheets.map(({ sheet, rows }) => `  ${sheet}: ${rows}`),
    ...leftLines(written, language),
    '',
    say(WORDS.lookAtUndo, language, { file: fileWord(file), flag, flags: serviceFlags(given) }),
  ].join('\n');
}

function leftLines({ cannot }: WrittenUndo, language: Language): string[] {
  if (cannot.length === 0) return [];
  const lines = cannot
    .slice(0, MOST_LINES)
    .map(({ sheet, row, why }) => `  ${sheet} ${row}: ${why[language]}`);
  const more = cannot.length - lines.length;
  return [
    '',
    OWN_SHEETS.undone[language],
    ...lines,
    ...(more > 0 ? [`  ${say(WORDS.andMore, language, { n: more })}`] : []),
  ];
}
