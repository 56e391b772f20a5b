import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { type Choice, choicesOf } from '../import/map/lookup-names.ts';
import type { Context } from '../run/context.ts';
import { lookupsOf, readLookup, type UsedLookup } from '../run/lookup-lists.ts';
import type { Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';

/** The sorted choices of a lookup; `name` is the list's name in the workbook. */
export interface ChoiceList {
  readonly lookup: string;
  readonly name: string;
  readonly choices: readonly Choice[];
}

/** A lookup that could not be read, and why. */
interface MissingList extends UsedLookup {
  readonly reason: Bilingual;
}

interface TemplateLists {
  readonly lists: readonly ChoiceList[];
  readonly missing: readonly MissingList[];
}

/** The lists of a template that is made offline: none. */
export const NO_LISTS: TemplateLists = { lists: [], missing: [] };

const EMPTY: Bilingual = t('the list is empty', 'de lijst is leeg');

/** Reads the lookups of some resources. Throws StopError with EXIT.service when the service is away. */
export async function readLists(
  context: Context,
  resources: readonly Resource[],
  language: Language,
): Promise<TemplateLists> {
  const lists: ChoiceList[] = [];
  const missing: MissingList[] = [];
  const read = lookupsOf(resources).map(async (used) => ({
    used,
    list: await orOffline(context, () => readLookup(context, used.lookup)),
  }));
  for (const { used, list } of await Promise.all(read)) {
    if (!('entries' in list)) missing.push({ ...used, reason: list.hint });
    else if (list.entries.length === 0) missing.push({ ...used, reason: EMPTY });
    else lists.push(listOf(used, choicesOf(list.entries), language));
  }
  return { lists, missing };
}

function listOf({ lookup }: UsedLookup, choices: readonly Choice[], language: Language): ChoiceList {
  const order = new Intl.Collator(language, { numeric: true });
  const sorted = [...choices].sort((a, b) => order.compare(a.text, b.text));
  return { lookup: lookup.name, name: `list_${lookup.name.replace(/\W/g, '_')}`, choices: sorted };
}

async function orOffline<T>({ serviceName, log }: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause;
    log.error({ endpoint: cause.endpoint, status: cause.status, kind: cause.kind }, cause.reason);
    throw new StopError(
      EXIT.service,
      t(
        `${serviceName} does not give its lists: ${cause.text.en}.`,
        `${serviceName} geeft zijn lijsten niet: ${cause.text.nl}.`,
      ),
      {
        next: t(
          'Try again later, or add --offline for a template without lists to choose from.',
          'Probeer het later opnieuw, of voeg --offline toe voor een sjabloon zonder keuzelijsten.',
        ),
        cause,
      },
    );
  }
}
