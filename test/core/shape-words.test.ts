import { expect, test } from 'vitest';
import { z } from 'zod';
import { shapeWords } from '../../src/core/shape-words.ts';
import { dialectSchema } from '../../src/schema/dialect.ts';
import { listAnswer } from '../../src/schema/page.ts';

const list = listAnswer({}, { id: 'PartijID' });

test.each<[z.ZodType, unknown, string, string]>([
  [dialectSchema, { geheim: 1, x: 2 }, 'not known here: geheim, x', 'hier niet bekend: geheim, x'],
  [
    dialectSchema,
    { dropdowns: { bron: 1.5 }, eventMargin: 400, upload: 'fax' },
    'dropdowns.bron must be a whole number; eventMargin must be at most 366; upload must be one of multipart, base64',
    'dropdowns.bron moet een geheel getal zijn; eventMargin moet hoogstens 366 zijn; upload moet een van multipart, base64 zijn',
  ],
  [
    z.array(z.string()),
    [1, [], true, undefined, 5],
    '0 must be a text, not a number; 1 must be a text, not a list; 2 must be a text, not true or false; and 2 more',
    '0 moet een tekst zijn, niet een getal; 1 moet een tekst zijn, niet een lijst; 2 moet een tekst zijn, niet true of false; en nog 2',
  ],
  [list, [{ PartijID: 1 }, {}], 'a record without PartijID: {}', 'een record zonder PartijID: {}'],
])('what is wrong about a shape is said in both languages, without a value: %#', (schema, value, en, nl) => {
  const { error } = schema.safeParse(value, { reportInput: true });
  expect(error === undefined ? null : shapeWords(error)).toEqual({ en, nl });
});
