// The JSON Schema (2020-12) of what the program prints with --json, made from the types of those documents:
// their comments are its descriptions.
import { SymbolFlags } from 'typescript/unstable/sync';
import { checker, declarationsOf, docOf, printed, program } from './source-types.mjs';

/** The version, raised when a key goes or means something else; a key that is added leaves it. */
const VERSION = 1;
/** Types that stand under a name of their own. */
const PARTS = {
  ChangeDocument: 'change',
  ComesToDocument: 'comesTo',
  Counts: 'counts',
  IssueDocument: 'issue',
  LedgerHolds: 'holds',
  RowDocument: 'row',
  SheetDocument: 'sheet',
};
/** Texts of which there are more with time: no schema is to refuse those. */
const OPEN_TEXTS = new Set(['IssueCode']);
/** Numbers that are ids, of which the service tells how they run; all others but amounts count something. */
const IDS = new Set(['id', 'key']);
const AMOUNTS = new Set(['from', 'to', 'percent', 'worth', 'more', 'less', 'total']);
const WIDTH = 110;

const TYPES = new Map([
  [checker.getStringType().id, 'string'],
  [checker.getNumberType().id, 'number'],
  [checker.getNullType().id, 'null'],
]);

/** Makes the schema of the documents that the members of an interface name. */
export function jsonSchema(file, name) {
  const [declaration] = program
    .getSourceFile(file)
    .statements.filter((statement) => statement.name?.text === name);
  const documents = checker.getPropertiesOfType(checker.getTypeAtLocation(declaration));
  const defs = {};
  const refer = (part) => ({ $ref: `#/$defs/${part}` });
  const partOf = (type) => PARTS[(type.getAliasSymbol() ?? type.getSymbol())?.name];

  function schemaOf(type, member) {
    const part = partOf(type);
    if (part === undefined) return plainSchema(type, member);
    // Named before it is made, so that it stands before its own parts.
    if (defs[part] === undefined) {
      defs[part] = {};
      const says = docOf(type.getAliasSymbol() ?? type.getSymbol());
      defs[part] = { description: says, ...plainSchema(type, member) };
    }
    return refer(part);
  }

  function plainSchema(type, member) {
    if (type.isUnionType()) return unionSchema(type.getTypes(), member);
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return { const: type.value };
    const simple = TYPES.get(type.id) ?? (printed(type) === 'boolean' ? 'boolean' : undefined);
    if (simple === 'number' && !AMOUNTS.has(member))
      return IDS.has(member) ? { type: 'integer' } : { type: 'integer', minimum: 0 };
    if (simple !== undefined) return { type: simple };
    if (checker.isArrayLikeType(type))
      return { type: 'array', items: schemaOf(checker.getTypeArguments(type)[0], member) };
    return objectSchema(type);
  }

  function unionSchema(types, member) {
    const given = types.filter((one) => printed(one) !== 'undefined');
    if (given.length === 1) return schemaOf(given[0], member);
    const isBoolean = (one) => one.isBooleanLiteralType() || printed(one) === 'boolean';
    if (given.every((one) => one.isStringLiteralType() || one.isNumberLiteralType()))
      return { enum: given.map(({ value }) => value) };
    const simple = given.map((one) => (isBoolean(one) ? 'boolean' : TYPES.get(one.id)));
    if (simple.includes(undefined)) return { anyOf: given.map((one) => schemaOf(one, member)) };
    const names = [...new Set(simple)].sort((a, b) => (a === 'null') - (b === 'null'));
    if (names.length === 1) return { type: names[0] };
    const isCount = names.includes('number') && !names.includes('string') && !AMOUNTS.has(member);
    return { type: isCount ? names.map((one) => (one === 'number' ? 'integer' : one)) : names };
  }

  function objectSchema(type) {
    const [index] = checker.getIndexInfosOfType(type);
    if (index !== undefined)
      return { type: 'object', additionalProperties: schemaOf(index.valueType, undefined) };
    const members = checker.getPropertiesOfType(type);
    if (members.length === 0) throw new Error(`${printed(type)} has no members to describe.`);
    const properties = members.map((symbol) => {
      const says = docOf(symbol);
      const [{ type, initializer } = {}] = declarationsOf(symbol);
      const isOpen = OPEN_TEXTS.has(type?.getText() ?? /<(\w+)>/.exec(initializer?.getText())?.[1]);
      const made = isOpen ? { type: 'string' } : schemaOf(checker.getTypeOfSymbol(symbol), symbol.name);
      // Words beside a reference would make a type of its own of it, in what makes types of a schema.
      return [symbol.name, says === '' || made.$ref !== undefined ? made : { description: says, ...made }];
    });
    const required = members.filter(({ flags }) => (flags & SymbolFlags.Optional) === 0);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: required.map((one) => one.name),
    };
  }

  for (const symbol of documents) {
    const made = schemaOf(checker.getTypeOfSymbol(symbol), symbol.name);
    defs[symbol.name] = { description: docOf(symbol), ...made };
  }
  const record = {
    description: 'A line of an export as NDJSON: a record as the service gives it',
    type: 'object',
  };
  return shown({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:catersheet:schemas:${VERSION}`,
    title: `What catersheet prints with --json, version ${VERSION}`,
    description:
      'Each document stands under $defs. A key that is added is no new version; one that goes or changes its meaning is.',
    anyOf: documents.map((symbol) => refer(symbol.name)),
    $defs: { ...defs, record },
  });
}

/** JSON as the formatter has it: a list of plain values that fits stands on one line. */
function shown(document) {
  const text = JSON.stringify(document, null, 2);
  const lists = text.replace(/^( *)(.*)\[([^[\]{}]*)\](,?)$/gm, (whole, indent, before, inside, after) => {
    const one = `${indent}${before}[${oneLineOf(inside)}]${after}`;
    return one.length <= WIDTH ? one : whole;
  });
  return `${lists}\n`;
}

const oneLineOf = (text) => text.trim().replace(/\s*\n\s*/g, ' ');
