import { callsDocument, checkDocument, exportDocument, templateDocument } from '../../api/documents.ts';
import type { Language } from '../../core/language.ts';
import { undoDocument } from '../../export/write-undo.ts';
import { financeDocument } from '../../finance/export-finance.ts';
import { importHead, rowDocuments } from '../../import/import-document.ts';
import { showDocument, showWithRows, stopDocument } from './documents.ts';
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
  const print: typeof showDocument = (name, document) => {
    first.tell();
    shown = true;
    showDocument(name, document);
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
    async showImport(result, stopped) {
      first.tell();
      shown = true;
      const { dryRun, ms } = result.result;
      const rows = rowDocuments(result.rows, { dryRun, language, all });
      const error = stopped === null ? {} : stopDocument(stopped, language);
      await showWithRows<'import'>({ ...importHead(result.result, language), ...error }, rows, { ms });
    },
    showExport: (result) => print('export', exportDocument(result, language)),
    showFinance: (result) => print('finance', financeDocument(result, language)),
    showTemplate: (written) => print('template', templateDocument(written, language)),
    showUndo: (written) => print('undo', undoDocument(written, language)),
    showCalls: (result) => {
      const stopped = result.stopped === null ? {} : stopDocument(result.stopped, language);
      print('calls', { ...callsDocument(result, language), ...stopped });
    },
    showCheck: (end) => print('check', checkDocument(end, language)),
    stop(error) {
      first.dropFor(error);
      if (!shown) print('error', stopDocument(error, language));
      show('stderr', stopLines(error, language));
    },
    close() {},
  };
}
