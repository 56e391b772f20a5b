import type { Reshaped } from './reshaping-service.ts';

/** A shape that an answer may have in place of the plain one. */
export interface AnswerShape {
  readonly name: string;
  readonly of: (plain: unknown) => Reshaped;
  /** It says in some way that there is nothing: that may be taken for no record, and for no value. */
  readonly none?: true;
  /** It holds the first record of a list alone. */
  readonly first?: true;
}

/** The names of ids, and not of `Eenheid`. */
const ID = /ID$|^id$/;

type Json = Record<string, unknown>;

const isGroup = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same with every object changed, the innermost first. */
function deep(value: unknown, change: (members: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((one) => deep(one, change));
  if (!isGroup(value)) return value;
  const members = Object.entries(value).map(([name, one]): [string, unknown] => [name, deep(one, change)]);
  return Object.fromEntries(change(members));
}

const values = (plain: unknown, to: (value: unknown) => unknown): unknown =>
  deep(plain, (members) =>
    members.map(([name, value]) => [name, typeof value === 'object' ? value : to(value)]),
  );

const ids = (plain: unknown, to: (value: unknown) => unknown): unknown =>
  deep(plain, (members) => members.map(([name, value]) => [name, ID.test(name) ? to(value) : value]));

const links = { first: null, last: null, prev: null, next: null };
const meta = { current_page: 1, last_page: 1, per_page: '50' };

/** The list in an answer, or the answer itself in a list. */
function listOf(plain: unknown): readonly unknown[] {
  const inner = Array.isArray(plain) && plain.length === 1 ? (plain[0] as unknown) : plain;
  if (isGroup(inner) && Array.isArray(inner.data)) return inner.data;
  if (isGroup(inner) && Array.isArray(inner.total)) return inner.total;
  return Array.isArray(plain) ? plain : [plain];
}

const json = (name: string, of: (plain: unknown) => unknown): AnswerShape => ({
  name,
  of: (plain) => ({ json: of(plain) }),
});
const fixed = (value: unknown): AnswerShape => json(JSON.stringify(value), () => value);
const nothing = (value: unknown): AnswerShape => ({ ...fixed(value), none: true });
const text = (name: string, said: string): AnswerShape => ({ name, of: () => ({ text: said }) });

/** The shapes of the table. */
export const SHAPES: readonly AnswerShape[] = [
  json('[answer]', (plain) => [plain]),
  json('{data: answer}', (data) => ({ data })),
  json('{data: [answer]}', (plain) => ({ data: [plain] })),
  json('{success: true, data: answer}', (data) => ({ success: true, data })),
  json('{data: list}', (plain) => ({ data: listOf(plain) })),
  json('list', (plain) => listOf(plain)),
  { ...json('first of the list', (plain) => listOf(plain)[0]), first: true },
  json('{data: list, links, meta}', (plain) => ({ data: listOf(plain), links, meta })),
  json('{data: [{data: list, links, meta}]}', (plain) => ({ data: [{ data: listOf(plain), links, meta }] })),
  json('two pages in one', (plain) => [
    { data: listOf(plain), links, meta },
    { data: listOf(plain), links, meta },
  ]),
  json('names in snake case', (plain) =>
    deep(plain, (all) => all.map(([a, b]) => [a.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(), b])),
  ),
  json('numbers as text', (plain) => values(plain, (one) => (typeof one === 'number' ? String(one) : one))),
  json('members the other way round', (plain) => deep(plain, (all) => all.toReversed())),
  json('JSON in a text', (plain) => JSON.stringify(plain)),
  json('without ids', (plain) => deep(plain, (all) => all.filter(([name]) => !ID.test(name)))),
  json('ids that are null', (plain) => ids(plain, () => null)),
  json('ids inside objects', (plain) => ids(plain, (id) => ({ id }))),
  json('a null among the list', (plain) => [...listOf(plain), null]),
  json('a message among the list', (plain) => [...listOf(plain), { message: 'einde' }]),
  json('each in a list', (plain) => listOf(plain).map((one) => [one])),
  nothing(null),
  nothing([]),
  nothing({}),
  { name: 'no body', of: () => ({ text: '' }), none: true },
  nothing({ data: [] }),
  nothing({ success: false }),
  nothing({ success: false, message: 'Onbekend' }),
  fixed({ success: true }),
  fixed({ total: null }),
  fixed({ data: 'tekst' }),
  fixed({ message: 'Niet gevonden' }),
  fixed({ error: 'Er ging iets mis' }),
  fixed(5),
  text('plain text', 'alles in orde'),
  text('a page', '<!DOCTYPE html><html><head><title>Inloggen</title></head><body></body></html>'),
  {
    name: 'cut off',
    of: (plain) => ({ text: JSON.stringify(plain).slice(0, -3) }),
  },
];
