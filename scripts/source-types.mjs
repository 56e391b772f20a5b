// The types of src as the compiler reads them, for the pages and the schema that are made of them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API, SymbolFlags } from 'typescript/unstable/sync';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Types are printed whole. */
const NO_TRUNCATION = 1;
export const TYPE_SECTION = SymbolFlags.Interface | SymbolFlags.TypeAlias | SymbolFlags.Class;

export const api = new API({ cwd: ROOT });
const [project] = api.updateSnapshot({ openProject: join(ROOT, 'tsconfig.build.json') }).getProjects();
export const { checker, program } = project;
export const unaliased = (symbol) =>
  symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

export const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
/** What the comment above a declaration says. */
export const docOf = (symbol) => oneLine(symbol.getDocumentationComment(checker));

/** The declarations of a symbol that stand in this package. */
export const declarationsOf = ({ declarations }) =>
  declarations
    .filter(({ path }) => path.includes('/src/') && !path.includes('/node_modules/'))
    .map((handle) => handle.resolve(project));

/** A type as it is written, without comments, on one line. */
export const written = (node) =>
  oneLine(node.getText().replace(/\/\*[\s\S]*?\*\//g, ''))
    .replace(/^\| /, '')
    .replace(/([(<]) /g, '$1')
    .replace(/,? ([)>])/g, '$1');
/** A type as the compiler says it. */
export const printed = (type, flags = 0) =>
  checker.typeToString(type, undefined, NO_TRUNCATION | flags).replaceAll('"', "'");
