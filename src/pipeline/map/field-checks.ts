import type { Field } from '../../schema/field.ts';
import type { Finding } from '../../schema/issue.ts';
import type { Value } from '../../schema/value.ts';

/** What a field's own sense says about a value of the right type; undefined where it says nothing. */
export type FieldCheck = (value: Value) => Finding | undefined;

/** The length at which a text without a length of its own is more likely a mistake: some four pages. */
const LONG = 10_000;
/** So much of a long text is quoted. */
const QUOTED = 60;
const HALF_PAIR = /[\ud800-\udbff]$/;

/** The interface ends the name of every id so. */
const ID_NAME = /ID$/;

/** What is checked of a field's values beside their type; null for nothing. */
export function checkOf(name: string, { codec, sensible = LONG }: Field): FieldCheck | null {
  if (codec.type === 'integer' && ID_NAME.test(name)) return checkId;
  return codec.type === 'text' ? (value) => checkLength(value, sensible) : null;
}

function checkId(value: Value): Finding | undefined {
  return typeof value === 'number' && value < 0 ? { code: 'id-negative', found: String(value) } : undefined;
}

function checkLength(value: Value, sensible: number): Finding | undefined {
  if (typeof value !== 'string' || value.length <= sensible) return undefined;
  const hint = {
    en: `${value.length} characters, where ${sensible} are usual at most`,
    nl: `${value.length} tekens, waar hoogstens ${sensible} gebruikelijk zijn`,
  };
  return { code: 'text-long', found: `${value.slice(0, QUOTED).replace(HALF_PAIR, '')}…`, hint };
}
