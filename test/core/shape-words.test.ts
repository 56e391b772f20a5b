import { expect, test } from 'vitest';
import { z } from 'zod';
import { shapeWords } from '../../src/core/shape-words.ts';
import { packages } from '../../src/resources/packages.ts';
import { dialectSchema } from '../../src/schema/dialect.ts';
import { listAnswer } from '../../src/schema/page.ts';

const headers = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));
const list = listAnswer(z.record(z.string(), z.unknown()), { id: 'PartijID' });

test.each<[z.ZodType, unknown, string, string]>([
  [dialectSchema, 5, 'expected an object, found a number', 'verwacht werd een object, gevonden: een getal'],
  [dialectSchema, { geheim: 1, x: 2 }, 'not known here: geheim, x', 'hier niet bekend: geheim, x'],
  [
    dialectSchema,
    { dropdowns: { bron: 1.5 }, eventMargin: 400, upload: 'fax' },
    'dropdowns.bron: expected a whole number, found a number; eventMargin: expected at most 366; upload: expected one of multipart, base64',
    'dropdowns.bron: verwacht werd een geheel getal, gevonden: een getal; eventMargin: verwacht werd hoogstens 366; upload: verwacht werd een van multipart, base64',
  ],
  [z.number().positive(), 0, 'expected more than 0', 'verwacht werd meer dan 0'],
  [
    headers,
    { a: 1, b: { c: null } },
    'a: expected a text or an object; b.c: expected a text, found null',
    'a: verwacht werd een tekst of een object; b.c: verwacht werd een tekst, gevonden: null',
  ],
  [
    z.array(z.string()),
    [1, [], true, undefined, 5],
    '0: expected a text, found a number; 1: expected a text, found a list; 2: expected a text, found true or false; and 2 more',
    '0: verwacht werd een tekst, gevonden: een getal; 1: verwacht werd een tekst, gevonden: een lijst; 2: verwacht werd een tekst, gevonden: true of false; en nog 2',
  ],
  [list, [{ PartijID: 1 }, {}], 'a record without PartijID: {}', 'een record zonder PartijID: {}'],
  [
    packages.requests.list.answer,
    'dag',
    'no list of records is in it: "…"',
    'er staat geen lijst van records in: "…"',
  ],
  [z.string().regex(/^a/), 'geheim', 'not as it should be', 'niet zoals het hoort'],
])('what is wrong about a shape is said in both languages, without a value: %#', (schema, value, en, nl) => {
  const { error } = schema.safeParse(value, { reportInput: true });
  expect(error === undefined ? null : shapeWords(error)).toEqual({ en, nl });
});
