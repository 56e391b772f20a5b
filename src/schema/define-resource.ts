import type { z } from 'zod';
import { normaliseHeader } from '../core/header.ts';
import { ANSWERED, listedName } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import type { Field, Fields } from './field.ts';
import type { Resource } from './resource.ts';

/**
 * Declares a resource. Throws TypeError for one that contradicts itself, when the program starts rather than in the middle of a run:
 * a field that one request or list knows and another silently lacks is refused here.
 */
export function defineResource<const R extends Resource>(resource: R): R {
  const wrong = [
    ...unknownFields(resource),
    ...sameHeaders(resource),
    ...halfDays(resource),
    ...unsentFields(resource),
    ...unlistedFields(resource),
  ];
  if (wrong.length > 0) throw new TypeError(`resource ${resource.name} ${wrong.join('; ')}`);
  return resource;
}

/** What a resource tells of itself by the name of a field. */
const ROLES = [
  ...['id', 'external', 'label', 'date', 'severalDays', 'modified', 'parent', 'child', 'product', 'moment'],
  ...['event', 'day', 'folder', 'file', 'extension'],
] as const;

function rolesOf(resource: Resource): string[] {
  const told = resource as unknown as Readonly<Record<string, unknown>>;
  return ROLES.flatMap((role) => {
    const name = told[role];
    return typeof name === 'string' ? [name] : [];
  });
}

function unknownFields(resource: Resource): string[] {
  const { fields, keys, finds = [] } = resource;
  const counted = resource.kind === 'count' ? resource.amounts.map((amount) => amount.counted) : [];
  const sets = Object.values(fields).flatMap(({ refers }) => refers?.sets ?? []);
  const named = new Set([...keys, ...finds, ...rolesOf(resource), ...counted, ...sets]);
  return [...named].flatMap((name) => (Object.hasOwn(fields, name) ? [] : [`has no field ${name}`]));
}

/** Headers are read without regard to case, so that two fields could be meant by one. */
function sameHeaders({ fields }: Resource): string[] {
  const known = new Map<string, string>();
  return Object.entries(fields).flatMap(([name, { listName = name }]) =>
    [...new Set([name, listName].map(normaliseHeader))].flatMap((header) => {
      const other = known.get(header);
      known.set(header, name);
      return other === undefined ? [] : [`has ${other} and ${name}, which are one header`];
    }),
  );
}

/** Records are listed by day where there is both a field for it and a list. */
function halfDays(resource: Resource): string[] {
  if (resource.kind !== 'trip') return [];
  const { date, requests } = resource;
  if ((date === undefined) === (requests.all === undefined)) return [];
  return [
    date === undefined ? 'has a list by days, and no field for them' : `has ${date}, and no list by days`,
  ];
}

/** Fields that a request should take and doesn't, and members of its body that no field fills. */
function unsentFields(resource: Resource): string[] {
  const { fields, kind } = resource;
  const requests = resource.requests as Readonly<Record<string, Endpoint | undefined>>;
  // The requests of a command are made of what the resource tells of itself, and of nothing else.
  if (kind === 'document' || kind === 'refresh' || kind === 'download')
    return sentBy(fields, 'create')
      .filter((name) => !rolesOf(resource).includes(name))
      .map(notSent('its command'));
  return (['create', 'update'] as const).flatMap((request) => {
    const sent = sentBy(fields, request).map((name) => sentAs(resource, name));
    const endpoint = requests[request];
    if (endpoint === undefined) return sent.map(notSent(`any request: it has no ${request}`));
    const taken = membersOf(endpoint.body);
    if (taken === undefined) return [];
    return [
      ...sent.filter((name) => !taken.includes(name)).map(notSent(endpoint.name)),
      ...taken
        .filter((name) => !sent.includes(name))
        .map((name) => `has no field for ${name} of ${endpoint.name}`),
    ];
  });
}

const notSent =
  (request: string) =>
  (name: string): string =>
    `has ${name}, which does not go with ${request}`;

const sentBy = (fields: Fields, request: 'create' | 'update'): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.[request] !== 'none');

/** What is counted is sent as a difference. */
function sentAs(resource: Resource, name: string): string {
  if (resource.kind !== 'count') return name;
  return resource.amounts.find(({ counted }) => counted === name)?.sent ?? name;
}

const membersOf = (body: z.ZodType | undefined): string[] | undefined => {
  const { shape } = (body ?? {}) as { readonly shape?: Readonly<Record<string, unknown>> };
  return shape === undefined ? undefined : Object.keys(shape);
};

/** Fields that a list returns and `listed` lacks: they would be imported, and silently absent from an export. */
function unlistedFields(resource: Resource): string[] {
  if (!('listed' in resource)) return [];
  const { fields, listed } = resource;
  if (resource.kind === 'count') {
    const shown = [...resource.told, ...resource.amounts.flatMap(({ total, unit }) => [total, unit])];
    return shown
      .filter((name) => !Object.hasOwn(listed, name))
      .map((name) => `shows ${name}, which is not listed`);
  }
  return Object.entries(fields).flatMap(([name, field]) => unlisted(name, field, listed));
}

function unlisted(name: string, field: Field, listed: Readonly<Record<string, unknown>>): string[] {
  const member = listedName(name, field);
  if (member === null) return [];
  if (!Object.hasOwn(listed, member))
    return [`has ${name}, which is not listed (reads says that lists return it)`];
  const [type, own] = [listed[member], ANSWERED[field.codec.type]];
  return type === own || type === 'unknown' ? [] : [`has ${name} as ${own}, which is listed as ${type}`];
}
