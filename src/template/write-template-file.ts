import { join } from 'node:path';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, type Form, type Language, t, withFlag } from '../core/language.ts';
import { OWN_SHEETS } from '../core/own-sheets.ts';
import { checkNewBook, refuseExisting, writeAtomically } from '../files/write-aside.ts';
import { choicesOf } from '../import/map/lookup-names.ts';
import type { Context } from '../run/context.ts';
import { lookupsOf, readLookup, type UsedLookup } from '../run/lookup-lists.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { type BookFeed, writeBook } from '../xlsx/write/write-book.ts';
import { type ChoiceList, describeColumns, listOf, writtenList } from './columns.ts';
import { guidePage } from './guide.ts';

interface TemplateRequest {
  /** The sheets to make, in order. */
  readonly chosen: readonly Resource[];
  /** All resources: columns refer to one another's sheets. */
  readonly resources: readonly Resource[];
  readonly lists: readonly ChoiceList[];
  readonly language: Language;
  /** How its guide is said; with commands where it is absent. */
  readonly form?: Form | undefined;
  readonly made: Date;
}

/** Rows of an empty table; it grows by itself. */
const TABLE_ROWS = 50;

/** Fills a workbook to fill in, made from the resources; tells what sheets it has. */
export async function fillTemplate(
  book: BookFeed,
  { chosen, form, ...setup }: Omit<TemplateRequest, 'made'>,
): Promise<WrittenTemplate['sheets']> {
  const { lists, language } = setup;
  const sheets = chosen.map((resource) => ({ resource, columns: describeColumns(resource, setup) }));
  book.page(OWN_SHEETS.guide[language]).write(guidePage(sheets, language, form));
  for (const { resource, columns } of sheets)
    book.sheet({
      name: resource.sheet,
      table: `tbl_${resource.name.replace(/\W/g, '_')}`,
      columns: columns.map(({ column }) => column),
      least: TABLE_ROWS,
    });
  book.lists(OWN_SHEETS.lists[language], () => lists.map(writtenList));
  return sheets.map(({ resource: { sheet, name }, columns }) => {
    return { sheet, resource: name, columns: columns.length };
  });
}

interface TemplateFile extends Omit<TemplateRequest, 'lists'> {
  /** The file; when absent, a name of its own in `folder` or the working folder. */
  readonly out?: string | undefined;
  readonly folder?: string;
  /** The service to read lists from; no lists when absent. */
  readonly context?: Context | undefined;
}

/** What `template` wrote. */
export interface WrittenTemplate {
  /** The workbook’s path. */
  readonly file: string;
  /** Its sheets to fill in. */
  readonly sheets: readonly {
    /** Its name. */
    readonly sheet: string;
    /** What it is for, such as `packages`. */
    readonly resource: string;
    /** How many columns it has. */
    readonly columns: number;
  }[];
  /** Its lists to choose from. */
  readonly lists: readonly {
    /** The lookup by its name in the interface, such as `producttype`. */
    readonly lookup: string;
    /** How many names it has. */
    readonly values: number;
  }[];
  /** Lists that could not be read, and why. */
  readonly missing: readonly (UsedLookup & { readonly reason: Bilingual })[];
}

const NAMES: Readonly<Record<Language, string>> = t('template', 'sjabloon');

/** `template.xlsx`, or `template-pakketten.xlsx` for one sheet. */
function templateName(chosen: readonly Resource[], language: Language): string {
  const [only, more] = chosen;
  const tail = only !== undefined && more === undefined ? `-${only.sheet.toLowerCase()}` : '';
  return `${NAMES[language]}${tail}.xlsx`;
}

/**
 * Makes a template and writes it. Throws StopError with EXIT.usage where the file is there already, and with
 * EXIT.service when the service is away.
 */
export async function writeTemplateFile(request: TemplateFile): Promise<WrittenTemplate> {
  const { chosen, language, context, folder = '' } = request;
  const file = request.out ?? join(folder, templateName(chosen, language));
  checkNewBook(file);
  const { lists, missing } =
    context === undefined ? { lists: [], missing: [] } : await readLists(context, chosen, language);
  refuseExisting(file);
  let sheets: WrittenTemplate['sheets'] = [];
  await writeAtomically(file, (stream) =>
    writeBook(stream, file, request, async (book) => {
      sheets = await fillTemplate(book, { ...request, lists });
    }),
  );
  return {
    ...{ file, sheets },
    lists: lists.map(({ lookup, choices }) => ({ lookup, values: choices.length })),
    missing,
  };
}

const LISTS = t('lists to choose from', 'keuzelijsten');

const EMPTY = t('the list is empty', 'de lijst is leeg');

/** Reads the lookups of some resources. Throws StopError with EXIT.service when the service is away. */
export async function readLists(
  context: Context,
  resources: readonly Resource[],
  language: Language,
): Promise<{ readonly lists: readonly ChoiceList[] } & Pick<WrittenTemplate, 'missing'>> {
  const lists: ChoiceList[] = [];
  const missing: WrittenTemplate['missing'][number][] = [];
  const wanted = lookupsOf(resources);
  let done = 0;
  const tell = (so: number): void =>
    context.onProgress?.({ stage: 'reading', of: LISTS, done: so, total: wanted.length });
  tell(done);
  const read = wanted.map(async (used) => ({
    used,
    list: await readLookup(context, used.lookup)
      .catch((cause) => {
        throw cause instanceof RequestError ? listsAway(context, cause) : cause;
      })
      .finally(() => tell(++done)),
  }));
  for (const { used, list } of await Promise.all(read)) {
    if (!('entries' in list)) missing.push({ ...used, reason: list.unreadable });
    else if (list.entries.length === 0) missing.push({ ...used, reason: EMPTY });
    else lists.push(listOf(used.lookup.name, choicesOf(list.entries), language));
  }
  return { lists, missing };
}

function listsAway({ serviceName, log }: Context, cause: RequestError): StopError {
  log.error({ endpoint: cause.endpoint, status: cause.status, kind: cause.kind }, cause.reason);
  const message = t(
    `${serviceName} does not give its lists: ${cause.text.en}.`,
    `${serviceName} geeft zijn lijsten niet: ${cause.text.nl}.`,
  );
  const next = withFlag(
    t(
      'Try again later, or make a template without lists to choose from.',
      'Probeer het later opnieuw, of maak een sjabloon zonder keuzelijsten.',
    ),
    '--offline',
  );
  return new StopError(EXIT.service, message, { next, cause });
}
