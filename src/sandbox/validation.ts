import type { z } from 'zod';
import type { FieldErrors } from './reply.ts';

type Problem = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  int: 'een geheel getal',
  number: 'een getal',
  string: 'tekst',
  boolean: 'true of false',
  Blob: 'een bestand',
};

function sentence(field: string, problem: Problem, given: unknown): string {
  if (given === undefined) return `Het veld ${field} is verplicht.`;
  if (problem.code === 'invalid_format') return `Het veld ${field} heeft geen geldige notatie.`;
  if (problem.code === 'invalid_type') {
    const expected = 'format' in problem && problem.format === 'safeint' ? 'int' : problem.expected;
    return `Het veld ${field} moet ${KINDS[expected] ?? `van het type ${expected}`} zijn.`;
  }
  return `Het veld ${field} is ongeldig.`;
}

/** The fields that a check over the whole body speaks of, by its message. */
function fieldsNamed(message: string): string[] {
  return message.match(/\b[A-Z]\w+/g) ?? [];
}

function errorsOf(problem: Problem, body: unknown): [field: string, text: string][] {
  if (problem.code === 'unrecognized_keys') {
    return problem.keys.map((key) => [key, `Het veld ${key} is hier niet toegestaan.`]);
  }
  const field = String(problem.path[0] ?? '');
  if (field !== '') return [[field, sentence(field, problem, (body as Record<string, unknown>)[field])]];
  const named = fieldsNamed(problem.message);
  if (problem.code !== 'custom' || named.length === 0)
    return [['body', 'De aanvraag moet een JSON-object bevatten.']];
  return named.map((name) => [name, `Een van de velden ${named.join(', ')} is verplicht.`]);
}

/** A schema's complaints in the service's words, by field. */
export function fieldErrors(problems: readonly Problem[], body: unknown): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const [field, text] of problems.flatMap((problem) => errorsOf(problem, body))) {
    errors[field] = [...(errors[field] ?? []), text];
  }
  return errors;
}
