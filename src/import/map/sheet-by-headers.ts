import type { Row } from '../../core/cell.ts';
import type { CommandChange } from '../../core/errors.ts';
import { normaliseHeader } from '../../core/header.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import { findHeader } from './find-header.ts';
import { isNamed } from './header-names.ts';
import type { HeaderRow, HeaderWishes } from './header-row.ts';
import { isListed, ownFirst } from './listed-columns.ts';
import type { SheetMapping } from './sheet-mapping.ts';

type Known = Pick<Context, 'resources'>;

/** The resources that a sheet may be of. */
export interface SheetWishes extends HeaderWishes {
  readonly resources: readonly Resource[];
  /** All resources, to know the sheets of other commands. */
  readonly known?: readonly Resource[];
}

/** The resource that a sheet of another name has most columns of, a key among them, and how many. */
export function byHeaders(top: readonly Row[], wishes: SheetWishes) {
  const fits = wishes.resources
    .flatMap((resource) => {
      const header = findHeader(top, resource, wishes);
      if (header === undefined || header.most < leastColumns(resource)) return [];
      const { headers, most } = header;
      return isKeyed(resource, header)
        ? [{ resource, header, weight: ownFirst(resource, headers) ?? most }]
        : [];
    })
    .sort((a, b) => b.weight - a.weight);
  const [first, second] = fits;
  return first !== undefined && first.weight > (second?.weight ?? 0) ? first : undefined;
}

const isKeyed = ({ keys }: Resource, { headers }: HeaderRow): boolean =>
  headers.some(({ field }) => field !== undefined && keys.includes(field));

/** A single column, such as PartijID, does not tell what a sheet is for. */
const TELLING = 2;

/** A resource of which a CSV has a key and another column, and the fields that a new record of it lacks. */
interface Candidate {
  readonly resource: Resource;
  readonly header: HeaderRow;
  readonly weight: number;
  readonly lacking: readonly string[];
}

/**
 * The resources that a CSV of few columns may be of, those alone that have most of its columns and of the
 * fields with a value for all rows.
 */
export function candidates(
  top: readonly Row[],
  wishes: SheetWishes & { readonly set: readonly { readonly field: string }[] },
): Candidate[] {
  const found = wishes.resources.flatMap((resource): Candidate[] => {
    const header = findHeader(top, resource, wishes);
    if (header === undefined || header.most < TELLING || !isKeyed(resource, header)) return [];
    const { fields } = resource;
    const own = header.headers.flatMap(({ field }) => field ?? []);
    const set = wishes.set.map(({ field }) => field).filter((field) => Object.hasOwn(fields, field));
    const given = new Set([...own, ...set].flatMap((field) => [field, fields[field]?.refers?.sets]));
    const lacking = Object.keys(fields).filter(
      (field) => fields[field]?.create === 'required' && !given.has(field),
    );
    return [{ resource, header, lacking, weight: new Set([...own, ...set]).size }];
  });
  const most = Math.max(...found.map(({ weight }) => weight));
  return found.filter(({ weight }) => weight === most);
}

/** What a CSV may hold, and the command that would import it so, with what each kind lacks. */
export function proposal(
  file: string,
  found: readonly Candidate[],
  columns: readonly string[] | undefined,
): { readonly next?: Bilingual; readonly change?: CommandChange } {
  const [first] = found;
  if (first === undefined) return {};
  const quoted = (text: string): string => (/^[\w./,-]+$/.test(text) ? text : `"${text}"`);
  const setOf = ({ resource: { fields }, lacking }: Candidate): readonly string[] =>
    // An update needs no field but its key.
    Object.values(fields).some(({ update }) => update !== 'none') ? [] : lacking;
  const given = columns === undefined ? [] : [`--columns ${quoted(columns.join(','))}`];
  const { name, sheet } = first.resource;
  if (found.length === 1)
    return {
      next: t(
        `Its columns may be those of ${sheet}: --as ${name} says so.`,
        `De kolommen kunnen die van ${sheet} zijn: --as ${name} zegt dat.`,
        t(
          `Its columns may be those of ${sheet}: say so.`,
          `De kolommen kunnen die van ${sheet} zijn: zeg dat.`,
        ),
      ),
      change: { give: { as: name }, set: setOf(first) },
    };
  const commands = found.map((one) => {
    const set = setOf(one).map((field) => `--set ${field}=…`);
    return ['catersheet import', quoted(file), ...given, `--as ${one.resource.name}`, ...set].join(' ');
  });
  const kinds = found.map((one) => one.resource.sheet).join(', ');
  const next = t(
    `Its columns may be those of ${commands.join('; or of ')}`,
    `De kolommen kunnen die zijn van ${commands.join('; of van ')}`,
    t(
      `Its columns may be those of ${kinds}: say which.`,
      `De kolommen kunnen die zijn van ${kinds}: zeg welke.`,
    ),
  );
  return { next };
}

/** The command that a sheet serves by its columns, if they weigh more than `weight`; undefined for none. */
export function servedByHeaders(
  top: readonly Row[],
  wishes: SheetWishes,
  weight: number,
): string | undefined {
  const { resources, known = [] } = wishes;
  const others = known.filter((one) => one.command !== undefined && !resources.includes(one));
  const found = byHeaders(top, { ...wishes, resources: others });
  const tells = found !== undefined && found.weight >= TELLING && found.weight > weight;
  return tells ? found.resource.command : undefined;
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

/** The command that a sheet serves by its name; undefined for any other sheet. */
export function servedBy(resources: readonly Resource[], sheet: string): string | undefined {
  return resources.find((resource) => resource.command !== undefined && isNamed(resource, sheet))?.command;
}

/** For a command of its own, the columns of an export that it does not use are not unknown. */
export function withoutOthers(mapping: SheetMapping, known: readonly Resource[]): SheetMapping {
  if (mapping.resource.command === undefined) return mapping;
  const names = new Set(known.flatMap(({ fields }) => Object.keys(fields)).map(normaliseHeader));
  const isOurs = (header: string): boolean =>
    names.has(normaliseHeader(header)) || known.some((resource) => isListed(resource, header));
  return { ...mapping, unknown: mapping.unknown.filter((header) => !isOurs(header)) };
}
