import type { AnswerKnobs, ClockKnobs, Knobs } from './knobs.ts';
import type { Random } from './random.ts';
import { typeOf } from './schema.ts';
import type { Value, Values } from './types.ts';

type Place = 'detail' | 'list';
type Way = { detail: 'plain' | 'number' | 'string' | 'fixed'; list: 'plain' | 'number' | 'string' | 'fixed' };

/** How the records of one answer are written; where a knob says mixed, each answer has its own way. */
export class Shape {
  readonly #answers: AnswerKnobs;
  readonly #clock: ClockKnobs;
  readonly #ids: Way;
  readonly #flags: Way;
  readonly #numbers: Way;
  readonly #order: 'as listed' | 'sorted' | 'reversed';

  constructor(knobs: Knobs, random: Random) {
    const { answers } = knobs;
    this.#answers = answers;
    this.#clock = knobs.clock;
    this.#ids = wayOf(answers.ids, ['plain', 'string'], random);
    this.#flags = wayOf(answers.flags, ['plain', 'number', 'string'], random);
    this.#numbers = wayOf(answers.numbers, ['plain', 'string', 'fixed'], random);
    this.#order =
      answers.order === 'mixed' ? random.pick(['as listed', 'sorted', 'reversed']) : answers.order;
  }

  /** A record with the named fields, in the order and types of this answer. */
  record(values: Readonly<Values>, names: readonly string[], where: Place): Record<string, unknown> {
    const written: Record<string, unknown> = {};
    for (const name of names) {
      const lmt = name === 'LMT' ? this.#clock.lmt : 'present';
      if (lmt === 'absent') continue;
      if (lmt !== 'present') written[name] = lmt === 'null' ? null : '';
      else written[name] = this.#value(name, values[name] ?? null, where);
    }
    return this.finish(written);
  }

  /** A success flag. */
  get success(): true | 1 | 'true' {
    return this.#answers.success;
  }

  /** An id as this answer writes it. */
  id(id: number, where: Place = 'detail'): number | string {
    return this.#ids[where] === 'string' ? String(id) : id;
  }

  /** A number as this answer writes it. */
  number(value: number, where: Place = 'detail'): number | string {
    const way = this.#numbers[where];
    if (way === 'plain') return value;
    const places = (String(value).split('.')[1] ?? '').length;
    return way === 'fixed' ? value.toFixed(Math.max(2, places)) : String(value);
  }

  /** Adds the unknown members and puts the members in their order. */
  finish(record: Record<string, unknown>): Record<string, unknown> {
    const members = Object.entries(record);
    if (this.#answers.extraMembers) {
      members.push(['InterneVersie', 7], ['_meta', { bron: 'tweede', tags: [] }], ['Ongebruikt', null]);
    }
    if (this.#order === 'sorted') members.sort(([a], [b]) => (a < b ? -1 : 1));
    if (this.#order === 'reversed') members.reverse();
    return Object.fromEntries(members);
  }

  #value(name: string, value: Value, where: Place): Value {
    const type = typeOf(name);
    if (name === 'ExternalID' && value === null) return this.#answers.noExternalId;
    if (value === null) {
      const isNumber = type === 'id' || type === 'int' || type === 'float';
      if (type === 'bool') return null;
      return isNumber ? this.#answers.noNumber : this.#answers.noText;
    }
    if (typeof value === 'boolean') return this.#flag(value, where);
    if (typeof value === 'number') return this.#written(type, value, where);
    return type === 'datetime' ? this.#datetime(name, value, where) : value;
  }

  #flag(value: boolean, where: Place): Value {
    const way = this.#flags[where];
    if (way === 'plain') return value;
    return way === 'number' ? Number(value) : String(Number(value));
  }

  #written(type: string, value: number, where: Place): Value {
    if (type === 'id') return this.id(value, where);
    // Only decimals have decimals: a whole number is a string without them.
    if (type === 'int' && this.#numbers[where] !== 'plain') return String(value);
    return this.number(value, where);
  }

  #datetime(name: string, full: string, where: Place): string {
    if (name !== 'LMT' && name !== 'LMTCreated') return full;
    const { fraction } = this.#clock;
    const isFull = fraction === 'always' || (fraction === 'detail only' && where === 'detail');
    return isFull ? full : full.slice(0, 19);
  }
}

/** The way in details and in lists; the knob's own word for plain is number or boolean. */
function wayOf(knob: string, choices: [Way['list'], ...Way['list'][]], random: Random): Way {
  if (knob === 'strings in lists') return { detail: 'plain', list: 'string' };
  if (knob === 'mixed') {
    const way = random.pick(choices);
    return { detail: way, list: way };
  }
  const way = choices.find((choice) => choice === knob) ?? 'plain';
  return { detail: way, list: way };
}
