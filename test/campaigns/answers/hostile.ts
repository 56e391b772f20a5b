import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from '../fuzz/random.ts';
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

const PAIRS = [
  ['[', ']', ''],
  ['{"data":', '}', '{}'],
  ['{"success":true,"id":1,"data":', '}', '1'],
  ['[{"errors":', '}]', '"x"'],
  ['{"total":[', ']}', '{"Aantal":1}'],
  ['{"__proto__":', '}', 'null'],
] as const;

function nested(random: Random): string {
  const [open, close, inner] = random.pick(PAIRS);
  const levels = random.pick([60, 64, 65, 100, 1000, 10_000, 100_000, 300_000]);
  return open.repeat(levels) + inner + close.repeat(levels);
}

const deep: Draw = (random) => {
  const json = nested(random);
  return whole(random.oneIn(2) ? json : `{"ProductID":5,"PartijID":9001,"id":5,"success":true,"x":${json}}`);
};

const wide: Draw = (random) => {
  const count = random.pick([1000, 50_000, 400_000]);
  const part = random.pick([
    '{}',
    '1',
    '[]',
    'null',
    '{"ProductID":1}',
    '{"PartijID":9001,"RitID":8001}',
    '"x"',
  ]);
  const list = `[${`${part},`.repeat(count)}${part}]`;
  const members = () =>
    `{${Array.from({ length: count / 10 }, (_, at) => `"m${at}":${part},`).join('')}"id":1}`;
  return whole(
    random.pick([list, `[{"data":${list},"links":{},"meta":{}}]`, `{"errors":${list}}`, members()]),
  );
};

const long: Draw = (random) => {
  const text = random
    .pick(['é', 'nee ', '<', '\\u0000', '\\ud800', '\\n', '9', '"+="'.replaceAll('"', '')])
    .repeat(random.pick([10_000, 1_000_000]));
  const member = random.pick([
    'message',
    'OmschrijvingIntern',
    'id',
    'Verkoopprijs',
    'errors',
    'LMT',
    'ProductID',
  ]);
  const digits = '9'.repeat(random.pick([400, 100_000]));
  const record = random.pick([
    `{"success":false,"${member}":"${text}"}`,
    `{"success":true,"id":${digits},"ProductID":${digits}}`,
    `[{"data":[{"ProductID":5,"${member}":"${text}"}],"links":{},"meta":{}}]`,
    `[{"PartijID":9001,"RitID":8001,"${member}":"${text}","Verkoopprijs":${digits}}]`,
  ]);
  return whole(record, random.pick([200, 200, 422, 500]));
};

const bend: Draw = (random, { status, body }) => whole(bent(random, body), status);

const encodings: Draw = (random, { body }) => {
  const text = body.toString('utf8');
  const zeros = () => Buffer.alloc(random.pick([1_000_000, 100_000_000]), 0x20);
  const [bytes, coding, type]: readonly [Buffer, string?, string?] = random.pick([
    () => [Buffer.from(`\ufeff${text}`)] as const,
    () => [Buffer.from(`\ufeff${text}`, 'utf16le')] as const,
    () => [Buffer.from(text, 'latin1')] as const,
    () =>
      [Buffer.concat([body.subarray(0, body.length / 2), Buffer.from([0xff, 0xfe, 0, 0xc0, 0x80])])] as const,
    () => [Buffer.from(text.replace(/[a-z]/, '\0'))] as const,
    () => [gzipSync(zeros()), 'gzip'] as const,
    () => [gzipSync(gzipSync(body)), 'gzip, gzip'] as const,
    () => [gzipSync(body).subarray(0, 20), 'gzip'] as const,
    () => [brotliCompressSync(zeros()), 'br'] as const,
    () => [deflateSync(zeros()), 'deflate'] as const,
    () => [body, random.pick(['gzip', 'br', 'zstd', 'identity', '\u00ff'])] as const,
    () =>
      [
        body,
        'identity',
        random.pick(['text/html', 'image/png', '', 'application/json; charset=utf-16']),
      ] as const,
  ])();
  return whole(bytes, 200, {
    'content-encoding': coding ?? 'identity',
    'content-type': type ?? 'application/json',
  });
};

const pages: Draw = (random) => {
  const text = random.pick([
    '<!doctype html><title>Log in</title><form>',
    `<html>${'<title>'.repeat(3000)}`,
    '<?xml version="1.0"?><ok>1</ok>',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>',
    'OK',
    'Fatal error: Uncaught exception in /var/www',
    '',
    ' ',
    'null',
    'true',
    'false',
    '0',
    '"x"',
    '{}',
    '[]',
    'NaN',
    '{"success":',
    ...['{"success":false}', '{"success":"maybe"}', '{"success":null,"id":null}', '{"id":-1,"success":true}'],
  ]);
  return { ...whole(text), definite: /^false|success":false/.test(text) };
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
  const chunk = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n`;
  return random.pick([
    () => ({ parts: [head(200, { 'content-length': odd }), body], end: 'close' as const }),
    () => ({
      parts: [head(200, { 'content-length': body.length, 'transfer-encoding': 'chunked' }), body],
      end: 'close' as const,
    }),
    () => ({
      parts: [head(200, { 'transfer-encoding': 'chunked' }), Buffer.from(chunk, 'latin1')],
      end: 'close' as const,
    }),
    () => ({
      parts: [head(200, { 'transfer-encoding': 'chunked' }), Buffer.from('zz\r\nx\r\n')],
      end: 'close' as const,
    }),
    () => ({
      parts: [
        head(200, { 'transfer-encoding': 'chunked' }),
        Buffer.from(`${chunk}0\r\nx: ${'y'.repeat(9)}\r\n\r\n`, 'latin1'),
      ],
      end: 'keep' as const,
    }),
    () => ({ parts: [head(200, {}), body], end: 'close' as const }),
  ])();
};

const bytesOf = (random: Random, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => random.below(256)));

const garbage: Draw = (random, { body }) => {
  const good = head(200, { 'content-length': body.length });
  const first = random.pick([
    () => bytesOf(random, 200),
    () => Buffer.from('HTTP/9.9 200 OK\r\n\r\n'),
    () => head(random.pick(['0', '99', '999', '1000', '-1', 'abc', '']), { 'content-length': 0 }),
    () => Buffer.from('ICY 200 OK\r\n\r\n'),
    () => Buffer.from('HTTP/1.1 200 OK\r\nno colon here\r\n\r\n'),
    () => Buffer.from('HTTP/1.1 200 OK\r\nx: a\r\n folded\r\ncontent-length: 2\r\n\r\n{}'),
    () => head(200, { 'x-long': 'y'.repeat(random.pick([1000, 20_000, 2_000_000])), 'content-length': 2 }),
    () =>
      head(200, {
        ...Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x${at}`, 'y'])),
        'content-length': 2,
      }),
    () => head(200, { 'set-cookie': 'a=b; domain=evil.example', 'x-nul': 'a\0b', 'content-length': 2 }),
    () => Buffer.concat([good, body, good, body, good, body]),
    () => Buffer.concat(Array.from({ length: 1000 }, () => head(103, { link: '</x>; rel=preload' }))),
    () => Buffer.concat([head(100, {}), head(102, {}), good, body]),
    () => head(101, { connection: 'upgrade', upgrade: 'websocket' }),
  ])();
  return { parts: [first], end: random.pick(['close', 'open', 'keep'] as const) };
};

const STATUSES = [
  201, 202, 203, 204, 205, 206, 226, 300, 304, 400, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413,
];
const MORE = [
  414, 415, 418, 422, 423, 424, 425, 428, 431, 444, 451, 460, 499, 500, 501, 502, 503, 504, 505, 507, 508,
  511, 520, 524, 530, 599,
];

const statuses: Draw = (random, { body }) => {
  const status = random.oneIn(40) ? 401 : random.pick([...STATUSES, ...MORE]);
  const text = random.pick([
    ...[
      '',
      '{}',
      '{"message":"Nee"}',
      '{"message":"The given data was invalid.","errors":{"Verkoopprijs":["te laag"]}}',
    ],
    ...['{"errors":[{"field":"x","message":{"a":1}}]}', '<html><title>Bad</title>', body.toString('utf8')],
  ]);
  const bare = [204, 205, 304].includes(status);
  const refused =
    status === 501 || (status >= 400 && status < 500 && ![408, 425, 444, 460, 499].includes(status));
  const definite = refused || (status < 300 && text.includes('errors'));
  return { ...(bare ? { parts: [head(status, {})], end: 'keep' as const } : whole(text, status)), definite };
};

const AFTER = [
  '0',
  '0.01',
  '-5',
  'soon',
  '',
  '1000000000',
  '301',
  'Wed, 21 Oct 2099 07:28:00 GMT',
  '9'.repeat(300),
  '1e9',
  '\u00ff',
];

const pushBack: Draw = (random) => {
  const status = random.pick([429, 429, 503]);
  return {
    ...whole('{"message":"Too Many Attempts."}', status, { 'retry-after': random.pick(AFTER) }),
    definite: status === 429,
  };
};

const redirects: Draw = (random) => {
  const where = [
    'http://evil.example/',
    '/api/v1/event/1',
    '//evil.example',
    'javascript:1',
    '',
    '\u00ff',
    'http://[::1',
  ];
  const status = random.pick([301, 302, 303, 307, 308]);
  const location = random.pick(where);
  return { ...whole('', status, { location }), definite: ![302, 303].includes(status) };
};

const slow: Draw = (random, { body }) => {
  const start = head(200, { 'content-length': body.length + 5000 });
  return random.pick([
    () => ({
      parts: [start, ...Array.from({ length: 400 }, () => [20, Buffer.from(' ')]).flat()],
      end: 'open' as const,
    }),
    () => ({
      parts: [...Array.from({ length: 400 }, () => [20, Buffer.from('x')]).flat()],
      end: 'open' as const,
    }),
    () => ({ parts: [start, body.subarray(0, 10)], end: 'open' as const }),
    () => ({ parts: [], end: 'open' as const }),
  ])();
};

const broken: Draw = (random, { body }) => {
  const start = head(200, { 'content-length': body.length });
  return random.pick([
    () => ({ parts: [], end: 'reset' as const }),
    () => ({ parts: [], end: 'close' as const }),
    () => ({
      parts: [start, body.subarray(0, body.length / 2)],
      end: random.pick(['reset', 'close'] as const),
    }),
    () => ({ parts: [start.subarray(0, 15)], end: 'close' as const }),
  ])();
};

let serial = 0;

/** Pages that lead on, with records of their own, the same or none. */
const endless: Draw = (random) => {
  serial += 1;
  const id = random.pick([1, serial, 10_000 + random.below(9)]);
  const data = random.pick([
    `[{"ProductID":${id},"PartijID":${id},"RitID":${id},"LMT":"2027-01-01 00:00:00"}]`,
    '[]',
    '[{}]',
    'null',
    '{"1":{"ProductID":1}}',
  ]);
  const next = random.pick([
    `"?page=${serial}"`,
    '"?page=2"',
    '"http://evil.example/?page=2"',
    'null',
    '"http://["',
    '{}',
    '1',
  ]);
  const number = () =>
    random.pick(['1', '2', '0', '-1', '1e9', '1e400', 'null', '"x"', `${serial}`, '3.5', '9007199254740993']);
  const meta = `{"current_page":${number()},"last_page":${number()},"per_page":"${number().replaceAll('"', '')}","total":${number()}}`;
  const page = `{"data":${data},"links":{"first":null,"next":${next}},"meta":${meta}}`;
  return whole(random.oneIn(4) ? page : `[${page}]`);
};

const RECORD = (at: number): string =>
  `{"ProductID":${at},"PartijID":${at},"RitID":${at},"LMT":"2027-01-01 00:00:00","x":"${'y'.repeat(900)}"}`;
const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at + 1)).join();
const HUGE: readonly (() => string)[] = [
  () => `[${many(25_000, RECORD)}]`,
  () => `[${many(40_000, RECORD)}]`,
  () => `[{"data":[${many(25_000, RECORD)}],"links":{},"meta":{"total":25000}}]`,
  () => `[${many(99_000, (at) => `{"id":${at},"ProductID":${at},"PartijID":${at}}`)}]`,
  () => `[${many(99_000, (at) => `{"k${at}":1}`)}]`,
  () => `{"id":1,"ProductID":1,${many(1_000_000, (at) => `"m${at}":${at}`)}}`,
  () => `[{"PartijID":1,"ProductID":1,"x":"${'\u20ac'.repeat(5_000_000)}"}]`,
  () => `[{"PartijID":1,"ProductID":1,"x":[${many(3_000_000, () => '1')}]}]`,
];
const made = new Map<number, Buffer>();

/** Answers near the limits of size. */
const huge: Draw = (random) => {
  const at = random.below(HUGE.length);
  const bytes = made.get(at) ?? Buffer.from(HUGE[at]?.() ?? '');
  made.set(at, bytes);
  return whole(bytes);
};

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
