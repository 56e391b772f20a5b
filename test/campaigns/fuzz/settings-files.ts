import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BYTES } from './mutate-bytes.ts';
import type { Random } from './random.ts';

/** What a fuzz of settings works with: the folders, the user's own service, and one that nobody trusts. */
interface SettingsPlace {
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
}

/** Files of JSON or text that the program reads, by where they are. */
const PLACES = ['here', 'own', 'trusted', 'token', 'map', 'own token', 'own log', 'trust'] as const;
type Where = (typeof PLACES)[number];

const CONFIG = 'catersheet.config.json';

/** Every setting with what it may hold, and a value that means something to an attacker. */
const SETTINGS = (attack: string): readonly (readonly [string, unknown])[] => [
  ['baseUrl', attack],
  ['tokenFile', '/etc/hostname'],
  ['log', 'shell-profile'],
  ['ledger', 'other.db'],
  ['concurrency', 8],
  ['allowHttp', true],
  ['headers', { Artikel: 'ExternalID' }],
  ['dialect', { externalId: 'never', dropdowns: { 'Product Categorie': 1 } }],
];

/** Values that no setting may have, and addresses that are another one than they seem. */
const odd = (attack: string): readonly unknown[] => [
  ...[
    null,
    true,
    -1,
    1e308,
    2 ** 53,
    '',
    [attack],
    { toString: attack },
    { length: 1e9 },
    'x'.repeat(70_000),
  ],
  ...['\u202e', '\u001b]52;c;x\u0007', '\ud800', '\u0000', '__proto__', 'file:///etc/passwd', 'http://[::1'],
  ...[
    attack.replace('http:', 'HTTP:'),
    attack.replace('//', '//user:secret@'),
    `${attack}#x`,
    `\t${attack}\n`,
  ],
  attack.replace('http:', ''),
];

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(',');

/** JSON of a file of profiles: as it should be, with odd values, or of another shape. */
function configText(random: Random, attack: string): string {
  const profile = Object.fromEntries(
    Array.from({ length: 1 + random.below(4) }, () => {
      const [name, value] = random.pick(SETTINGS(attack));
      return [name, random.oneIn(3) ? random.pick(odd(attack)) : value];
    }),
  );
  const text = JSON.stringify({ profiles: { default: profile } });
  return random.pick<() => string>([
    () => text,
    () => text,
    () => text,
    () =>
      text.replace('"default"', random.pick(['"__proto__"', '"constructor"', '"Default"', '"default","x"'])),
    () => text.replace('"profiles":{', `"profiles":{"__proto__":{"default":${JSON.stringify(profile)}},`),
    () => text.replace('"default":{', `"default":{"__proto__":${JSON.stringify(profile)},`),
    () => JSON.stringify(random.pick(odd(attack))),
    () => text.replace('{', `{"x":${nested(random.pick([100, 100_000]))},`),
    () => text.replace('"default":{', `"default":{"headers":${nested(random.pick([50, 100_000]))},`),
    () => text.slice(0, random.below(text.length)),
    () => `{"profiles":{${many(5000, (at) => `"p${at}":{}`)}}}`,
    () => `{"profiles":{"default":{"headers":{${many(90_000, (at) => `"kop ${at}":"ExternalID"`)}}}}}`,
  ])();
}

/** Texts for the files that are no profiles. */
const TEXTS: Partial<Record<Where, readonly string[]>> = {
  map: [
    JSON.stringify({ Artikel: 'ExternalID', Naam: 'OmschrijvingIntern' }),
    '{"__proto__":{"Artikel":"ExternalID"},"constructor":"ExternalID"}',
    `{${many(200_000, (at) => `"kop ${at}":"ExternalID"`)}}`,
    `{"Artikel":"${'x'.repeat(1_000_000)}"}`,
    nested(100_000),
    'Artikel;ExternalID\n',
    '"'.repeat(3000),
    '',
  ],
  token: ['a\nb', 'é’', '\u0000', '', 'x'.repeat(100_000), 'goed\r\nAuthorization: ander', '\ud800'],
  trusted: [
    '{"files":{"__proto__":"x","/x":"y"}}',
    nested(100_000),
    '{"files":[]}',
    'null',
    '{"files":{"a":1}}',
  ],
};

/** The bytes of a text: mostly as they are, in another encoding, or damaged. */
function bytesFor(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  return random.pick<() => Buffer>([
    () => bytes,
    () => bytes,
    () => Buffer.from(`\ufeff${text}`, 'utf16le'),
    () => Buffer.from(text, 'latin1'),
    () => random.pick(BYTES)(bytes, random),
  ])();
}

/** Puts something at a path: mostly a file, sometimes what is none. Answers what. */
function put(file: string, bytes: Buffer, random: Random, huge: boolean): string {
  rmSync(file, { recursive: true, force: true });
  if (huge || !random.oneIn(5)) {
    writeFileSync(file, huge ? Buffer.alloc(100 * 2 ** 20, random.pick(['{', '"', ' ', '[1,'])) : bytes);
    return huge ? '100 MB' : 'file';
  }
  const [what, make] = random.pick<readonly [string, () => void]>([
    ['pipe', () => execFileSync('mkfifo', [file])],
    ['folder', () => mkdirSync(file)],
    ['device', () => symlinkSync(random.pick(['/dev/zero', '/dev/null', '/dev/full']), file)],
    ['link', () => symlinkSync(random.pick([file, '/nowhere', '/proc/self/mem']), file)],
    ['no rights', () => writeFileSync(file, bytes, { mode: 0 })],
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

/** Makes case number `index`; always the same for a seed. The folders are as new. */
export function settingsCase(random: Random, place: SettingsPlace, index: number): SettingsCase {
  const { folder, home, service, attack } = place;
  const where = random.pick(PLACES);
  const own = join(home, CONFIG);
  const file: Record<Where, string> = {
    ...{
      here: join(folder, CONFIG),
      own,
      trusted: join(home, 'trusted.json'),
      token: join(folder, 'token.txt'),
    },
    map: join(folder, random.pick(['koppen.json', 'koppen.csv', 'koppen'])),
    ...{ 'own token': join(home, 'token.txt'), 'own log': join(home, 'run.log') },
    trust: join(folder, random.pick([CONFIG, 'anders.json'])),
  };
  const at = file[where];
  const texts = TEXTS[where === 'own token' ? 'token' : where];
  // The user's own settings name the user's own service: an address of the attacker would be trusted there.
  const text = texts ? random.pick(texts) : configText(random, where === 'own' ? service : attack);
  const what = put(at, bytesFor(text, random), random, index % 100 === 99);
  const profile = (more: object): void =>
    writeFileSync(own, JSON.stringify({ profiles: { default: { baseUrl: service, ...more } } }));
  if (where === 'own token') profile({ tokenFile: 'token.txt' });
  else if (where === 'own log') profile({ log: at });
  else if (where !== 'own') profile({});
  if (where === 'trusted')
    writeFileSync(join(folder, CONFIG), JSON.stringify({ profiles: { default: { baseUrl: attack } } }));
  const flags: Partial<Record<Where, readonly string[]>> = {
    ...{ token: [...DRY, '--token-file', at], map: [...DRY, '--map', at], trust: ['trust', at] },
  };
  return { where, what, file: at, args: flags[where] ?? random.pick(COMMANDS) };
}
