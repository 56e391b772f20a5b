import type { Endpoint } from '../../src/schema/endpoint.ts';
import type { BodyFact } from '../openapi/facts.ts';

interface Samples {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const SAMPLES: Readonly<Record<string, Samples>> = {
  int: { good: [7, 0, -1], bad: ['7', 7.5, true, 2 ** 53] },
  float: { good: [7.5, 7, 0], bad: ['7.5', true, Number.NaN] },
  bool: { good: [true, false], bad: [1, 0, 'true'] },
  string: { good: ['Soep', ''], bad: [7, true] },
  datetime: {
    good: ['2027-04-28 11:30:00', '2027-04-28 11:30:00.123'],
    bad: ['28-04-2027', 20270428, '2027-02-30 00:00:00'],
  },
  date: { good: ['2027-04-28'], bad: ['28-04-2027', '2027-04-28 11:30:00', 20270428] },
  minute: { good: ['2027-04-28 11:30'], bad: ['2027-04-28', '2027-04-28 11:30:00'] },
  file: { good: [new Blob(['menu'])], bad: ['menu.pdf', 7] },
};

/** Said to be a boolean, of which 1 deletes (interface 4.5). */
const DEL: Samples = { good: [true, false, 1, 0], bad: [2, 'true'] };

function samplesOf({ name, type }: BodyFact): Samples {
  const samples = name === 'DEL' ? DEL : SAMPLES[type];
  if (samples === undefined) throw new Error(`no samples of ${type}`);
  return samples;
}

/** The smallest body that the interface allows. */
export function smallestBody(fields: readonly BodyFact[]): Record<string, unknown> {
  const required = fields.filter(({ status }) => status === 'required');
  return Object.fromEntries(required.map((field) => [field.name, samplesOf(field).good[0]]));
}

/** What is wrong with an endpoint's body schema by the facts about it; nothing when it holds. */
export function bodyProblems(
  endpoint: Endpoint,
  fields: readonly BodyFact[],
  base: Record<string, unknown> = smallestBody(fields),
): string[] {
  const { body } = endpoint;
  if (body === undefined) return ['takes no body'];
  const accepts = (given: Record<string, unknown>): boolean => body.safeParse(given).success;
  const problems: string[] = [];
  const check = (holds: boolean, problem: string): void => void (holds || problems.push(problem));

  check(accepts(base), 'refuses the smallest body');
  check(!accepts({ ...base, Onbekend: 1 }), 'accepts a field that nobody knows');
  for (const field of fields) {
    const { name, status } = field;
    const { good, bad } = samplesOf(field);
    for (const value of good) check(accepts({ ...base, [name]: value }), `${name} refuses ${value}`);
    for (const value of bad)
      check(!accepts({ ...base, [name]: value }), `${name} accepts ${typeof value} ${value}`);
    if (status !== 'required') continue;
    const { [name]: _, ...without } = base;
    check(!accepts(without), `${name} may be absent`);
    check(!accepts({ ...base, [name]: null }), `${name} may be null`);
  }
  return problems;
}
