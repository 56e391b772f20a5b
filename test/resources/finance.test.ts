import { expect, test } from 'vitest';
import { finance } from '../../src/resources/finance.ts';
import type { Members } from '../../src/schema/answer.ts';

const { events, lines, trips, mutations } = finance;

const holds = (members: Members, [first = '', ...rest]: readonly string[]): boolean => {
  const member = Object.hasOwn(members, first) ? members[first] : undefined;
  if (member === undefined || rest.length === 0) return member !== undefined;
  return typeof member === 'object' && 'one' in member && holds(member.one, rest);
};

const sent = mutations.resources.flatMap(({ fields }) => Object.keys(fields));

// An absent one would be an empty column, and 0 in every total.
test.each([
  [
    'events',
    events,
    events.resource.listed,
    [
      ...[events.label, events.noRevenue, events.notInvoiced],
      ...[events.location, events.type, events.manager].map(({ member }) => member),
    ],
  ],
  ['arrangements', lines, lines.resource.listed, [lines.label, lines.price, lines.quantity]],
  [
    'trips',
    trips,
    trips.resource.listed,
    [trips.label, trips.event, trips.eventLabel, trips.price, trips.cost, trips.distance],
  ],
  ['stock mutations', mutations, Object.fromEntries(sent.map((name) => [name, 'unknown'])) as Members, []],
] as const)('the finance sheet of %s takes only what its records have', (_, { columns }, listed, named) => {
  const members = [...named, ...columns.flatMap(({ member }) => member ?? [])];
  expect(members.length).toBeGreaterThan(5);
  expect(members.filter((member) => !holds(listed, member.split('.')))).toEqual([]);
});
