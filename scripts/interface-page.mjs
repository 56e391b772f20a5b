// Writes docs/interface.md: the service's interface by the definitions that the program itself works with.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allSheets, endpoints, lookups } from '../dist/resources/registry.js';
import { formOf } from '../dist/schema/answer.js';
import { LOOKUPS, NOTES, OPEN, PAGE, SECTIONS, SOURCES } from './interface-words.mjs';

const groupOf = ({ name }) => name.split('.')[0];
const code = (text) => `\`${text}\``;
const table = (headers, rows) => {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headers), line(headers.map(() => '---')), ...rows.map(line)].join('\n');
};
const listed = (texts, word = 'and') =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;

/** The name of a resource's request, such as `create`; undefined for what is none of its own. */
const partOf = (endpoint) => {
  const parts = allSheets.flatMap(({ requests }) => Object.entries(requests));
  return parts.find(([, request]) => request === endpoint)?.[0];
};

/** In this order: what an earlier one takes, a later one may take too. */
const SAMPLES = [
  ['file', new Blob(['menu'])],
  ['bool', true],
  ['float', 1.5],
  ['int', 7],
  ['date', '2027-04-28'],
  ['minute', '2027-04-28 11:30'],
  ['datetime', '2027-04-28 11:30:00'],
];

/** A member of a body by what it takes. */
function memberType(schema) {
  const takes = SAMPLES.filter(([, sample]) => schema.safeParse(sample).success).map(([type]) => type);
  return takes.includes('date') && takes.includes('minute') ? 'string' : (takes[0] ?? 'string');
}

/** What a request takes: the parts of its path that are text, and its body. */
function takesText(endpoint) {
  const texts = (endpoint.texts ?? []).map((name) => `${code(name)} string`);
  if (endpoint.body === undefined) return texts.join(', ');
  const part = partOf(endpoint);
  if (part === 'create' || part === 'update')
    return `the fields under ${part === 'create' ? 'Create' : 'Update'}`;
  const members = Object.entries(endpoint.body.shape).map(([name, schema]) => {
    const status = schema.safeParse(undefined).success ? ' (optional)' : '';
    return `${code(name)} ${memberType(schema)}${status}`;
  });
  return members.join(', ');
}

const isOpen = ({ name }) => OPEN.some(({ requests = [] }) => requests.includes(name));

function answerText(endpoint) {
  const { name, answer, effect } = endpoint;
  if (isOpen(endpoint)) return 'not shown';
  const { form } = formOf(answer) ?? {};
  if (form === 'list' || form === 'pages') return form === 'pages' ? 'pages of records' : 'records';
  if (name === 'arrangements.delete') return 'a flag';
  if (effect !== 'none') return name === 'trips.update' ? '`{}`' : 'its id and a flag';
  return name === 'stock.currenttotal' ? '`{total, success}`' : 'one record';
}

const TWICE = { none: 'only reads', same: 'the same as once', each: 'happens again' };

const requestTable = (some) =>
  table(
    ['Request', 'What it does', 'Takes', 'Answer', 'Sent twice'],
    some.map((endpoint) => [
      code(`${endpoint.method} ${endpoint.path}`),
      endpoint.summary.en.replaceAll(/\b(?:LMT|ExternalID|DEL|extension)\b/g, code),
      takesText(endpoint),
      answerText(endpoint),
      TWICE[endpoint.effect],
    ]),
  );

const TYPES = { integer: 'int', decimal: 'float', text: 'string', boolean: 'bool', datetime: 'datetime' };
const STATUS = {
  required: '**required**',
  optional: 'optional',
  dialect: 'some services',
  unsent: 'never sent',
  none: '–',
};
const READS = { both: 'detail, list', detail: 'detail', list: 'list', none: '–' };

function readText(resource, field) {
  if (field.refers !== undefined || !('listed' in resource)) return '–';
  const other = field.listName === undefined ? '' : ` as ${code(field.listName)}`;
  // Of records without a detail read of their own only lists tell.
  const { find, findById = find } = resource.requests;
  const single = findById !== undefined && !isOpen(findById);
  return `${single || field.reads === 'none' ? READS[field.reads] : 'list'}${other}`;
}

/** Columns of which a row has one, as a rule; undefined for the others. */
function amountStatus({ amounts = [] }, name) {
  const one = amounts.some(({ counted, sent }) => (counted ?? sent) === name);
  return one ? 'one of two' : undefined;
}

/** Where the values of a field come from: a path, or one of a create and one of an update. */
function sourceOf(resource, [name, { lookup }]) {
  const source = SOURCES[resource.name]?.[name];
  if (source !== undefined || lookup?.endpoint === undefined) return source;
  return lookup.endpoint.path.replace('{id}', String(lookup.dropdown ?? '{id}'));
}

function valuesText(resource, entry) {
  const [, { refers }] = entry;
  if (refers !== undefined) return `${listed(refers.resources, 'or')}; gives ${code(refers.sets)}`;
  const source = sourceOf(resource, entry);
  if (source === undefined || typeof source === 'string') return source === undefined ? '' : code(source);
  return `create ${code(source.create)}, update ${code(source.update)}`;
}

function fieldTable(resource) {
  const { fields, requests } = resource;
  const writes = ['create', 'update'].filter((part) => part in requests);
  // A command's sheet has one request of its own.
  const columns = writes.length > 0 ? writes : ['create'];
  const head = columns.map((part) =>
    writes.length === 0 ? 'Needed' : part === 'create' ? 'Create' : 'Update',
  );
  return table(
    ['Field', 'Type', ...head, 'Read', 'Values', 'Meaning'],
    Object.entries(fields).map(([name, field]) => [
      code(name),
      TYPES[field.codec.type],
      ...columns.map((part) => amountStatus(resource, name) ?? STATUS[field[part]]),
      readText(resource, field),
      valuesText(resource, [name, field]),
      field.help.en,
    ]),
  );
}

/** The members of a record by their types, then of each record that is nested in it. */
function recordTables(members, title) {
  const byType = new Map();
  const nested = new Map();
  for (const [name, member] of Object.entries(members)) {
    const type = typeof member === 'string' ? member : 'one' in member ? 'record' : 'list';
    byType.set(type, [...(byType.get(type) ?? []), code(name)]);
    if (typeof member === 'string') continue;
    const inside = member.one ?? member.many;
    nested.set(inside, [...(nested.get(inside) ?? []), name]);
  }
  const rows = [...byType].map(([type, names]) => [NAMED[type] ?? type, names.join(', ')]);
  const inner = [...nested].flatMap(([inside, names]) =>
    names.includes('event') && isEvent(inside)
      ? ['`event` is an event record as above, up to `AantalBlauweKasten`.']
      : recordTables(inside, `Members of ${listed(names.map(code))}:`),
  );
  return [`${title}\n\n${table(['Read as', 'Members'], rows)}`, ...inner];
}

const NAMED = {
  unknown: 'as it comes',
  record: 'a record, or null',
  list: 'a list of records, one, or null',
};
const events = allSheets.find(({ kind }) => kind === 'event');
const isEvent = (members) => Object.keys(members).every((name) => Object.hasOwn(events.listed, name));

function totalText() {
  const { answer } = endpoints.find(({ name }) => name === 'stock.currenttotal');
  return recordTables(formOf(answer).members, 'Members of `total`, one for each place:');
}

function openTable(section) {
  const rows = OPEN.filter((one) => one.section === section).map(({ open, copes }) => [open, copes]);
  return rows.length === 0 ? [] : [table(['Not shown', 'What the program does'], rows)];
}

function sheetText(resource) {
  const { sheet, name, about, command } = resource;
  const where =
    command === undefined ? `Sheet ${sheet}` : `Sheet ${sheet} of ${code(`catersheet ${command}`)}`;
  const title = command === undefined ? `#### Fields of ${name}` : `#### Columns of ${name}`;
  return [
    title,
    `${where}: ${about.en.replace(/^./, (first) => first.toLowerCase())}.`,
    fieldTable(resource),
  ];
}

/** The members of a single record, as the fields are read. */
function readTable({ fields }) {
  const read = Object.entries(fields).filter(([, { reads }]) => reads === 'both' || reads === 'detail');
  return recordTables(
    Object.fromEntries(read.map(([name, { codec }]) => [name, TYPES[codec.type]])),
    'Members:',
  );
}

function pageText() {
  return [
    'The body of both `allModified` requests has `LMT`, and two flags that may be left out:',
    table(['Flag', 'When left out', 'Meaning'], PAGE.flags),
    'An answer in pages is a list of one: a page.',
    table(['Member of a page', 'Holds'], PAGE.members),
  ];
}

const sheetOf = (name) => allSheets.find((resource) => resource.name === name);

function sectionText({
  at,
  title,
  groups = [],
  sheets = [],
  read,
  listed: list,
  total,
  lookups: hasLookups,
}) {
  const own = endpoints.filter((endpoint) => groups.includes(groupOf(endpoint)));
  return [
    at.includes('.') ? `### ${at} ${title}` : `## ${at}. ${title}`,
    own.length === 0 ? '' : requestTable(own),
    (NOTES[at] ?? []).map((note) => `- ${note}`).join('\n'),
    at === '2' ? TYPE_WORDS : '',
    ...(at === '4.3' ? pageText() : []),
    ...sheets.map(sheetOf).flatMap(sheetText),
    ...(read === undefined ? [] : readTable(sheetOf(read))),
    ...(list === undefined ? [] : recordTables(sheetOf(list).listed, 'Members of a record:')),
    ...(total ? ['#### What a total returns', ...totalText()] : []),
    ...(hasLookups ? lookupText() : []),
    ...openTable(at),
  ].filter((text) => text !== '');
}

function lookupText() {
  const users = ({ name, path }) => {
    const dropdown = path.startsWith('api/v1/dropdownvalue/');
    const fields = allSheets.flatMap((resource) =>
      Object.entries(resource.fields).flatMap((entry) => {
        const source = sourceOf(resource, entry);
        const [field, { lookup }] = entry;
        if (typeof source === 'object')
          return source.update === path && source.create !== path
            ? [`${code(field)} in an update`]
            : source.create === path
              ? [code(field)]
              : [];
        if (dropdown && lookup?.endpoint?.path === path)
          return lookup.dropdown === undefined ? [code(field)] : [`${code(field)} (${lookup.dropdown})`];
        return source === path ? [code(field)] : [];
      }),
    );
    return [[...new Set(fields)].join(', '), LOOKUPS[name] ?? ''].filter((text) => text !== '').join('; ');
  };
  return [
    '#### Lookups',
    'A lookup tells which number has which name. In a sheet either will do, where the program reads the list.',
    table(
      ['Request', 'For'],
      lookups.map((endpoint) => [code(`${endpoint.method} ${endpoint.path}`), users(endpoint)]),
    ),
    'A number in brackets is the `{id}` of a dropdown list.',
  ];
}

const TYPE_WORDS =
  'Types are int, float, string, bool, datetime, date (a day), minute (a moment without seconds) and file. ' +
  'Under *Create* and *Update*, *some services* means that this request is not known to take the field. ' +
  'Under *Values* is the request whose ids a field takes.';

const INTRODUCTION = [
  '<!-- Made by `npm run docs`; not to be edited. -->',
  '# The interface of the service',
  'This is the HTTP interface that catersheet works with, as its own definitions have it. ' +
    `It has ${endpoints.length} requests and ${lookups.length} lookups. \`catersheet interface\` prints the same as OpenAPI. ` +
    'Its descriptions, and comments in the source, name the sections of this page by their numbers.',
  '## 1. In general',
  [
    '- A path comes after the base URL. What stands in braces is a part of the path: a whole number, or text.',
    '- A body is JSON, except that of an upload.',
    '- To empty an optional field the program sends null. Whether the service takes null so is not shown.',
    '- `LMT` is when a record was last modified. The program never sets it.',
    '- `ExternalID` is your own number of a record, to find it again by.',
    '- Moments are `YYYY-MM-DD hh:mm:ss`, with or without milliseconds. The program takes them for local time, and sends no time zone.',
  ].join('\n'),
];

/** The sections, and one for each group of requests that the words say nothing of, by the resource of its name. */
function allSections() {
  const known = SECTIONS.flatMap(({ groups = [] }) => groups);
  const others = [...new Set(endpoints.map(groupOf))].filter((group) => !known.includes(group));
  const requests = SECTIONS.filter(({ at }) => at.startsWith('4.')).length;
  const made = others.map((group, index) => {
    const own = sheetOf(group);
    const title = group.replace(/^./, (first) => first.toUpperCase());
    const told = own === undefined ? {} : { sheets: [group], ...('listed' in own ? { listed: group } : {}) };
    return { at: `4.${requests + index + 1}`, title, groups: [group], ...told };
  });
  const after = SECTIONS.findIndex(({ at }) => at === '5');
  return [...SECTIONS.slice(0, after), ...made, ...SECTIONS.slice(after)];
}

/** The page as Markdown. */
function page() {
  return `${[...INTRODUCTION, ...allSections().flatMap(sectionText)].join('\n\n')}\n`;
}

const [folder = 'docs'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'interface.md'), page());
