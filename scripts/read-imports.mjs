// Reads what a source file imports, for the picture of the rooms and for the tests that hold them.
import { parseAst } from 'rolldown/parseAst';

/**
 * The relative specifiers that a file's text imports, re-exports, names as a type or starts as a thread; `type` for one
 * that only its types are taken of. Throws for an import whose specifier can't be read from the text.
 */
export function readImports(text, lang = 'ts') {
  const found = [];
  const add = (source, type) => {
    const specifier = literalOf(source);
    if (specifier === undefined)
      throw new Error(`an import without a plain specifier: ${text.slice(source.start, source.end)}`);
    if (/^\.{1,2}\//.test(specifier)) found.push({ specifier, type });
  };
  visit(parseAst(text, { lang }), (node) => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.source) add(node.source, isOfTypes(node));
        break;
      case 'ImportExpression':
        add(node.source, false);
        break;
      case 'TSImportType':
        add(node.source ?? node.argument, true);
        break;
      case 'NewExpression':
        if (
          node.callee.name === 'URL' &&
          node.arguments.length === 2 &&
          literalOf(node.arguments[0]) !== undefined
        )
          add(node.arguments[0], false);
    }
  });
  return found;
}

/** Whether a declaration takes types alone. */
function isOfTypes({ importKind, exportKind, specifiers }) {
  if (importKind === 'type' || exportKind === 'type') return true;
  const kinds = (specifiers ?? []).map((one) => one.importKind ?? one.exportKind);
  return kinds.length > 0 && kinds.every((kind) => kind === 'type');
}

/** The text of a string, or of a template without a value in it. */
function literalOf(node) {
  if (node.type === 'TSLiteralType') return literalOf(node.literal);
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return typeof node.value === 'string' ? node.value : undefined;
}

function visit(node, take) {
  if (Array.isArray(node)) for (const one of node) visit(one, take);
  else if (typeof node === 'object' && node !== null) {
    if (typeof node.type === 'string') take(node);
    for (const value of Object.values(node)) visit(value, take);
  }
}
