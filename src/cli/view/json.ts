import type { Documents, RowDocument } from '../../api/documents.ts';
import { importHead, rowDocuments } from '../../api/make-documents.ts';
import { asStop } from '../../core/errors.ts';
import type { Bilingual, Language } from '../../core/language.ts';
import { showJson, writeJson } from '../../core/standard-streams.ts';
import { show, stopDocument, stopLines, type View } from './lines.ts';

/** Characters of a document that are written at a time. */
const PART = 1 << 16;

/** Shows a document that has rows, in parts: a million rows are never in memory at once. */
export async function showWithRows<Name extends 'import' | 'run'>(
  head: Omit<Documents[Name], 'rows' | 'ms'>,
  rows: AsyncIterable<RowDocument>,
  tail: Partial<Documents[Name]> = {},
): Promise<void> {
  let part = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "rows": [`;
  let first = true;
  for await (const row of rows) {
    part += `${first ? '' : ','}\n    ${JSON.stringify(row)}`;
    first = false;
    if (part.length < PART) continue;
    await writeJson(part);
    part = '';
  }
  const members = Object.entries(tail).map(([name, value]) => `,\n  "${name}": ${JSON.stringify(value)}`);
  await writeJson(`${part}${first ? '' : '\n  '}]${members.join('')}\n}\n`);
}

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
  // Documents of several imports so far; null where there is one document.
  let several: number | null = null;
  const next = (): void => {
    if (several !== null && several++ > 0) void writeJson(',\n');
  };
  const print = (document: Documents[keyof Documents]): void => {
    shown = true;
    showJson(document);
  };
  const note = (text: Bilingual): void => {
    if (!quiet) show('stderr', [text[language]]);
  };
  return {
    language,
    note,
    progress() {},
    questions: () => null,
    async showImport(result, stopped) {
      shown = true;
      next();
      const { dryRun, ms } = result.result;
      const rows = rowDocuments(result.rows, { dryRun, language, all });
      const error = stopped === null ? {} : stopDocument(stopped, language);
      const moved = result.moved === undefined ? {} : { moved: result.moved };
      await showWithRows<'import'>({ ...importHead(result.result, language), ...moved, ...error }, rows, {
        ms,
      });
    },
    async showSeveral(work) {
      await writeJson('{ "imports": [\n');
      [several, shown] = [0, true];
      try {
        const exit = await work();
        await writeJson(`], "exit": ${exit} }\n`);
        return exit;
      } catch (error) {
        const stop = asStop(error);
        const { error: why } = stopDocument(stop, language);
        await writeJson(`], "exit": ${stop.exit}, "error": ${JSON.stringify(why)} }\n`);
        throw stop;
      }
    },
    show: print,
    stop(error, _logFile, about) {
      if (about !== undefined) {
        next();
        showJson({ ...about, ...stopDocument(error, language) });
      } else if (!shown) print(stopDocument(error, language));
      show('stderr', stopLines(error, language));
    },
    close() {},
  };
}
