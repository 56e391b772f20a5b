import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { COMMAND_LIST } from '../../src/options/commands.ts';
import { langOf, type SourceFile, source } from './source.ts';

/** What a user is not called in Dutch: `je` and `jouw` are the words. */
const FORMAL = /(?<![\p{L}\p{N}_])(?:u|uw|uwe|uzelf)(?![\p{L}\p{N}_+])/iu;

/** The texts of a file that say `u` or `uw`; a string of one word is a name or a piece of code. */
function formalTexts({ path, lines }: Pick<SourceFile, 'path' | 'lines'>): string[] {
  return stringsIn(lines.join('\n'), langOf(path))
    .filter((text) => text.includes(' ') && FORMAL.test(text))
    .map((text) => `${path}: ${text}`);
}

/** Every string of a file, and every piece of a template. */
function stringsIn(text: string, lang: 'ts' | 'tsx'): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { type?: unknown; value?: unknown };
    if (type === 'Literal' && typeof value === 'string') found.push(value);
    else if (type === 'TemplateElement') found.push((value as { raw: string }).raw);
    else for (const one of Object.values(node)) visit(one);
  };
  visit(parseAst(text, { lang }));
  return found;
}

/** A text in both languages, as it is written: what stands in `${}` is left out. */
interface Pair {
  readonly en: string;
  readonly nl: string;
}

/** Every `t(…)`, every `say(…)` of the page and every `{ en: …, nl: … }` of texts in a file. */
function pairsIn(text: string, lang: 'ts' | 'tsx' = 'ts'): Pair[] {
  const found: Pair[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const said = languagesOf(node as AstNode);
    const [en, nl] = said.map(writtenIn);
    if (en !== undefined && nl !== undefined) found.push({ en, nl });
    for (const one of Object.values(node)) visit(one);
  };
  visit(parseAst(text, { lang }));
  return found;
}

interface AstNode {
  readonly type?: string;
  readonly [key: string]: unknown;
}

function languagesOf({ type, callee, arguments: given, properties }: AstNode): unknown[] {
  if (type === 'CallExpression' && ['t', 'say'].includes(String((callee as AstNode).name)))
    return given as unknown[];
  if (type !== 'ObjectExpression') return [];
  const said = (name: string): unknown =>
    (properties as AstNode[]).find(({ key }) => (key as AstNode | undefined)?.name === name)?.value;
  return [said('en'), said('nl')];
}

/** The text that an expression makes, with a blank for each part that is not written there. */
function writtenIn(node: unknown): string | undefined {
  const { type, value, quasis, body, left, right } = (node ?? {}) as AstNode;
  if (type === 'Literal') return typeof value === 'string' ? value : undefined;
  if (type === 'TemplateLiteral')
    return (quasis as { value: { raw: string } }[]).map(({ value: { raw } }) => raw).join('{x}');
  if (type === 'ArrowFunctionExpression') return writtenIn(body);
  if (type !== 'BinaryExpression') return undefined;
  const [first, last] = [writtenIn(left), writtenIn(right)];
  return first === undefined && last === undefined ? undefined : `${first ?? '{x}'}${last ?? '{x}'}`;
}

/** Everything in both languages, by the file that says it. */
const pairs = source.flatMap(({ path, lines }) =>
  pairsIn(lines.join('\n'), langOf(path)).map((pair) => ({ path, ...pair })),
);

/** The pairs of which something is wrong, with what. */
const wrong = (find: (pair: Pair) => string | undefined): string[] =>
  pairs.flatMap((pair) => {
    const what = find(pair);
    return what === undefined ? [] : [`${pair.path}: ${what}: ${pair.nl}`];
  });

/** A word that is no placeholder, no address and no flag. */
const SAID = /(?:^|\s)\p{L}{3,}(?=\s|$)/gu;

const untranslated = ({ en, nl }: Pair): string | undefined =>
  en === nl && (en.match(SAID) ?? []).length > 1 ? 'the same in both languages' : undefined;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What is typed in a terminal: a flag, the program with one of its commands, and the key that ends it. */
const TYPED = new RegExp(
  `(?<![\\w-])--(?:[a-z]|\\{x\\})|catersheet (?:\\{x\\}|${COMMAND_LIST.map(([name]) => kebab(name)).join('|')})(?![\\w-])|Ctrl-C`,
);

const typed = ({ en, nl }: Pair): string | undefined =>
  TYPED.test(en) || TYPED.test(nl) ? 'a command in the sentence itself' : undefined;

/** Texts that no page shows: of the commands, options and documents, a workbook's guide, and the page's own. */
const NOT_ON_PAGE = /^(?:cli|options|openapi)\/|^template\/guide\.ts$|^desk\/page\/|^resources\/finance\.ts$/;

/** All that runs with the page's server. */
function withDesk(): ReadonlySet<string> {
  const byPath = new Map(source.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const other of byPath.get(path)?.values ?? []) visit(other);
  };
  for (const { path } of source) if (path.startsWith('desk/')) visit(path);
  return seen;
}

test('a text that is the same in both languages is found', () => {
  const both = "t('The row is not sent.', 'The row is not sent.'), t('Use it.', 'Gebruik het.')";
  expect(pairsIn(both).map(untranslated)).toEqual(['the same in both languages', undefined]);
});

test('Every text is in both languages', () => {
  expect(pairs.length).toBeGreaterThan(1000);
  expect(wrong(untranslated)).toEqual([]);
});

describe('the search for commands on the page', () => {
  test.each([
    ["t('Name it with --out.', 'Noem het met --out.')", true],
    ["withFlag(t('Name it.', 'Noem het.'), '--out')", false],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a file of src holds.
    ['t(`catersheet apply ${run}`, `catersheet apply ${run}`)', true],
  ])('%j: %j', (text, found) => {
    expect(pairsIn(text).some((pair) => typed(pair) !== undefined)).toBe(found);
  });
});

test('What names a command and may come on the page has it behind the sentence, which the page leaves out', () => {
  const desk = withDesk();
  expect(desk.size).toBeGreaterThan(300);
  const shown = pairs.filter(({ path }) => desk.has(path) && !NOT_ON_PAGE.test(path));
  expect(shown.flatMap((pair) => (typed(pair) === undefined ? [] : [`${pair.path}: ${pair.en}`]))).toEqual(
    [],
  );
});

describe('the search for u and uw', () => {
  test.each([
    ["t('Check your file.', 'Kijk uw bestand na.')", ['a.ts: Kijk uw bestand na.']],
    ["t('So you can.', 'Zo kunt u.')", ['a.ts: Zo kunt u.']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a file of src holds.
    ['t(`Your ${file}.`, `Uw ${file}.`)', ['a.ts: Uw ']],
    ["t('Check your file.', 'Kijk je bestand na, om 7 uur of nu.')", []],
    ["// uw bestand\nconst flag = 'u';", []],
  ])('%j holds %j', (text, expected) => {
    expect(formalTexts({ path: 'a.ts', lines: text.split('\n') })).toEqual(expected);
  });
});

test('Dutch says je and jouw, never u or uw', () => {
  expect(source.flatMap(formalTexts)).toEqual([]);
});
