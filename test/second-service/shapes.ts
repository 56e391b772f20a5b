import { type AnswerKnobs, type ClockKnobs, forKind, type Knobs } from './knobs.ts';
import type { Random } from './random.ts';
import { typeOf } from './schema.ts';
import type { Kind, Value, Values } from './types.ts';

type Resolved = {
  ids: 'number' | 'string';
  flags: 'boolean' | 'number' | 'string';
  numbers: 'number' | 'string' | 'fixed';
  order: 'as listed' | 'sorted' | 'reversed';
};

/** How the records of one answer are written; where a knob says mixed, each answer has its own way. */
export class Shape {
  readonly #answers: AnswerKnobs;
  readonly #clock: ClockKnobs;
  readonly #resolved: Resolved;

  constructor(knobs: Knobs, random: Random) {
    const { answers } = knobs;
    this.#answers = answers;
    this.#clock = knobs.clock;
    this.#resolved = {
      ids: answers.ids === 'mixed' ? random.pick(['number', 'string']) : answers.ids,
      flags: answers.flags === 'mixed' ? random.pick(['boolean', 'number', 'string']) : answers.flags,
      numbers: answers.numbers === 'mixed' ? random.pick(['number', 'string', 'fixed']) : answers.numbers,
      order: answers.order === 'mixed' ? random.pick(['as listed', 'sorted', 'reversed']) : answers.order,
    };
  }

  /** A record with the named fields, in the order and types of this answer. */
  record(
    kind: Kind,
    values: Readonly<Values>,
    names: readonly string[],
    where: 'detail' | 'list',
  ): Record<string, unknown> {
    const written: Record<string, unknown> = {};
    for (const name of names) {
      const lmt = name === 'LMT' ? forKind(this.#clock.lmt, kind, 'present') : 'present';
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
  id(id: number): number | string {
    return this.#resolved.ids === 'string' ? String(id) : id;
  }

  /** A number as this answer writes it. */
  number(value: number): number | string {
    if (this.#resolved.numbers === 'number') return value;
    const places = (String(value).split('.')[1] ?? '').length;
    return this.#resolved.numbers === 'fixed' ? value.toFixed(Math.max(2, places)) : String(value);
  }

  /** Adds the unknown members and puts the members in their order. */
  finish(record: Record<string, unknown>): Record<string, unknown> {
    const members = Object.entries(record);
    if (this.#answers.extraMembers) {
      members.push(['InterneVersie', 7], ['_meta', { bron: 'tweede', tags: [] }], ['Ongebruikt', null]);
    }
    if (this.#resolved.order === 'sorted') members.sort(([a], [b]) => (a < b ? -1 : 1));
    if (this.#resolved.order === 'reversed') members.reverse();
    return Object.fromEntries(members);
  }

  #value(name: string, value: Value, where: 'detail' | 'list'): Value {
    const type = typeOf(name);
    if (name === 'ExternalID' && value === null) return this.#answers.noExternalId;
    if (value === null) {
      const isNumber = type === 'id' || type === 'int' || type === 'float';
      if (type === 'bool') return null;
      return isNumber ? this.#answers.noNumber : this.#answers.noText;
    }
    if (typeof value === 'boolean') return this.#flag(value);
    if (typeof value === 'number') return this.#written(type, value);
    return type === 'datetime' ? this.#datetime(name, value, where) : value;
  }

  #flag(value: boolean): Value {
    if (this.#resolved.flags === 'boolean') return value;
    return this.#resolved.flags === 'number' ? Number(value) : String(Number(value));
  }

  #written(type: string, value: number): Value {
    if (type === 'id') return this.id(value);
    return type === 'int' && this.#resolved.numbers === 'fixed' ? String(value) : this.number(value);
  }

  #datetime(name: string, full: string, where: 'detail' | 'list'): string {
    const habit =
      name === 'LMT' || name === 'LMTCreated'
        ? { always: 'fraction', never: 'seconds', 'detail only': 'detail fraction' }[this.#clock.fraction]
        : this.#answers.dates;
    const isFull = habit === 'fraction' || (habit === 'detail fraction' && where === 'detail');
    return isFull ? full : full.slice(0, 19);
  }
}
