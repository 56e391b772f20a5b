import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Random } from '../../second-service/random.ts';
import { bent } from './bent.ts';

/** What a service would have answered, or its refusal. */
export interface Honest {
  readonly status: number;
  readonly body: Buffer;
}

/** One answer as it goes over the wire. */
export interface Hostile {
  readonly name: string;
  /** Bytes and pauses (ms), in order. */
  readonly parts: readonly (Buffer | number)[];
  /** What becomes of the connection afterwards. */
  readonly end: 'keep' | 'close' | 'reset' | 'open';
  /** Whoever reads it knows that nothing was done. */
  readonly definite: boolean;
}

type Draw = (random: Random, honest: Honest) => Partial<Hostile> & { readonly parts: Hostile['parts'] };

const head = (status: number | string, headers: Readonly<Record<string, string | number>>): Buffer =>
  Buffer.from(
    `HTTP/1.1 ${status} X\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
    'latin1',
  );

const whole = (
  body: Buffer | string,
  status = 200,
  headers: Readonly<Record<string, string | number>> = {},
) => {
  const bytes = Buffer.from(body as string);
  return {
    parts: [
      head(status, { 'content-type': 'application/json', ...headers, 'content-length': bytes.length }),
      bytes,
    ],
    end: 'keep' as const,
  };
};

const DEPTHS = [64, 65, 1000, 100_000, 300_000];
const PAIRS = [
  ['[', ']', ''],
  ['{"success":true,"id":1,"data":', '}', '1'],
  ['{"__proto__":', '}', 'null'],
] as const;
const deep: Draw = (random) => {
  const [open, close, inner] = random.pick(PAIRS);
  const levels = random.pick(DEPTHS);
  const json = open.repeat(levels) + inner + close.repeat(levels);
  return whole(random.oneIn(2) ? json : `{"ProductID":5,"PartijID":9001,"id":5,"success":true,"x":${json}}`);
};

const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at + 1)).join();
const wide: Draw = (random) => {
  const count = random.pick([1000, 50_000, 400_000]);
  const list = `[${many(count, () => random.pick(['{}', '1', '{"ProductID":1}', '{"PartijID":9001,"RitID":8001}']))}]`;
  const members = `{${many(count / 10, (at) => `"m${at}":1`)},"id":1}`;
  return whole(random.pick([list, `[{"data":${list},"links":{},"meta":{}}]`, `{"errors":${list}}`, members]));
};

const long: Draw = (random) => {
  const text = random.pick(['é', '<', '\\u0000', '\\ud800', '9']).repeat(random.pick([10_000, 1_000_000]));
  const member = random.pick(['message', 'OmschrijvingIntern', 'id', 'Verkoopprijs', 'errors', 'LMT']);
  const digits = '9'.repeat(random.pick([400, 100_000]));
  const record = random.pick([
    `{"success":false,"${member}":"${text}"}`,
    `{"success":true,"id":${digits},"ProductID":${digits}}`,
    `[{"data":[{"ProductID":5,"${member}":"${text}"}],"links":{},"meta":{}}]`,
  ]);
  return whole(record, random.pick([200, 200, 422, 500]));
};

const bend: Draw = (random, { status, body }) => whole(bent(random, body), status);

const encodings: Draw = (random, { body }) => {
  const zeros = Buffer.alloc(random.pick([1_000_000, 100_000_000]), 0x20);
  const half = body.subarray(0, body.length / 2);
  const [bytes, coding]: readonly [Buffer, string] = random.pick<() => readonly [Buffer, string]>([
    () => [Buffer.from(`\ufeff${body}`, 'utf16le'), 'identity'],
    () => [Buffer.concat([half, Buffer.from([0xff, 0xfe, 0, 0xc0, 0x80])]), 'identity'],
    () => [gzipSync(zeros), 'gzip'],
    () => [gzipSync(body).subarray(0, 20), 'gzip'],
    () => [brotliCompressSync(zeros), 'br'],
    () => [body, random.pick(['gzip', 'br', 'zstd', '\u00ff'])],
  ])();
  return whole(bytes, 200, { 'content-encoding': coding });
};

const PAGES = [
  '<!doctype html><title>Log in</title><form>',
  '<?xml version="1.0"?><ok>1</ok>',
  'OK',
  '',
  'null',
  '{}',
  '{"success":',
  '{"success":false}',
  '{"success":"maybe"}',
  '{"success":null,"id":null}',
  '{"id":-1,"success":true}',
];
const pages: Draw = (random) => {
  const text = random.pick(PAGES);
  return { ...whole(text), definite: text.endsWith('success":false}') };
};

const lengths: Draw = (random, { body }) => {
  const odd = random.pick([
    body.length + 100,
    Math.max(0, body.length - 5),
    -1,
    '1e3',
    '18446744073709551616',
    '5, 5',
  ]);
  const chunk = Buffer.from(`${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`, 'latin1');
  const chunked = { 'transfer-encoding': 'chunked' };
  const parts = random.pick([
    [head(200, { 'content-length': odd }), body],
    [head(200, { 'content-length': body.length, ...chunked }), body],
    [head(200, chunked), chunk],
    [head(200, chunked), Buffer.from('zz\r\nx\r\n')],
    [head(200, {}), body],
  ]);
  return { parts, end: 'close' };
};

const garbage: Draw = (random, { body }) => {
  const good = head(200, { 'content-length': body.length });
  const headers = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x${at}`, 'y']));
  const first = random.pick([
    Buffer.from(Array.from({ length: 200 }, () => random.below(256))),
    Buffer.from('HTTP/9.9 200 OK\r\n\r\n'),
    head(random.pick(['0', '99', '1000', '-1', 'abc', '']), { 'content-length': 0 }),
    head(200, { 'x-long': 'y'.repeat(random.pick([1000, 20_000, 2_000_000])), 'content-length': 2 }),
    head(200, { ...headers, 'content-length': 2 }),
    Buffer.concat([good, body, good, body, good, body]),
    Buffer.concat([head(100, {}), head(102, {}), good, body]),
    head(101, { connection: 'upgrade', upgrade: 'websocket' }),
  ]);
  return { parts: [first], end: random.pick(['close', 'open', 'keep']) };
};

const STATUSES = [
  201, 204, 206, 300, 304, 400, 403, 404, 408, 409, 413, 422, 425, 444, 460, 499, 500, 501, 502, 504, 599,
];
const statuses: Draw = (random, { body }) => {
  const status = random.oneIn(40) ? 401 : random.pick(STATUSES);
  const text = random.pick([
    '',
    '{"message":"Nee"}',
    '{"errors":[{"field":"x","message":{"a":1}}]}',
    String(body),
  ]);
  const refused =
    status === 501 || (status >= 400 && status < 500 && ![408, 425, 444, 460, 499].includes(status));
  const definite = refused || (status < 300 && text.includes('errors'));
  if ([204, 304].includes(status)) return { parts: [head(status, {})], definite };
  return { ...whole(text, status), definite };
};

const AFTER = ['0', '0.01', 'soon', '301', '9'.repeat(300), '\u00ff'];
const pushBack: Draw = (random) => {
  const status = random.pick([429, 429, 503]);
  const headers = { 'retry-after': random.pick(AFTER) };
  return { ...whole('{"message":"Too Many Attempts."}', status, headers), definite: status === 429 };
};

const redirects: Draw = (random) => {
  const location = random.pick(['http://evil.example/', '/api/v1/event/1', 'javascript:1', '']);
  const status = random.pick([301, 302, 303, 307, 308]);
  return { ...whole('', status, { location }), definite: ![302, 303].includes(status) };
};

const slow: Draw = (random, { body }) => {
  const start = head(200, { 'content-length': body.length + 5000 });
  const drops = Array.from({ length: 400 }, () => [20, Buffer.from(' ')]).flat();
  const parts = random.pick([[start, ...drops], drops, [start, body.subarray(0, 10)], []]);
  return { parts, end: 'open' };
};

const broken: Draw = (random, { body }) => {
  const half = [head(200, { 'content-length': body.length }), body.subarray(0, body.length / 2)];
  return { parts: random.pick([[], half]), end: random.pick(['reset', 'close']) };
};

let serial = 0;

/** Pages that lead on, with records of their own, the same or none. */
const endless: Draw = (random) => {
  serial += 1;
  const id = random.pick([1, serial]);
  const data = random.pick([
    `[{"ProductID":${id},"PartijID":${id},"LMT":"2027-01-01 00:00:00"}]`,
    '[]',
    '[{}]',
    'null',
  ]);
  const next = random.pick([`"?page=${serial}"`, '"?page=2"', '"http://evil.example/?page=2"', 'null', '{}']);
  const number = (): string =>
    random.pick(['1', '-1', '1e400', 'null', '"x"', `${serial}`, '9007199254740993']);
  const meta = `{"current_page":${number()},"last_page":${number()},"total":${number()}}`;
  const page = `{"data":${data},"links":{"first":null,"next":${next}},"meta":${meta}}`;
  return whole(random.oneIn(4) ? page : `[${page}]`);
};

const HUGE: readonly (() => string)[] = [
  () => `[${many(25_000, (at) => `{"ProductID":${at},"PartijID":${at},"x":"${'y'.repeat(900)}"}`)}]`,
  () => `{"id":1,"ProductID":1,${many(1_000_000, (at) => `"m${at}":${at}`)}}`,
  () => `[{"PartijID":1,"ProductID":1,"x":"${'\u20ac'.repeat(5_000_000)}"}]`,
];

/** Answers near the limits of size. */
const huge: Draw = (random) => whole(random.pick(HUGE)());

/** The kinds of answers; slow and huge ones take seconds, so that they come less often. */
const KINDS = {
  ...{ deep, wide, long, encodings, pages, lengths, garbage, statuses, pushBack, redirects, broken },
  ...{ endless, bend, slow, huge },
};
type Kind = keyof typeof KINDS;
const RARE: readonly Kind[] = ['slow', 'slow', 'slow', 'slow', 'slow', 'huge', 'huge'];
const USUAL = Object.keys(KINDS).filter((name) => name !== 'slow' && name !== 'huge') as Kind[];

/** An answer that a hostile or broken service might give in place of an honest one. */
export function hostileAnswer(random: Random, honest: Honest, only?: string): Hostile {
  const drawn = RARE[random.below(200)] ?? random.pick(random.oneIn(3) ? (['bend'] as const) : USUAL);
  const name = (only as Kind | undefined) ?? drawn;
  return { name, end: 'keep', definite: false, ...KINDS[name](random, honest) };
}
