import { sideBySide } from '../core/batches.ts';
import { type Bilingual, same, t, withFlag } from '../core/language.ts';
import type { Context } from '../run/context.ts';
import { lookupsOf } from '../run/lookup-lists.ts';
import { pathParameters } from '../schema/endpoint.ts';
import type { Lookup, LookupEntry } from '../schema/field.ts';
import { lookupList } from '../service/lookups.ts';
import { RequestError } from '../service/request-error.ts';
import type { ServiceCheck } from './check-service.ts';

/** The numbers that are tried. */
const LAST = 150;
/** So many reads at a time: a service is not to notice. */
const WIDTH = 4;

/** What a list shows of itself. */
const SHOWN = 5;

/** A dropdown list of the service. */
interface FoundList {
  readonly number: number;
  readonly entries: readonly LookupEntry[];
}

/** What was found of the dropdown lists: a check of each, and the numbers that are clear and not set yet. */
interface FoundLists {
  readonly checks: ServiceCheck[];
  readonly numbers: ReadonlyMap<string, number>;
}

/**
 * Reads the dropdown lists with the numbers from 1 up, and tells by their words which they may be. What a
 * number fails for is no list, unless those that are known fail too.
 * @throws as `Service.send` when the service is away.
 */
export async function findLists(context: Context): Promise<FoundLists> {
  // The lookups whose list has a number.
  const numbered = lookupsOf(context.resources, { updates: true }).flatMap(({ lookup }) =>
    lookup.endpoint !== undefined && pathParameters(lookup.endpoint).length > 0 ? [lookup] : [],
  );
  const [any] = numbered;
  if (any === undefined) return { checks: [], numbers: new Map() };
  const { dropdowns } = context.dialect;
  const known = [...new Set(numbered.flatMap(({ name, dropdown }) => dropdown ?? dropdowns[name] ?? []))];
  const first = await Promise.all(known.map((number) => readList(context, any, number)));
  const failures = first.filter((list) => list instanceof RequestError);
  const [failure] = failures;
  if (failure !== undefined && failures.length === first.length)
    return { checks: [{ ...NO_LIST, found: failure.reasons }], numbers: new Map() };
  const found = first.filter(isList);
  const others = Array.from({ length: LAST }, (_, at) => at + 1).filter((one) => !known.includes(one));
  let tried = 0;
  for await (const list of sideBySide(others, WIDTH, (number) => readList(context, once(any), number))) {
    if (isList(list)) found.push(list);
    context.onProgress?.({ stage: 'reading', of: NUMBERS, done: ++tried, total: others.length });
  }
  found.sort((one, other) => one.number - other.number);
  return propose(context, numbered, found);
}

const NUMBERS = t('numbers of dropdown lists', 'nummers van keuzelijsten');

const once = ({ endpoint, ...rest }: Lookup): Lookup =>
  endpoint === undefined ? rest : { ...rest, endpoint: { ...endpoint, retried: false } };

const isList = (list: FoundList | RequestError | null): list is FoundList =>
  list !== null && !(list instanceof RequestError);

async function readList(
  { service, dialect, signal }: Context,
  lookup: Lookup,
  number: number,
): Promise<FoundList | RequestError | null> {
  signal?.throwIfAborted();
  try {
    const list = await lookupList(service, { ...lookup, dropdown: number }, dialect.lookups[lookup.name]);
    if (!('entries' in list) || list.entries.length === 0) return null;
    // Some services answer a value's own number with that value.
    const isValue = list.entries.length === 1 && list.entries[0]?.id === number;
    return isValue ? null : { number, entries: list.entries };
  } catch (error) {
    if (error instanceof RequestError && error.kind === 'lost') return error;
    throw error;
  }
}

/** What a list may be, by the share of its names that look like it. */
interface Likeness {
  readonly lookup: Lookup;
  readonly number: number;
  readonly share: number;
}

/** A list whose names mostly look like something else is not proposed. */
const MOSTLY = 0.5;

function propose({ dialect }: Context, lookups: readonly Lookup[], found: readonly FoundList[]): FoundLists {
  const known = new Map<number, string>();
  for (const { name, dropdown = dialect.dropdowns[name] } of lookups)
    if (dropdown !== undefined) known.set(dropdown, name);
  const isOpen = ({ name, dropdown = dialect.dropdowns[name] }: Lookup): boolean => dropdown === undefined;
  const free = found.filter(({ number }) => !known.has(number));
  const alike = lookups
    .filter(isOpen)
    .flatMap((lookup) =>
      free.map(({ number, entries }) => ({ lookup, number, share: shareOf(lookup, entries) })),
    )
    .filter(({ share }) => share >= MOSTLY)
    .sort((one, other) => other.share - one.share);
  const numbers = new Map<string, number>();
  for (const one of alike) if (isBest(one, alike)) numbers.set(one.lookup.name, one.number);
  const checks = found.map(({ number, entries }): ServiceCheck => {
    const own = known.get(number);
    const may = alike.filter((one) => one.number === number).map(({ lookup }) => lookup.name);
    const sure = may.find((name) => numbers.get(name) === number);
    return {
      ...{ what: t(`list ${number}`, `lijst ${number}`), needed: false, ok: true },
      found: withGuess(namesOf(entries), own ?? sure, sure === undefined && own === undefined ? may : []),
      advice: sure === undefined ? null : adviceOf(sure, number),
    };
  });
  return { checks: checks.length === 0 ? [NO_LIST] : checks, numbers };
}

const NO_LIST: ServiceCheck = {
  ...{ what: t('dropdown lists', 'keuzelijsten'), needed: false, ok: false, advice: null },
  found: t(`none with a number from 1 to ${LAST}`, `geen met een nummer van 1 tot ${LAST}`),
};

/** The share of a list's names that look like a lookup's. */
const shareOf = ({ looks }: Lookup, entries: readonly LookupEntry[]): number =>
  looks === undefined ? 0 : entries.filter(({ label }) => looks.test(label)).length / entries.length;

/** Whether no other list looks as much like it, and this list looks like no other as much. */
const isBest = (one: Likeness, all: readonly Likeness[]): boolean =>
  all.every(
    (other) =>
      other === one ||
      other.share < one.share ||
      (other.number !== one.number && other.lookup !== one.lookup),
  );

function namesOf(entries: readonly LookupEntry[]): Bilingual {
  const some = entries.slice(0, SHOWN).map(({ id, label }) => `${id} ${label}`);
  const list = `${some.join(', ')}${entries.length > some.length ? ', …' : ''}`;
  const one = entries.length === 1;
  return t(
    `${entries.length} ${one ? 'name' : 'names'}: ${list}`,
    `${entries.length} ${one ? 'naam' : 'namen'}: ${list}`,
  );
}

function withGuess({ en, nl }: Bilingual, is: string | undefined, may: readonly string[]): Bilingual {
  if (is !== undefined) return t(`${en} → ${is}`, `${nl} → ${is}`);
  if (may.length === 0) return t(en, nl);
  return t(`${en} → perhaps ${may.join(' or ')}`, `${nl} → misschien ${may.join(' of ')}`);
}

const adviceOf = (name: string, number: number): Bilingual =>
  withFlag(
    t(
      `choose ${number} for ${name} to use its names`,
      `kies ${number} voor ${name} om de namen te gebruiken`,
    ),
    `dialect.dropdowns.${name}, catersheet check --save`,
  );

/** The check that says what was written where. */
export function savedCheck(
  file: string,
  profile: string,
  numbers: ReadonlyMap<string, number>,
): ServiceCheck {
  const list = [...numbers].map(([name, number]) => `${name} ${number}`).join(', ');
  return {
    ...{ what: same('dialect.dropdowns'), needed: false, ok: true, advice: null },
    found: t(
      `${list}: written into profile ${profile} of ${file}`,
      `${list}: in profiel ${profile} van ${file} gezet`,
    ),
  };
}
