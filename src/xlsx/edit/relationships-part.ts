import { DECLARATION, escapeXml } from './xml-write.ts';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A relationship to add: its id, its whole type and its target. */
export interface NewRelationship {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

/** The lowest number from which no id `rId…` of a relationships part is taken. */
export function freeRelationship(part: string): number {
  return (
    Math.max(
      0,
      ...[...part.matchAll(/\sId\s*=\s*["']rId(\d{1,6})["']/gi)].map(([, number]) => Number(number)),
    ) + 1
  );
}

/** A relationships part, empty where there is none, with others added. */
export function withRelationships(part: string, added: readonly NewRelationship[]): string {
  if (added.length === 0) return part;
  const prefix = /<([\w.-]+:)?Relationships\b/.exec(part)?.[1] ?? '';
  const items = added
    .map(
      ({ id, type, target }) =>
        `<${prefix}Relationship Id="${id}" Type="${type}" Target="${escapeXml(target)}"/>`,
    )
    .join('');
  if (part === '') return `${DECLARATION}<Relationships xmlns="${PACKAGE}">${items}</Relationships>`;
  return insideRoot(part, `${prefix}Relationships`, items);
}

/** A part with XML put last inside its root. */
export function insideRoot(part: string, root: string, xml: string): string {
  const end = part.lastIndexOf(`</${root}`);
  if (end >= 0) return part.slice(0, end) + xml + part.slice(end);
  return part.replace(/\s*\/>\s*$/, () => `>${xml}</${root}>`);
}
