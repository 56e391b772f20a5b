// Writes docs/api.md from src/index.ts: every function, value and type that the package exports, and the types
// of this package that they are made of. What they are called and look like comes from the compiler, what
// options say from the option table of the built program. It writes the JSON Schema of what --json prints too, from
// the same types. `api-page.mjs FOLDER` writes both there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { SymbolFlags } from 'typescript/unstable/sync';
import { FUNCTIONS } from '../dist/options/option.js';
import { flagHelp, OPTION_LIST } from '../dist/options/options.js';
import { jsonSchema } from './json-schema.mjs';
import {
  api,
  checker,
  declarationsOf,
  docOf,
  printed,
  program,
  ROOT,
  TYPE_SECTION,
  unaliased,
  written,
} from './source-types.mjs';

const [folder] = process.argv.slice(2);

/** A named type is printed as what it stands for. */
const IN_ALIAS = 8_388_608;
/** Types whose parts are the program's own: what only these name gets no section. */
const CLOSED =
  /^(ExportedKind|FinanceChanges|ImportPlan|Plan|OptionsOf|Workbook|Sheet|Endpoint|Field|FieldOptions|.*Resource)$/;
/** Names that say nothing more: options stand where they are taken. */
const UNSAID = new Set(['OptionsOf', 'ExportFinanceOptions', 'FieldOptions']);
/** A type that others name, and that takes no more than this, stands in one table with its like. */
const SHORT = 110;
/** A type that takes more than this is told by its name. */
const MOST_SAID = 400;

const index = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, 'src/index.ts')));
const exported = checker
  .getExportsOfModule(index)
  .map((symbol) => ({ name: symbol.name, symbol: unaliased(symbol) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
const isExported = ({ name }) => exported.some((one) => one.name === name);

const cell = (text) => text.replaceAll('|', '\\|');
const code = (text) => `\`${text}\``;
const fence = (text) => `\`\`\`ts\n${text}\n\`\`\``;
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

/** Types of this package that are met on the way, to be told of too. */
const met = new Map(
  exported.filter(({ symbol }) => symbol.flags & TYPE_SECTION).map(({ name, symbol }) => [name, symbol]),
);

/** The names of types of this package that a node writes; each is told of, unless a closed type names it. */
function namedIn(node, by) {
  const names = new Set();
  const visit = (one) => {
    if (one.kind === SyntaxKind.Identifier) {
      const found = checker.getSymbolAtLocation(one);
      const symbol = found === undefined ? undefined : unaliased(found);
      if (symbol !== undefined && symbol.flags & TYPE_SECTION && declarationsOf(symbol).length > 0) {
        if (!met.has(symbol.name) && !CLOSED.test(by) && !UNSAID.has(symbol.name))
          met.set(symbol.name, symbol);
        names.add(symbol.name);
      }
    }
    one.forEachChild(visit);
  };
  if (node !== undefined) visit(node);
  return [...names];
}

const withoutUndefined = (text) => text.replace(/ \| undefined$/, '');
const isUnion = (node) => node.kind === SyntaxKind.UnionType;
const isObject = (node) => node?.kind === SyntaxKind.TypeLiteral;

/** What a type written here holds: its object, `[]` in a list; undefined where it is written elsewhere. */
function holdsObject(node) {
  if (isObject(node)) return { literal: node, after: '' };
  if (node?.kind === SyntaxKind.TypeOperator) return holdsObject(node.type);
  if (node?.kind === SyntaxKind.ArrayType && isObject(node.elementType))
    return { literal: node.elementType, after: '[]' };
  return undefined;
}

/** A member as rows of a table: its name and type, and those of the members of an object written there. */
function memberRows(symbol, own, before = '') {
  const [declaration] = declarationsOf(symbol);
  const node = declaration?.type;
  const isOptional = (symbol.flags & SymbolFlags.Optional) !== 0;
  const name = `${before}${symbol.name}`;
  const inner = holdsObject(node);
  const row = (type, names = []) => [code(`${name}${isOptional ? '?' : ''}`), type, docOf(symbol), names];
  if (inner !== undefined) {
    const within = inner.literal.members.flatMap((member) =>
      memberRows(checker.getSymbolAtLocation(member.name), own, `${name}${inner.after}.`),
    );
    return [row(inner.after === '' ? 'an object' : 'a list of objects'), ...within];
  }
  if (declaration?.kind === SyntaxKind.MethodSignature) {
    return [row(code(signatureOf(symbol, declaration)), namedIn(declaration, own))];
  }
  // What only a schema of zod says is told by its members.
  if (node !== undefined && /\btypeof \w+Schema\b/.test(written(node))) {
    const members = checker.getPropertiesOfType(checker.getNonNullableType(checker.getTypeOfSymbol(symbol)));
    return [row('an object'), ...members.flatMap((member) => memberRows(member, own, `${name}.`))];
  }
  // A member of a schema names its type in what makes it.
  const names = namedIn(node ?? declaration?.initializer, own);
  const type = node === undefined ? typeSaid(symbol, names) : written(node);
  return [row(code(isOptional ? withoutUndefined(type) : type), names)];
}

/** A type as the compiler says it, or by its name where that takes a page. */
function typeSaid(symbol, names) {
  const type = printed(checker.getTypeOfSymbol(symbol));
  return type.length > MOST_SAID && names.length === 1 ? names[0] : type;
}

const signatureOf = (symbol, node) =>
  `(${node.parameters.map(written).join(', ')}) => ${written(node.type)}`.replaceAll(`${symbol.name}(`, '(');

const linkTo = (name) => `[${code(name)}](#${anchorOf(name)})`;

function anchorOf(name) {
  if (isShort(name)) return 'short-names';
  return exported.some((one) => one.name === name && isListed(one)) ? 'data-and-fields' : name.toLowerCase();
}

/** Links to the types that are named. */
function seeTypes(names, own) {
  const others = [...new Set(names)]
    .filter((name) => name !== own && !UNSAID.has(name) && met.has(name))
    .sort();
  return others.length === 0 ? [] : [`Types: ${others.map(linkTo).join(', ')}.`];
}

function membersPart(symbols, own) {
  const rows = symbols.flatMap((symbol) => memberRows(symbol, own));
  if (rows.length === 0) return [];
  const cells = rows.map(([name, type, text]) => [name, type, text]);
  return [
    table(['member', 'type', 'what it is'], cells),
    ...seeTypes(
      rows.flatMap((row) => row[3]),
      own,
    ),
  ];
}

/** The tables of options that are told of, with the function that they stand at. */
const told = new Map();

/** The options of a function's own, in the order of the option table. */
function optionsPart(name, properties) {
  const every = '[options of every function](#options-of-every-function)';
  const own = OPTION_LIST.filter(
    ({ functions }) => functions.includes(name) && functions.length < FUNCTIONS.length,
  );
  if (own.length === 0) return [`It takes the ${every}.`];
  const shown = optionTable(own, properties);
  const before = told.get(shown) ?? name;
  told.set(shown, before);
  if (before !== name) return [`It takes the options of ${linkTo(before)}.`];
  return [shown, `It takes the ${every} too.`];
}

function optionTable(options, properties) {
  const rows = options.map((option) => {
    const property = properties.find((one) => one.name === option.name);
    const isOptional = (property.flags & SymbolFlags.Optional) !== 0;
    const type = withoutUndefined(printed(checker.getTypeOfSymbol(property)));
    const usual = typeof option.initial === 'string' ? ` (default: ${code(option.initial)})` : '';
    return [code(`${option.name}${isOptional ? '?' : ''}`), code(type), `${flagHelp(option).en}${usual}`];
  });
  return table(['option', 'type', 'what it says'], rows);
}

function functionPart({ name, symbol }) {
  const type = checker.getTypeOfSymbol(symbol);
  const [signature] = checker.getSignaturesOfType(type, 0);
  const [declaration] = declarationsOf(symbol);
  const parameters = declaration.parameters ?? declaration.initializer?.parameters;
  const types = [
    ...(parameters ?? []).map((one) => one.type),
    declaration.type ?? declaration.initializer?.type,
  ];
  const last = signature.getParameters().at(-1);
  const isTable = FUNCTIONS.includes(name);
  const properties = isTable ? checker.getPropertiesOfType(checker.getTypeOfSymbol(last)) : [];
  const options = isTable ? optionsPart(name, properties) : [];
  const named = types.flatMap((node) => (node === undefined ? [] : namedIn(node)));
  const after = [...options.slice(-1), ...seeTypes(named)];
  return [
    `### ${code(name)}`,
    docOf(symbol),
    fence(headOf(name, declaration, type)),
    ...options.slice(0, -1),
    ...(after.length === 0 ? [] : [after.join(' ')]),
  ];
}

/** A function as it is called: `name(file: string, options?: …): Promise<…>`. */
function headOf(name, declaration, type) {
  if (declaration.parameters === undefined || declaration.type === undefined)
    return `${name}${printed(type).replace(/^(.*\)) => /, '$1: ')}`;
  const parameters = declaration.parameters.map((one) =>
    one.initializer === undefined ? written(one) : `${one.name.getText()}?: ${written(one.type)}`,
  );
  const generic = declaration.typeParameters ?? [];
  const own = generic.length === 0 ? '' : `<${generic.map(written).join(', ')}>`;
  const whole = `${name}${own}(${parameters.join(', ')}): ${written(declaration.type)}`;
  if (whole.length <= 100) return whole;
  return `${name}${own}(\n${parameters.map((one) => `  ${one},\n`).join('')}): ${written(declaration.type)}`;
}

function valuePart({ name, symbol }) {
  const [declaration] = declarationsOf(symbol);
  const type =
    declaration.type === undefined ? printed(checker.getTypeOfSymbol(symbol)) : written(declaration.type);
  const shown = type.replace(
    /^\{ (.*); \}$/,
    (_, members) => `{\n  ${members.replaceAll('; ', ';\n  ')};\n}`,
  );
  return [
    `### ${code(name)}`,
    docOf(symbol),
    fence(`const ${name}: ${shown}`),
    ...seeTypes(namedIn(declaration.type)),
  ];
}

/** The text of a declaration without the comments and the word `export`. */
const shownAs = (node) =>
  node
    .getText()
    .replace(/\s*\/\*[\s\S]*?\*\//g, '')
    .replace(/^export /, '')
    .replaceAll('\r\n', '\n')
    .trim();

/** The type that an interface adds to, where that is one for the others to be made of. */
function baseOf(declaration, name) {
  const [clause] = declaration.heritageClauses ?? [];
  const isPlain = clause?.types[0] === undefined || /\bz\.infer</.test(written(clause));
  return isExported({ name }) || isPlain ? undefined : clause;
}

function typePart(name, symbol) {
  const head = [`### ${code(name)}`, docOf(symbol)].filter((text) => text !== '');
  if (name === 'Plan') return head;
  const [declaration] = declarationsOf(symbol);
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const own = checker.getPropertiesOfType(type).filter((one) => declarationsOf(one).length > 0);
  if (isWritten(declaration, type, own)) {
    const shared = type.isUnionType() && own.every(({ declarations }) => declarations.length > 0) ? own : [];
    const alike = shared.filter((one) => declarationsOf(one).length === 1 && isUnion(declaration.type));
    const also = alike.length === 0 ? [] : ['Each has these:', ...membersPart(alike, name)];
    return [
      ...head,
      fence(shownAs(declaration)),
      ...seeTypes(namedIn(declaration.type, name), name),
      ...also,
    ];
  }
  const base = baseOf(declaration, name);
  if (base === undefined) return [...head, ...membersPart(own, name)];
  const added = declaration.members.map((member) => checker.getSymbolAtLocation(member.name));
  const also = namedIn(base).map(linkTo).join(' and ');
  return [...head, ...membersPart(added, name), `It has the members of ${also} too.`];
}

/** Whether a type is shown as it is written, and not by its members. */
function isWritten({ kind, typeParameters }, type, members) {
  if (kind !== SyntaxKind.TypeAliasDeclaration) return false;
  return (
    typeParameters !== undefined ||
    !(type.isObjectType() || type.isIntersectionType()) ||
    members.length === 0 ||
    checker.isArrayLikeType(type)
  );
}

/** Whether a type is only a name for what fits on a line. */
function isShort(name) {
  const symbol = met.get(name);
  if (symbol === undefined) return false;
  const [declaration] = declarationsOf(symbol);
  if (declaration.kind !== SyntaxKind.TypeAliasDeclaration) return false;
  const own = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return (
    isWritten(
      declaration,
      type,
      own.filter((one) => declarationsOf(one).length > 0),
    ) && written(declaration.type).length <= SHORT
  );
}

function shortRow(name) {
  const symbol = met.get(name);
  const [{ type, typeParameters = [] }] = declarationsOf(symbol);
  namedIn(type, name);
  const own = typeParameters.length === 0 ? '' : `<${typeParameters.map(written).join(', ')}>`;
  // What stands for the members of a list in the program is shown as what they are.
  const isPlain = typeParameters.length > 0 || !written(type).includes('typeof ');
  const shown = isPlain ? written(type) : printed(checker.getDeclaredTypeOfSymbol(symbol), IN_ALIAS);
  return [code(`${name}${own}`), code(shown), docOf(symbol)];
}

const byName = (a, b) => (a < b ? -1 : 1);
const isFunction = ({ symbol }) =>
  !(symbol.flags & TYPE_SECTION) &&
  checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), 0).length > 0;
const isValue = (one) => !isFunction(one) && !(one.symbol.flags & TYPE_SECTION);
/** Whether a name is for tools that work with the definitions of the service. */
const defines = ({ symbol }) =>
  symbol.declarations.some(({ path }) => /\/src\/(schema|resources)\//.test(path));

const isDefiner = (one) => isFunction(one) && one.name.startsWith('define');
/** Whether a name is plain data, or a function that makes a field: these stand in one table. */
const isListed = (one) => defines(one) && !(one.symbol.flags & TYPE_SECTION) && !isDefiner(one);
const typeOf = (symbol) => {
  const [{ type }] = declarationsOf(symbol);
  return type === undefined ? printed(checker.getTypeOfSymbol(symbol)) : written(type);
};

const everyOption = () => {
  const [{ symbol }] = exported.filter(({ name }) => name === 'checkService');
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), 0);
  const properties = checker.getPropertiesOfType(checker.getTypeOfSymbol(signature.getParameters()[0]));
  return optionTable(
    OPTION_LIST.filter(({ functions }) => functions.length === FUNCTIONS.length),
    properties,
  );
};

/** The whole page, of the types met so far. */
function pageNow() {
  told.clear();
  const work = exported.filter((one) => !defines(one));
  const definitions = exported.filter(defines);
  const types = [...met].map(([name, symbol]) => ({ name, symbol })).filter(({ name }) => !isShort(name));
  const sections = (chosen) =>
    chosen.sort((a, b) => byName(a.name, b.name)).flatMap(({ name, symbol }) => typePart(name, symbol));
  const others = work
    .filter((one) => isFunction(one) && !FUNCTIONS.includes(one.name))
    .map(({ name }) => linkTo(name));
  const listed = (names) => names.map(({ name }) => linkTo(name)).join(', ');
  const parts = [
    '<!-- Made by scripts/api-page.mjs from src/index.ts and the option table in src/options/. Change those, not this. -->',
    '# Functions and types of the package',
    'What the package exports, as the compiler reads it. [library.md](library.md) shows how it is used.',
    `Functions: ${listed(work.filter(isFunction))}.`,
    `Types: ${listed(work.filter(({ symbol }) => symbol.flags & TYPE_SECTION))}.`,
    `Definitions: ${listed(definitions)}.`,
    '## Functions',
    ...work.filter(isFunction).flatMap(functionPart),
    '## Options of every function',
    `Every function takes these but ${others.slice(0, -1).join(', ')} and ${others.at(-1)}.`,
    everyOption(),
    '## Values',
    ...work.filter(isValue).flatMap(valuePart),
    '## Types',
    ...sections(types.filter((one) => isExported(one) && !defines(one))),
    '## Definitions of the service',
    'For tools of your own that read what the program knows of the service.',
    ...definitions.filter(isDefiner).flatMap(functionPart),
    '### Data and fields',
    'Tables of what the program knows, and the functions that make a field.',
    table(
      ['name', 'type', 'what it is'],
      definitions
        .filter(isListed)
        .map(({ name, symbol }) => [code(name), code(typeOf(symbol)), docOf(symbol)]),
    ),
    ...sections(types.filter((one) => isExported(one) && defines(one))),
    '## What these are made of',
    'Types that those above name. The package does not export them.',
    ...sections(types.filter((one) => !isExported(one))),
    '## Short names',
    table(['name', 'type', 'what it is'], [...met.keys()].filter(isShort).sort(byName).map(shortRow)),
  ];
  return parts.join('\n\n');
}

/** The page once no type is met any more that it does not tell of. */
function wholePage() {
  for (let known = -1; known < met.size; ) {
    known = met.size;
    pageNow();
  }
  return pageNow();
}

const page = wholePage();
const schema = jsonSchema(join(ROOT, 'src/api/documents.ts'), 'Documents');
api.close();
if (folder !== undefined) mkdirSync(folder, { recursive: true });
writeFileSync(join(folder ?? join(ROOT, 'docs'), 'api.md'), `${page}\n`);
writeFileSync(join(folder ?? join(ROOT, 'schemas'), 'catersheet-1.schema.json'), schema);
