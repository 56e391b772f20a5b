import { requestsText } from '../core/counts.ts';
import type { Language } from '../core/value.ts';
import type { ExportResult } from '../export/export-records.ts';
import { fileFlags, fileWord, type GivenFlags } from './next-command.ts';
import { say, WORDS } from './words.ts';

/** What an export wrote, and where. */
export function exportText(result: ExportResult, language: Language, given: GivenFlags): string {
  const { file, sheets, records, requests, ms, notes, format } = result;
  const count = say(records === 1 ? WORDS.oneRecord : WORDS.records, language, { n: records });
  const again = file !== null && format !== 'ndjson' && records > 0;
  const next = { file: fileWord(file ?? ''), flags: fileFlags(given) };
  return [
    `${say(WORDS.exported, language)}: ${file ?? 'stdout'}`,
    ...sheets.map(({ sheet, rows }, at) => `  ${sheet}: ${at === 0 ? count : rows}`),
    ...notes.map((note) => `  ${note[language]}`),
    ...(again ? ['', say(WORDS.editIt, language, next)] : []),
    `${requestsText(requests)[language]}, ${(ms / 1000).toFixed(1)} s`,
  ].join('\n');
}

/** An export as JSON. */
export function exportDocument({ notes, cutOff, ...result }: ExportResult, language: Language): object {
  return { ...result, notes: notes.map((note) => note[language]) };
}
