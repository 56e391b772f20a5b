import { expect, test } from 'vitest';
import { z } from 'zod';
import { shapeWords } from '../../src/core/shape-words.ts';
import { dialectSchema } from '../../src/schema/dialect.ts';
import { listAnswer } from '../../src/schema/page.ts';

const list = listAnswer(z.record(z.string(), z.unknown()), { id: 'PartijID' });

test.each<[z.ZodType, unknown, string, string]>([
  [dialectSchema, { geheim: 1, x: 2 }, 'not known here: geheim, x', 'hier niet bekend: geheim, x'],
  [
    dialectSchema,
    { dropdowns: { bron: 1.5 }, eventMargin: 400, upload: 'fax' },
    'dropdowns.bron: expected a whole number, found a number; eventMargin: expected at most 366; upload: expected one of multipart, base64',
    'dropdowns.bron: verwacht werd een geheel getal, gevonden: een getal; eventMargin: verwacht werd hoogstens 366; upload: verwacht werd een van multipart, base64',
  ],
  [
    z.array(z.string()),
    [1, [], true, undefined, 5],
    '0: expected a text, found a number; 1: expected a text, found a list; 2: expected a text, found true or false; and 2 more',
    '0: verwacht werd een tekst, gevonden: een getal; 1: verwacht werd een tekst, gevonden: een lijst; 2: verwacht werd een tekst, gevonden: true of false; en nog 2',
  ],
  [list, [{ PartijID: 1 }, {}], 'a record without PartijID: {}', 'een record zonder PartijID: {}'],
])('what is wrong about a shape is said in both languages, without a value: %#', (schema, value, en, nl) => {
  const { error } = schema.safeParse(value, { reportInput: true });
  expect(error === undefined ? null : shapeWords(error)).toEqual({ en, nl });
});
