import type { Row } from '../../core/cell.ts';
import { normaliseHeader } from '../../core/header.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import { findHeader } from './find-header.ts';
import { lettersOf } from './header-meaning.ts';
import { isNamed } from './header-names.ts';
import { type ProposedSheet, proposeHeaders, type SheetProposal } from './header-proposals.ts';
import { fieldsIn, type HeaderRow, type HeaderWishes } from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';
import type { SheetMapping } from './sheet-mapping.ts';

type Known = Pick<Context, 'resources'>;

/** The resources that a sheet may be of. */
export interface SheetWishes extends HeaderWishes {
  readonly resources: readonly Resource[];
  /** All resources, to know the sheets of other commands. */
  readonly known?: readonly Resource[];
}

/** A resource that a sheet may be of, and how many of its columns tell so. */
export interface Fit {
  readonly resource: Resource;
  readonly header: HeaderRow;
  readonly weight: number;
}

/** The resources of which a sheet has the most columns, a key among them or enough for new records. */
export function fitting(top: readonly Row[], wishes: SheetWishes, least = leastColumns): Fit[] {
  return heaviest(
    wishes.resources.flatMap((resource) => {
      const header = findHeader(top, resource, wishes);
      if (header === undefined) return [];
      const fields = fieldsIn(header.headers);
      if (fields.size < leastOf(resource, fields, least)) return [];
      return [{ resource, header, weight: ownFirst(resource, header.headers) ?? fields.size }];
    }),
  );
}

function heaviest<Weighed extends { readonly weight: number }>(all: readonly Weighed[]): Weighed[] {
  const most = Math.max(...all.map(({ weight }) => weight));
  return all.filter(({ weight }) => weight === most);
}

/** A single column, such as PartijID, does not tell what a sheet is for. */
const TELLING = 2;

/** Columns that make a CSV one of a resource. */
export const leastOfCsv = (resource: Resource): number => Math.min(TELLING, leastColumns(resource));

/** The command that a sheet serves by its name, or by columns that weigh more than `weight`; undefined for none. */
export function servedBy(
  name: string,
  top: readonly Row[],
  { resources, known = [], ...wishes }: SheetWishes,
  weight: number,
): string | undefined {
  const named = known.find((one) => one.command !== undefined && isNamed(one, name))?.command;
  const others = known.filter((one) => one.command !== undefined && !resources.includes(one));
  const [only, ...more] = fitting(top, { ...wishes, resources: others });
  const tells = only !== undefined && more.length === 0 && only.weight >= TELLING && only.weight > weight;
  return named ?? (tells ? only.resource.command : undefined);
}

/**
 * What a sheet may be by its headers and the words in them: the resources that have most of its columns, and a key
 * or enough of them; of those whose name it has something of, where there are any.
 */
export function proposedSheets(
  sheet: ProposedSheet,
  wishes: SheetWishes,
  separated: boolean,
): SheetProposal[] {
  const found = wishes.resources.flatMap((resource) => {
    const header = findHeader(sheet.top, resource, wishes);
    if (header === undefined) return [];
    const own = fieldsIn(header.headers);
    const proposal = proposeHeaders(sheet, resource, header) ?? noProposal(sheet.name, resource, header);
    const fields = new Set([...own, ...proposal.columns.map(({ field }) => field)]);
    const weight = fields.size + proposal.undecided.length;
    const isTold = weight >= leastColumns(resource);
    const isNear = namesLike(sheet.name, resource);
    const isLess = separated || isNear || own.size >= TELLING;
    if (weight < leastOf(resource, fields, isLess ? leastOfCsv : leastColumns)) return [];
    return [{ ...proposal, isTold, weight, isNear }];
  });
  const named = found.filter(({ isNear }) => isNear);
  return heaviest(named.length > 0 ? named : found).map(({ weight: _, isNear: __, ...proposal }) => proposal);
}

/** Letters that tell: less may stand in any name. */
const LETTERS = 5;

/** Whether a sheet's name looks like that of a resource, such as `Telling` or `Pakketten 2027`. */
function namesLike(sheet: string, { sheet: own, name }: Resource): boolean {
  const given = lettersOf(sheet);
  return [own, name]
    .map(lettersOf)
    .some((one) => given.includes(one) || (given.length >= LETTERS && one.includes(given)));
}

/** A sheet that may be of a resource, of which no header is proposed. */
export const noProposal = (
  sheet: string,
  { name }: Resource,
  { headers }: Pick<HeaderRow, 'headers'>,
): SheetProposal => ({
  ...{ sheet, resource: name, headers: headers.map(({ header }) => header) },
  ...{ columns: [], undecided: [], isTold: false },
});

/** Columns of new records that tell without a key. */
const KEYLESS = 3;

function leastOf(
  resource: Resource,
  fields: ReadonlySet<string>,
  least: (resource: Resource) => number,
): number {
  if (resource.keys.some((key) => fields.has(key))) return least(resource);
  // Where no request makes one, a row without a key is of no record.
  return resource.command === undefined && 'create' in resource.requests ? KEYLESS : Number.POSITIVE_INFINITY;
}

/** The resources of a command's sheets; without a command, those of an import. */
export function resourcesOf({ resources }: Known, command: string | null | undefined): Resource[] {
  return resources.filter((resource) => resource.command === (command ?? undefined));
}

/** The resource of this name. Throws TypeError where a plan names one that is not there. */
export function resourceNamed({ resources }: Known, name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new TypeError(`there is no resource ${name}`);
  return found;
}

/** Columns that make a sheet one of a resource; for a command of its own the required ones are enough. */
export function leastColumns({ command, fields }: Resource): number {
  if (command === undefined) return 3;
  return Object.values(fields).filter(({ create }) => create === 'required').length;
}

/** For a command of its own, the columns of an export that it does not use are not unknown. */
export function withoutOthers(mapping: SheetMapping, known: readonly Resource[]): SheetMapping {
  if (mapping.resource.command === undefined) return mapping;
  const names = new Set(known.flatMap(({ fields }) => Object.keys(fields)).map(normaliseHeader));
  const isOurs = (header: string): boolean =>
    names.has(normaliseHeader(header)) || known.some((resource) => isListed(resource, header));
  return { ...mapping, unknown: mapping.unknown.filter((header) => !isOurs(header)) };
}
