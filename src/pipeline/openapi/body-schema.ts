import { z } from 'zod';
import type { Fields } from '../../schema/field.ts';
import type { Language } from '../../schema/value.ts';
import type { JsonSchema } from './answer-schema.ts';
import { WORDS } from './texts.ts';

/** The strict JSON Schema of a request's body, with what its fields mean; what zod checks beyond that is told in words. */
export function bodyJsonSchema(body: z.ZodType, fields: Fields, language: Language): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(body, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The one thing that JSON can't hold is a file.
      if (zodSchema._zod.def.type === 'custom')
        Object.assign(jsonSchema, { type: 'string', contentMediaType: 'application/octet-stream' });
      // That numbers are exact is nothing to be told.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.minimum;
        delete jsonSchema.maximum;
      }
    },
  }) as JsonSchema;
  const { properties = {} } = schema as { properties?: Readonly<Record<string, JsonSchema>> };
  const described = Object.entries(properties).map(([name, member]) => {
    const field = fields[name];
    if (field === undefined) return [name, member];
    // In a sheet a file is its path.
    if (member.contentMediaType !== undefined)
      return [name, { ...member, description: WORDS.file[language] }];
    const examples = field.example === undefined ? {} : { examples: [wireExample(member, field.example)] };
    return [name, { ...member, description: field.help[language], ...examples }];
  });
  const also = refinements(body);
  return {
    ...schema,
    properties: Object.fromEntries(described),
    ...(also.length === 0 ? {} : { description: also.join('; ') }),
  };
}

/** An example is written as in a sheet; a moment goes to the service with its seconds. */
function wireExample(member: JsonSchema, example: string | number | boolean): string | number | boolean {
  if (typeof example !== 'string' || !JSON.stringify(member).includes('pattern')) return example;
  return /^\d{4}-\d{2}-\d{2}$/.test(example) ? `${example} 00:00:00` : example.padEnd(19, ':00');
}

/** The words of what a body is held to beside its members, such as "ProductID or ExternalID". */
function refinements(body: z.ZodType): string[] {
  const { checks = [] } = body._zod.def;
  return checks.flatMap((check) => {
    const { error } = (check as { _zod: { def: { error?: unknown } } })._zod.def;
    const words: unknown = typeof error === 'function' ? error({}) : error;
    return typeof words === 'string' ? [words] : [];
  });
}
