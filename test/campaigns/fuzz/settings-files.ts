import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BYTES } from './mutate-bytes.ts';
import type { Random } from './random.ts';

/** What a fuzz of settings works with: the folders, the user's own service, and one that nobody trusts. */
export interface SettingsPlace {
  readonly folder: string;
  readonly home: string;
  readonly service: string;
  readonly attack: string;
}

/** A file of settings as it was made, how the program is called with it, and what it is to name. */
export interface SettingsCase {
  readonly where: Where;
  readonly what: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Files of JSON or text that the program reads, by where they are. */
const PLACES = [
  'here',
  'own',
  'trusted',
  'token',
  'map',
  'own token',
  'own log',
  'environment',
  'trust',
] as const;
type Where = (typeof PLACES)[number];

const CONFIG = 'catersheet.config.json';

/** Every setting with what it may hold, and a value that means something to an attacker. */
const SETTINGS = (attack: string): readonly (readonly [string, unknown])[] => [
  ['baseUrl', attack],
  ['tokenFile', '/etc/hostname'],
  ['log', 'shell-profile'],
  ['ledger', 'other.db'],
  ['lang', 'nl'],
  ['locale', 'en'],
  ['concurrency', 8],
  ['timeout', 30],
  ['doubt', 1],
  ['allowHttp', true],
  ['headers', { Artikel: 'ExternalID' }],
  ['dialect', { externalId: 'never', dropdowns: { 'Product Categorie': 1 } }],
];

const ODD_NUMBERS = [0, -1, 1e9, 1e308, 0.5, Number.MAX_SAFE_INTEGER + 1, 2 ** 31];
const oddAddresses = (attack: string): readonly string[] => [
  '',
  ' ',
  'file:///etc/passwd',
  'javascript:1',
  attack.replace('http:', 'HTTP:'),
  attack.replace('//', '//user:secret@'),
  `${attack}#x`,
  `${attack}?a=b`,
  `${attack}\u0000`,
  `\t${attack}\n`,
  attack.replace('http:', ''),
  attack.replace('http://', 'http:\\\\'),
  'http://[::1',
  'http://1.1.1.1.1:99999999/',
  'unix:/tmp/x',
  `${'a'.repeat(70_000)}.example`,
];

const nested = (depth: number, kind: number): string =>
  kind === 0 ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

function oddValue(random: Random, attack: string): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => random.pick(ODD_NUMBERS),
    () => random.pick(oddAddresses(attack)),
    () => random.pick<unknown>([[], {}, [attack], { toString: attack }, { length: 1e9 }]),
    () => 'x'.repeat(random.below(100_000)),
    () => random.pick(['\u202e', '\u001b]52;c;x\u0007', '\ud800', '\u0000', '__proto__', 'constructor']),
    () => true,
  ])();
}

function profileOf(random: Random, attack: string): Record<string, unknown> {
  const profile: Record<string, unknown> = {};
  for (let count = random.below(4); count >= 0; count--) {
    const [name, value] = random.pick(SETTINGS(attack));
    profile[name] = random.oneIn(3) ? oddValue(random, attack) : value;
  }
  return profile;
}

/** JSON of a file of profiles: as it should be, with odd values, or of another shape. */
function configText(random: Random, attack: string): string {
  const profile = profileOf(random, attack);
  const text = JSON.stringify({
    ...(random.oneIn(3) ? { profile: random.pick(['default', '__proto__', 'b', 'toString', '']) } : {}),
    profiles: { default: profile, ...(random.oneIn(3) ? { b: profileOf(random, attack) } : {}) },
  });
  return random.pick<() => string>([
    () => text,
    () => text,
    () =>
      text.replace('"default"', random.pick(['"__proto__"', '"constructor"', '"Default"', '"default","x"'])),
    () => text.replace('{', `{"__proto__":${text},`),
    () => text.replace('"profiles":{', `"profiles":{"__proto__":{"default":${JSON.stringify(profile)}},`),
    () => text.replace('"default":{', `"default":{"__proto__":${JSON.stringify(profile)},`),
    () => `[${text}]`,
    () => JSON.stringify(oddValue(random, attack)),
    () => text.replace('{', `{"x":${nested(random.pick([100, 5000, 100_000]), random.below(2))},`),
    () => nested(random.pick([1000, 100_000]), random.below(2)),
    () => text.replace(/"default":\{/, `"default":{"headers":${nested(random.pick([50, 100_000]), 1)},`),
    () => text + text,
    () => `${text.slice(0, random.below(text.length))}`,
    () => text.replaceAll('"', "'"),
    () => `// note\n${text}`,
    () => `{"profiles":{${Array.from({ length: 5000 }, (_, at) => `"p${at}":{}`).join(',')}}}`,
    () =>
      `{"profiles":{"default":{"headers":{${Array.from({ length: random.pick([20, 9000, 90_000]) }, (_, at) => `"kop ${at}":"ExternalID"`).join(',')}}}}}`,
    () => `{"profiles":{"default":{${Array.from({ length: 3000 }, (_, at) => `"soep${at}":1`).join(',')}}}}`,
  ])();
}

function mapText(random: Random): string {
  const many = random.pick([1, 3, 9000, 200_000]);
  return random.pick<() => string>([
    () => JSON.stringify({ Artikel: 'ExternalID', Naam: 'OmschrijvingIntern' }),
    () => JSON.stringify({ __proto__: 'x', packages: { a: 'ExternalID' } }),
    () => '{"__proto__":{"Artikel":"ExternalID"},"constructor":"ExternalID"}',
    () => `{${Array.from({ length: many }, (_, at) => `"kop ${at}":"ExternalID"`).join(',')}}`,
    () => Array.from({ length: many }, (_, at) => `kop ${at};ExternalID`).join('\n'),
    () => `{"Artikel":"${'x'.repeat(random.below(1_000_000))}"}`,
    () => nested(100_000, 1),
    () => `{"a":${nested(100_000, 0)}}`,
    () => 'Artikel;ExternalID\n',
    () => '"'.repeat(random.below(3000)),
    () => '',
  ])();
}

const TOKENS = [
  'a\nb',
  'é’',
  '\u0000',
  '',
  ' \n ',
  'x'.repeat(100_000),
  'goed\r\nAuthorization: ander',
  '\ud800',
];

function textFor(where: Where, random: Random, attack: string): string {
  if (where === 'map') return mapText(random);
  if (where === 'token' || where === 'own token') return random.pick(TOKENS);
  if (where !== 'trusted') return configText(random, attack);
  return random.pick([
    '{"files":{}}',
    `{"files":{"__proto__":"x","${'/x'.repeat(500)}":"y"}}`,
    nested(100_000, 1),
    '{"files":[]}',
    'null',
    '{"files":{"a":1}}',
  ]);
}

/** The bytes of a text: mostly as they are, in another encoding, or damaged. */
function bytesFor(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  return random.pick<() => Buffer>([
    () => bytes,
    () => bytes,
    () => bytes,
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text, 'latin1'),
    () => random.pick(BYTES)(bytes, random),
  ])();
}

/** Puts something at a path: mostly a file, sometimes what is none. Answers what. */
function put(file: string, bytes: Buffer, random: Random, huge: boolean): string {
  rmSync(file, { recursive: true, force: true });
  if (huge) {
    writeFileSync(file, Buffer.alloc(100 * 2 ** 20, random.pick(['{', '"', ' ', '[1,'])));
    return '100 MB';
  }
  if (!random.oneIn(5)) {
    writeFileSync(file, bytes);
    return 'file';
  }
  const [what, make] = random.pick<readonly [string, () => void]>([
    ['pipe', () => execFileSync('mkfifo', [file])],
    ['folder', () => mkdirSync(file)],
    ['device', () => symlinkSync(random.pick(['/dev/zero', '/dev/null', '/dev/full', '/dev/urandom']), file)],
    ['link', () => symlinkSync(random.pick([file, `${file}/x`, '/nowhere', '/proc/self/mem']), file)],
    ['no rights', () => writeFileSync(file, bytes, { mode: 0 })],
    [
      'link to a file',
      () => {
        writeFileSync(`${file}.real`, bytes);
        symlinkSync(`${file}.real`, file);
      },
    ],
  ]);
  make();
  return what;
}

const BOOK = 'boek.xlsx';
const DRY = ['import', BOOK, '--dry-run', '--json'];
const COMMANDS: readonly (readonly string[])[] = [
  DRY,
  DRY,
  ['runs', '--json'],
  ['check', '--json'],
  ['trust'],
];

/** Odd environments; never the token of the user for an address of the attacker. */
function oddEnvironment(random: Random, { attack, service }: SettingsPlace): Record<string, string> {
  return random.pick<() => Record<string, string>>([
    () => ({
      CATERSHEET_BASE_URL: random.pick(oddAddresses(attack)).replaceAll('\0', ''),
      CATERSHEET_TOKEN: 'andere',
    }),
    () => ({ CATERSHEET_BASE_URL: service, CATERSHEET_TOKEN: random.pick(TOKENS).replaceAll('\0', '') }),
    () => ({
      CATERSHEET_HOME: random.pick([
        '/dev/null',
        '/dev/null/x',
        '/proc',
        'boek.xlsx',
        '\u001b[2J',
        'x'.repeat(300),
      ]),
    }),
    () => ({ LANG: random.pick(['', 'xx', 'nl_NL@\u001b', 'C.UTF-8', 'x'.repeat(5000)]), LC_ALL: '\u202e' }),
    () => ({ HOME: '/dev/null', XDG_CONFIG_HOME: '/dev/zero', CATERSHEET_HOME: '' }),
    () => ({ NO_COLOR: '', TERM: '\u001b', TZ: random.pick(['', 'x'.repeat(5000), '../../etc/passwd']) }),
  ])();
}

/** Makes case number `index`; always the same for a seed. The folders are as new. */
export function settingsCase(random: Random, place: SettingsPlace, index: number): SettingsCase {
  const { folder, home, service, attack } = place;
  const where = random.pick(PLACES);
  const own = join(home, CONFIG);
  const file: Record<Where, string> = {
    here: join(folder, CONFIG),
    own,
    trusted: join(home, 'trusted.json'),
    token: join(folder, 'token.txt'),
    map: join(folder, random.pick(['koppen.json', 'koppen.csv', 'koppen'])),
    'own token': join(home, 'token.txt'),
    'own log': join(home, 'run.log'),
    environment: own,
    trust: random.pick([join(folder, CONFIG), join(folder, 'anders.json'), join(folder, BOOK)]),
  };
  const profile = (more: object): void =>
    writeFileSync(own, JSON.stringify({ profiles: { default: { baseUrl: service, ...more } } }));
  const at = file[where];
  // The user's own settings name the user's own service: an address of the attacker would be trusted there.
  const text = textFor(where, random, where === 'own' ? service : attack);
  const kept = where === 'environment' || (where === 'trust' && at.endsWith(BOOK));
  const what = kept ? 'as it is' : put(at, bytesFor(text, random), random, index % 100 === 99);
  if (where === 'own token') profile({ tokenFile: 'token.txt' });
  else if (where === 'own log') profile({ log: at });
  else if (where !== 'own') profile({});
  if (where === 'trusted')
    writeFileSync(join(folder, CONFIG), JSON.stringify({ profiles: { default: { baseUrl: attack } } }));
  const flags = { token: ['--token-file', at], map: ['--map', at] } as Partial<
    Record<Where, readonly string[]>
  >;
  const args =
    where === 'trust'
      ? ['trust', at]
      : where in flags
        ? [...DRY, ...(flags[where] ?? [])]
        : random.pick(COMMANDS);
  return { where, what, file: at, args, env: where === 'environment' ? oddEnvironment(random, place) : {} };
}
