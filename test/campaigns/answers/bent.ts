import type { Random } from '../../second-service/random.ts';

const VALUES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1',
  '1e400',
  '-1e400',
  '5e-324',
  '9007199254740993',
  '0.1',
  '""',
  '" "',
  '"x"',
  '"Ja"',
  '"-"',
  '"0x10"',
  '"9999-99-99"',
  '"0000-00-00 00:00:00"',
  '"2027-01-01T00:00:00Z"',
  '"99999999999999999999"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202e"',
  '"=1+1"',
  '"\\u001b[2J"',
  '"<b>"',
  '{}',
  '[]',
  '[[]]',
  '[null]',
  '{"a":{}}',
  '{"__proto__":null}',
  '{"length":1000000000}',
  '{"then":1}',
];

const NAMES = ['__proto__', 'toString', 'then', 'length', '', '0'];

/** Where a value of JSON text begins and ends. */
const VALUE = /("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=\s*[,}\]])/g;
const NAME = /"(?:[^"\\]|\\.)*"(?=\s*:)/g;

/** An honest answer with some of its values, names or signs changed. */
export function bent(random: Random, body: Buffer): Buffer {
  let text = body.toString('utf8').slice(0, 200_000);
  for (let times = random.pick([1, 1, 2, 5]); times > 0; times--) text = random.pick(WAYS)(random, text);
  return Buffer.from(text);
}

type Way = (random: Random, text: string) => string;

/** One in some of all values, or all. */
const someValues: Way = (random, text) => {
  const cases = random.pick([1, 2, 5, 20, 200]);
  return text.replace(VALUE, (value) => (random.oneIn(cases) ? random.pick(VALUES) : value));
};
const someNames: Way = (random, text) => {
  const cases = random.pick([5, 20, 200]);
  return text.replace(NAME, (name) => (random.oneIn(cases) ? `"${random.pick(NAMES)}"` : name));
};
const oneName: Way = (random, text) => {
  const names = text.match(NAME) ?? ['"id"'];
  return text.replaceAll(`${random.pick(names)}:`, `"${random.pick(NAMES)}":`);
};
const wrapped: Way = (random, text) =>
  random.pick([`[${text}]`, `{"data":${text}}`, `[[${text}]]`, `{"0":${text}}`]);
const cut: Way = (random, text) => text.slice(0, random.below(text.length + 1));
const spliced: Way = (random, text) => {
  const at = random.below(text.length + 1);
  return (
    text.slice(0, at) +
    random.pick(['"', '{', ']', ',', '\\', '\0', 'x', '1', '\u2028']) +
    text.slice(at + random.below(3))
  );
};
const WAYS: readonly Way[] = [someValues, someValues, someValues, someNames, oneName, wrapped, cut, spliced];
