import { callsDocument, checkDocument, exportDocument, templateDocument } from '../../api/documents.ts';
import type { ImportEnd } from '../../api/import-workbook.ts';
import type { StopError } from '../../core/errors.ts';
import type { Language } from '../../core/language.ts';
import { showJson, writeJson } from '../../core/standard-streams.ts';
import { undoDocument } from '../../export/write-undo.ts';
import { financeDocument } from '../../finance/export-finance.ts';
import { importHead, rowDocuments } from '../../import/import-document.ts';
import { firstLine } from './first-line.ts';
import { show } from './lines.ts';
import type { View } from './view.ts';
import { stopLines } from './words.ts';

/** How a run is shown to scripts. */
interface JsonOptions {
  readonly language: Language;
  readonly quiet: boolean;
  /** Every row, not only those with something to tell. */
  readonly all: boolean;
}

/** One JSON document on stdout; notes and errors still go to stderr. */
export function jsonView({ language, quiet, all }: JsonOptions): View {
  let shown = false;
  const first = firstLine(() => {}, language);
  const print = (document: object): void => {
    first.tell();
    shown = true;
    showJson(document);
  };
  return {
    tellFirst(text) {
      if (!quiet) first.keep(text);
    },
    note(text) {
      first.tell();
      if (!quiet) show('stderr', [text[language]]);
    },
    progress() {},
    confirm: async () => false,
    ask: async () => false,
    takeHeaders: async () => false,
    askText: async () => '',
    tell() {},
    async showImport(result) {
      first.tell();
      shown = true;
      for await (const part of documentParts(result, language, all)) await writeJson(part);
    },
    showExport: (result) => print(exportDocument(result, language)),
    showFinance: (result) => print(financeDocument(result, language)),
    showTemplate: (written) => print(templateDocument(written, language)),
    showUndo: (written) => print(undoDocument(written, language)),
    showCalls: (result) => {
      const stopped = result.stopped === null ? {} : stopDocument(result.stopped, language);
      print({ ...callsDocument(result, language), ...stopped });
    },
    showCheck: (end) => print(checkDocument(end, language)),
    stop(error) {
      first.dropFor(error);
      if (!shown) print(stopDocument(error, language));
      show('stderr', stopLines(error, language));
    },
    close() {},
  };
}

/** The document in parts, so that a million rows are never in memory at once. */
async function* documentParts(
  { result, rows }: ImportEnd,
  language: Language,
  all: boolean,
): AsyncGenerator<string> {
  yield `${JSON.stringify(importHead(result, language), null, 2).slice(0, -2)},\n  "rows": [`;
  let first = true;
  for await (const row of rowDocuments(rows, { dryRun: result.dryRun, language, all })) {
    yield `${first ? '' : ','}\n    ${JSON.stringify(row)}`;
    first = false;
  }
  yield `${first ? '' : '\n  '}],\n  "ms": ${result.ms}\n}\n`;
}

/** What stopped a run, as `--json` prints it. */
function stopDocument({ exit, texts }: StopError, language: Language): object {
  return {
    error: {
      exit,
      message: texts.message[language],
      ...(texts.next === undefined ? {} : { next: texts.next[language] }),
    },
  };
}
