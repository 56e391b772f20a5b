import type { Bilingual } from '../../schema/value.ts';
import type { Context } from '../context.ts';
import { type HeaderName, type HeaderTable, headerNames, layered } from './header-names.ts';
import { readMapFile } from './map-file.ts';

/** Where the user's own headers are told. */
export interface HeaderSources {
  /** A table, the file that holds it, or `none` to forget what is remembered (design: `--map`). */
  readonly map?: string | HeaderTable | undefined;
  /** The profile's own. */
  readonly headers?: HeaderTable | undefined;
  /** The profile under which a map is remembered; without one, none is. */
  readonly profile?: string | undefined;
}

/** The user's own headers as a run knows them. */
export interface KnownHeaders {
  readonly names: readonly HeaderName[];
  /** Those of this run's map: one that stands in no sheet is worth a word. */
  readonly given: readonly HeaderName[];
  readonly notes: readonly Bilingual[];
  /** Keeps the map for the profile's next import. */
  remember(): Promise<void>;
}

const FORGET = 'none';
const factName = (profile: string): string => `headers of profile ${profile}`;

/**
 * The profile's headers, and over them those of `map`, else those remembered for the profile. Throws StopError with
 * EXIT.usage for what can't be used as such.
 */
export async function knownHeaders(context: Context, sources: HeaderSources): Promise<KnownHeaders> {
  const { map, headers = {}, profile } = sources;
  const { resources } = context;
  const base = headerNames(headers, resources, `headers of profile ${profile ?? 'default'}`);
  if (map === undefined) return await remembered(context, base, profile);
  const given = map === FORGET ? [] : await givenNames(context, map);
  const remember = async (): Promise<void> => {
    if (profile !== undefined) await save(context, profile, given);
  };
  // Without its headers a file may hold nothing to import; they are forgotten all the same.
  if (map === FORGET) await remember();
  return { names: layered(base, given), given, notes: [], remember };
}

async function givenNames({ resources }: Context, map: string | HeaderTable): Promise<HeaderName[]> {
  return typeof map === 'string'
    ? await readMapFile(map, resources)
    : headerNames(map, resources, 'the map of headers');
}

async function remembered(
  context: Context,
  base: readonly HeaderName[],
  profile: string | undefined,
): Promise<KnownHeaders> {
  const found = profile === undefined ? [] : await load(context, profile);
  const notes = found.length === 0 ? [] : [rememberedText(found, profile ?? '')];
  return { names: layered(base, found), given: [], notes, remember: async () => {} };
}

async function load({ ledger, serviceKey }: Context, profile: string): Promise<readonly HeaderName[]> {
  const fact = await ledger.findFact(serviceKey, factName(profile));
  return fact === undefined ? [] : (JSON.parse(fact) as HeaderName[]);
}

async function save(
  { ledger, serviceKey }: Context,
  profile: string,
  names: readonly HeaderName[],
): Promise<void> {
  const before = await ledger.findFact(serviceKey, factName(profile));
  const now = JSON.stringify(names);
  if ((before ?? '[]') !== now) await ledger.rememberFact(serviceKey, factName(profile), now);
}

function rememberedText(names: readonly HeaderName[], profile: string): Bilingual {
  const list = names.map(({ header, field }) => `${header} = ${field}`).join(', ');
  return {
    en: `Headers as remembered for profile ${profile}: ${list} (--map FILE replaces them, --map none forgets them)`,
    nl: `Koppen zoals onthouden voor profiel ${profile}: ${list} (--map BESTAND vervangt ze, --map none vergeet ze)`,
  };
}
