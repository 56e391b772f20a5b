import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { type SourceFile, source } from './source.ts';

/** What a user is not called in Dutch: `je` and `jouw` are the words. */
const FORMAL = /(?<![\p{L}\p{N}_])(?:u|uw|uwe|uzelf)(?![\p{L}\p{N}_+])/iu;

/** The browser's part of the report, minified. */
const CODE: readonly string[] = ['import/report/page-parts.ts'];

/** The texts of a file that say `u` or `uw`; a string of one word is a name or a piece of code. */
function formalTexts({ path, lines }: Pick<SourceFile, 'path' | 'lines'>): string[] {
  return stringsIn(lines.join('\n'))
    .filter((text) => text.includes(' ') && FORMAL.test(text))
    .map((text) => `${path}: ${text}`);
}

/** Every string of a file, and every piece of a template. */
function stringsIn(text: string): string[] {
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
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

describe('the search for u and uw', () => {
  test.each([
    ["t('Check your file.', 'Kijk uw bestand na.')", ['a.ts: Kijk uw bestand na.']],
    ["t('You may go on.', 'U mag verder.')", ['a.ts: U mag verder.']],
    ["t('So you can.', 'Zo kunt u.')", ['a.ts: Zo kunt u.']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a file of src holds.
    ['t(`Your ${file}.`, `Uw ${file}.`)', ['a.ts: Uw ']],
    ["const words = { nl: 'De uwe is ' + 'klaar' };", ['a.ts: De uwe is ']],
    ["t('Check your file.', 'Kijk je bestand na, om 7 uur of nu.')", []],
    ["// uw bestand\nconst flag = 'u';", []],
  ])('%j holds %j', (text, expected) => {
    expect(formalTexts({ path: 'a.ts', lines: text.split('\n') })).toEqual(expected);
  });
});

test('Dutch says je and jouw, never u or uw', () => {
  expect(source.filter(({ path }) => !CODE.includes(path)).flatMap(formalTexts)).toEqual([]);
});
