import type { Random } from '../../second-service/random.ts';

type Mutation = (xml: string, random: Random) => string;

/** Values for an attribute or between tags that no program writes there. */
const GARBAGE: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '-0',
  '1e309',
  '1E400',
  '999999999999999999999',
  '0.1e-400',
  'NaN',
  'Infinity',
  '0x10',
  '1_000',
  'A0',
  'XFD1048576',
  'XFE1',
  'A1048577',
  'ZZZZZZZZ99999999',
  '1A',
  'A1:XFD1048576',
  '$A$1',
  '..',
  '../../../etc',
  '\\\\',
  '%00%FF',
  '&#0;',
  '&#xD800;',
  '&#x110000;',
  '&#99999999999;',
  '&amp',
  '&lol;',
  '&;',
  '_x0000_',
  '_xD800_',
  '_xFFFE_',
  '_x005F_x0041_',
  '\0',
  '\x1b[2J',
  '\ufffe',
  '\ufeff',
  '\u202e',
  '😀',
  '\ud800',
  '<',
  '>',
  ']]>',
  '<!--',
  '<![CDATA[',
  '<?',
  'true',
  'yes',
  'n',
  's',
  'b',
  'e',
  'd',
  '2958466',
  '-2958466',
  '1e15',
  '9007199254740993',
  '2027-13-45T99:99:99',
  '0000-00-00',
  '99999-01-01',
  '#N/A',
  '=1+1',
  'x'.repeat(70_000),
  '9'.repeat(40_000),
  '[h]:mm:ss'.repeat(2000),
  '"'.repeat(5000),
  'yyyy'.repeat(3000),
];

function matches(xml: string, pattern: RegExp): RegExpExecArray[] {
  return [...xml.matchAll(pattern)];
}

/** Replaces one match of a pattern, if there is any. */
function replaceOne(xml: string, random: Random, pattern: RegExp, by: (found: string) => string): string {
  const found = matches(xml, pattern);
  if (found.length === 0) return xml;
  const one = random.pick(found);
  return xml.slice(0, one.index) + by(one[0]) + xml.slice(one.index + one[0].length);
}

const insert: Mutation = (xml, random) => {
  const at = random.below(xml.length + 1);
  return xml.slice(0, at) + random.pick(GARBAGE) + xml.slice(at);
};

const cut: Mutation = (xml, random) => xml.slice(0, random.below(xml.length + 1));

const attribute: Mutation = (xml, random) =>
  replaceOne(xml, random, /="[^"]*"/g, () => `="${random.pick(GARBAGE)}"`);

const attributeName: Mutation = (xml, random) =>
  replaceOne(xml, random, / [a-zA-Z:]+=/g, () =>
    random.pick([' r=', ' t=', ' s=', ' x:r=', ' =', ' xmlns=', ' xmlns:x=', ' hidden=']),
  );

const text: Mutation = (xml, random) =>
  replaceOne(xml, random, />[^<]+</g, () => `>${random.pick(GARBAGE)}<`);

const dropTag: Mutation = (xml, random) => replaceOne(xml, random, /<[^>]*>/g, () => '');

/** What was repeated before may be long already: so much of it is as good as all of it. */
const MOST = 32_000_000;

function repeated(text: string, times: number): string {
  return text.repeat(Math.min(times, Math.max(2, Math.floor(MOST / text.length))));
}

const repeatTag: Mutation = (xml, random) =>
  replaceOne(xml, random, /<[^>]*>/g, (tag) => repeated(tag, random.pick([2, 3, 300, 20_000])));

const repeatElement: Mutation = (xml, random) =>
  replaceOne(xml, random, /<(\w+)[^>]*>[^<]*<\/\1>|<\w[^>]*\/>/g, (tag) =>
    repeated(tag, random.pick([2, 300, 20_000, 200_000])),
  );

/** A row or group of columns with all that is in it, once more. */
const repeatWhole: Mutation = (xml, random) =>
  replaceOne(xml, random, /<(row|cols|si|comment|mergeCells)\b[^>]*[^/]>.*?<\/\1>/gs, (element) =>
    repeated(element, random.pick([2, 2, 300])),
  );

/** A row, cell or note in the place of another one. */
const samePlace: Mutation = (xml, random) => {
  const places = matches(xml, / (?:r|ref)="[A-Z]*\d+"/g).map(([place]) => place);
  if (places.length === 0) return xml;
  return replaceOne(xml, random, / (?:r|ref)="[A-Z]*\d+"/g, () => random.pick(places));
};

const nest: Mutation = (xml, random) => {
  const depth = random.pick([10, 250, 256, 257, 10_000, 100_000]);
  const name = random.pick(['a', 'row', 'c', 'is', 'r', 'si', 'sheetData', 'x:y']);
  const inside = `<${name}>`.repeat(depth) + (random.oneIn(3) ? '' : `</${name}>`.repeat(depth));
  return replaceOne(xml, random, />/g, () => `>${inside}`);
};

const renameTag: Mutation = (xml, random) =>
  replaceOne(xml, random, /<\/?[a-zA-Z:]+/g, (tag) =>
    tag.replace(
      /[a-zA-Z:]+/,
      random.pick(['row', 'c', 'v', 'f', 'is', 't', 'si', 'sheet', 'x:c', 'C', 'sheetData']),
    ),
  );

const declaration: Mutation = (xml, random) => {
  const encoding = random.pick([
    'UTF-16',
    'UTF-8',
    'ISO-8859-1',
    'EBCDIC',
    'utf-7',
    'Shift_JIS',
    'x'.repeat(100),
    '',
  ]);
  return `<?xml version="1.0" encoding="${encoding}"?>${xml.replace(/^<\?xml[^>]*>/, '')}`;
};

const prefixes: Mutation = (xml, random) => {
  const prefix = random.pick(['x', 'r', 'ss', 'xml']);
  const all = xml.replace(/<(\/?)([a-zA-Z]\w*)/g, `<$1${prefix}:$2`);
  return random.oneIn(2) ? all : all.replace(/ xmlns="/, ` xmlns:${prefix}="`);
};

const longText: Mutation = (xml, random) =>
  replaceOne(xml, random, />[^<]*</g, () => `>${'lang '.repeat(random.pick([7000, 200_000, 1_000_000]))}<`);

/** How often what a part lists comes: at, above and far above what the format allows. */
const COUNTS = [500, 4001, 16_385, 65_491, 100_001, 1_048_577, 3_000_000];

/** An empty element so many times: of those that the part holds, or another one that a part may list. */
const countElement: Mutation = (xml, random) => {
  const names = matches(xml, /<([\w:]+)[ />]/g).map(([, name]) => name as string);
  const name = random.pick([
    ...(names.length > 0 ? [random.pick(names)] : []),
    'xf',
    'col',
    'mergeCell',
    'si',
    'sheet',
    'Relationship',
    'Override',
    'definedName',
    'dataValidation',
    'cfRule',
    'hyperlink',
    'comment',
    'tablePart',
    'brk',
    'row',
    'c',
    'a:x',
    'v:shape',
    'numFmt',
    'font',
  ]);
  const attributes = random.pick([
    '',
    '',
    ' r="A1"',
    ' ref="A1:B2"',
    ' min="1" max="9"',
    ' id="1" Id="x" Target="a"',
  ]);
  const many = repeated(`<${name}${attributes}/>`, random.pick(COUNTS));
  return replaceOne(xml, random, /<\/\w|<\w[^>]*>/g, (tag) =>
    tag.startsWith('</') ? many + tag : tag + many,
  );
};

const ENTITY = (name: string, value: string): string => `<!ENTITY ${name} "${value}">`;

/** Declarations that unfold to gigabytes, by levels or by one long text, or that fetch from elsewhere. */
const BOMBS: readonly string[] = [
  ENTITY('l0', 'lol') +
    Array.from({ length: 20 }, (_, at) => ENTITY(`l${at + 1}`, `&l${at};`.repeat(10))).join('') +
    ENTITY('lol2', '&l20;'),
  ENTITY('lol2', 'a'.repeat(100_000)),
  '<!ENTITY lol2 "&lol2;&lol2;">',
  '<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd">%p;<!ENTITY lol2 SYSTEM "file:///dev/zero">',
  '<!ENTITY % a "<!ENTITY lol2 \'x\'>">%a;',
  `<!ATTLIST c r CDATA "A1">${'<!ELEMENT c ANY>'.repeat(5000)}<!ENTITY lol2 "">`,
];

const bomb: Mutation = (xml, random) => {
  const start = xml.indexOf('<', xml.indexOf('?>') + 1);
  const used = replaceOne(
    xml,
    random,
    />[^<]+</g,
    () => `>${'&lol2;'.repeat(random.pick([1, 1000, 50_000]))}<`,
  );
  const type = random.oneIn(4)
    ? '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">'
    : `<!DOCTYPE x [${random.pick(BOMBS)}]>`;
  return used.slice(0, start) + type + used.slice(start);
};

const otherCase: Mutation = (xml, random) =>
  replaceOne(xml, random, random.pick([/="[^"]*"/g, /<\/?[\w:]+/g, / [\w:]+=/g]), (found) =>
    random.oneIn(2) ? found.toUpperCase() : found.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  );

const ALL: readonly Mutation[] = [
  insert,
  insert,
  cut,
  attribute,
  attribute,
  attribute,
  attributeName,
  text,
  text,
  dropTag,
  repeatTag,
  repeatElement,
  repeatWhole,
  samePlace,
  nest,
  renameTag,
  declaration,
  prefixes,
  countElement,
  countElement,
  bomb,
  bomb,
  otherCase,
];

/** An XML part changed in one to three ways, as bytes; sometimes in another encoding than it says. */
export function mutateXml(content: Buffer, random: Random): Buffer {
  let xml = content.toString('utf8');
  for (let count = 1 + random.below(3); count > 0 && xml.length < 4_000_000; count--)
    xml = (random.oneIn(60) ? longText : random.pick(ALL))(xml, random);
  if (random.oneIn(20)) return Buffer.from(`${random.oneIn(2) ? '\ufeff' : ''}${xml}`, 'utf16le');
  return random.oneIn(20) ? Buffer.from(xml, 'latin1') : Buffer.from(xml);
}
