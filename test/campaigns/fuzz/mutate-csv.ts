import type { Random } from '../../second-service/random.ts';
import { BYTES } from './mutate-bytes.ts';

const PIECES: readonly string[] = [
  '"',
  '""',
  '"""',
  '\n',
  '\r',
  '\r\n',
  ';',
  ',',
  '\t',
  '|',
  '\0',
  '\x1a',
  '\ufeff',
  '="00123"',
  '="',
  'sep=;\n',
  'sep=',
  '€',
  'é',
  '\ud800',
  '😀',
  '\u202e',
  '\x1b[2J',
  '<html>',
  'PK\x03\x04',
  '%PDF',
  '{"a":1}',
  '#CLEAR',
  '1e999',
  '01-03-2026',
];

type Mutation = (text: string, random: Random) => string;

const insert: Mutation = (text, random) => {
  const at = random.below(text.length + 1);
  const piece = random.pick(PIECES).repeat(random.pick([1, 1, 1, 5, 1000, 20_000]));
  return text.slice(0, at) + piece + text.slice(at);
};

const swap: Mutation = (text, random) =>
  text.replaceAll(random.pick([';', '"', '\n', ',']), random.pick(PIECES));

/** Characters beyond which a text is not multiplied: a big file takes its time, and that is no fault. */
const BIG = 50_000;

const oneLine: Mutation = (text, random) =>
  text
    .replaceAll('\n', random.pick(['', ' ', ';']))
    .repeat(text.length > BIG ? 1 : random.pick([1, 10, 100]));

const strays: Mutation = (text, random) =>
  text.replace(/[a-z]+/gi, (word) => (random.oneIn(10) ? `"${word}" ${word}` : word));

const ENCODINGS: readonly BufferEncoding[] = ['utf8', 'utf8', 'utf8', 'latin1', 'utf16le'];

/** A CSV whose text or bytes were changed in one to three ways, in some encoding. */
export function mutateCsv(content: Buffer, random: Random): Buffer {
  let text = content.toString('utf8');
  for (let count = random.below(3); count > 0; count--)
    text = random.pick([insert, insert, insert, swap, oneLine, strays])(text, random);
  let bytes = Buffer.from(`${random.oneIn(4) ? '\ufeff' : ''}${text}`, random.pick(ENCODINGS));
  if (bytes.length % 2 === 0 && random.oneIn(20)) bytes.swap16();
  if (random.oneIn(2)) bytes = Buffer.from(random.pick(BYTES)(bytes, random));
  return bytes;
}
