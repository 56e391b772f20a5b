import type { Row } from '../../core/cell.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import { fieldsIn, findHeader, type HeaderRow, type HeaderWishes } from './find-header.ts';
import { isNamed } from './header-names.ts';
import { type ProposedSheet, proposeHeaders, type SheetProposal } from './header-proposals.ts';
import { lettersOf } from './header-words.ts';
import { ownFirst } from './listed-columns.ts';

type Known = Pick<Context, 'resources'>;

/** The resources that a sheet may be of. */
export interface SheetWishes extends HeaderWishes {
  readonly resources: readonly Resource[];
  /** All resources, to know the sheets of other commands. */
  readonly known?: readonly Resource[];
}

/** A single column, such as PartijID, does not tell what a sheet is for. */
const TELLING = 2;
/** Columns that tell without a key, of new records. */
const KEYLESS = 3;

/** Columns that make a sheet one of a resource; for a command of its own the required ones are enough. */
function leastColumns({ command, fields }: Resource): number {
  if (command === undefined) return KEYLESS;
  return Object.values(fields).filter(({ create }) => create === 'required').length;
}

/** Whether fields make a sheet one of a resource: `least` of them with a key; else enough for new records. */
function areEnough(resource: Resource, fields: ReadonlySet<string>, least: number): boolean {
  if (resource.keys.some((key) => fields.has(key))) return fields.size >= least;
  // Where no request makes one, a row without a key is of no record.
  return resource.command === undefined && 'create' in resource.requests && fields.size >= KEYLESS;
}

/** The resources of which a sheet has the most columns. */
export function fitting(
  top: readonly Row[],
  wishes: SheetWishes,
  isCsv: boolean,
): { readonly resource: Resource; readonly header: HeaderRow; readonly weight: number }[] {
  return heaviest(
    wishes.resources.flatMap((resource) => {
      const header = findHeader(top, resource, wishes);
      const fields = fieldsIn(header?.headers ?? []);
      const least = isCsv ? Math.min(TELLING, leastColumns(resource)) : leastColumns(resource);
      if (header === undefined || !areEnough(resource, fields, least)) return [];
      return [{ resource, header, weight: ownFirst(resource, header.headers) ?? fields.size }];
    }),
  );
}

function heaviest<Weighed extends { readonly weight: number }>(all: readonly Weighed[]): Weighed[] {
  const most = Math.max(...all.map(({ weight }) => weight));
  return all.filter(({ weight }) => weight === most);
}

/** The command that a sheet serves by its name, or by columns that weigh more than `weight`; undefined for none. */
export function servedBy(
  name: string,
  top: readonly Row[],
  { resources, known = [], ...wishes }: SheetWishes,
  weight: number,
): string | undefined {
  const others = known.filter((one) => one.command !== undefined && !resources.includes(one));
  const [only, ...more] = fitting(top, { ...wishes, resources: others }, false);
  const tells = only !== undefined && more.length === 0 && only.weight > Math.max(weight, TELLING - 1);
  return (others.find((one) => isNamed(one, name)) ?? (tells ? only.resource : undefined))?.command;
}

/**
 * What a sheet may be by its headers and the words in them: the resources that have most of its columns; of those
 * whose name it has something of, where there are any. Each with what its headers may mean, and whether that tells.
 */
export function proposedSheets(
  sheet: ProposedSheet,
  wishes: SheetWishes,
): {
  readonly resource: Resource;
  readonly header: HeaderRow;
  readonly proposal: SheetProposal;
  readonly isTold: boolean;
}[] {
  const found = wishes.resources.flatMap((resource) => {
    const header = findHeader(sheet.top, resource, wishes);
    if (header === undefined) return [];
    const proposal = proposeHeaders(sheet, resource, header);
    const meant = proposal.columns.flatMap(({ fields: [field = ''] }) => field);
    const fields = new Set([...fieldsIn(header.headers), ...meant]);
    if (!areEnough(resource, fields, TELLING)) return [];
    const isTold = fields.size >= leastColumns(resource);
    const isNear = namesLike(sheet.name, resource);
    return [{ resource, header, proposal, isTold, weight: fields.size, isNear }];
  });
  const named = found.filter(({ isNear }) => isNear);
  return heaviest(named.length > 0 ? named : found);
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
