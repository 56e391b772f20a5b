import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { readWorkbook, type Workbook } from '../workbook/read-workbook.ts';
import type { HeaderWishes } from './map/find-header.ts';
import { givenColumns } from './map/given-columns.ts';
import { type HeaderSources, type KnownHeaders, knownHeaders } from './map/header-names.ts';
import { resourcesOf } from './map/sheet-by-headers.ts';
import type { FileMemory } from './plan/plan-import.ts';
import type { CsvWishes } from './plan/saved-plan.ts';

/** A file, and how its user says that it is read. */
export interface FileToRead extends HeaderSources, CsvWishes, Pick<HeaderWishes, 'headerRow'> {
  readonly file: string;
  /** The command whose sheets are meant; those of an import when absent. */
  readonly command?: string | undefined;
  readonly as?: Resource | undefined;
  /** Keeps what is read of the file. */
  readonly memory?: FileMemory | undefined;
}

/** An opened file, with the headers of the user's own that it is read by. */
interface OpenFile {
  readonly workbook: Workbook;
  readonly headers: KnownHeaders;
  /** The headers that were given to a CSV: they become its first row. */
  readonly given: ReturnType<typeof givenColumns>;
}

/**
 * Opens a file with the headers of the user's own: those given, else those remembered. Throws StopError with
 * EXIT.file for what can't be read, with EXIT.usage for headers that can't be used.
 */
export async function openFile(context: Context, request: FileToRead): Promise<OpenFile> {
  const headers = await knownHeaders(context, request);
  const { file, delimiter, encoding, command, as } = request;
  const kinds = as === undefined ? resourcesOf(context, command) : [as];
  const given = givenColumns(request.columns, kinds, { ...request, names: headers.names });
  const workbook = await readWorkbook(file, { delimiter, encoding, columns: given?.columns });
  return { workbook: request.memory?.keep(workbook) ?? workbook, headers, given };
}
