import type { PartGraph } from './part-graph.ts';

/** A worksheet, as what others say of it is looked for. */
export interface GraphSheet {
  readonly name: string;
  readonly part: string;
  /** The names of its tables. */
  readonly tables: readonly string[];
  /** It stays whatever refers to it. */
  readonly stays: boolean;
  /** It holds texts alone. */
  readonly silent: boolean;
}

/**
 * The sheets that stay, and those that they count on for their formulas, lists to choose from and charts; `texts` are the formulas of the workbook's own
 * names. Throws DamagedPart.
 */
export async function neededSheets<Sheet extends GraphSheet>(
  graph: PartGraph,
  sheets: readonly Sheet[],
  texts: readonly string[],
): Promise<Set<Sheet>> {
  const names = texts.join('\n').toLowerCase();
  const needed = new Set(sheets.filter((sheet) => sheet.stays || mentionOf(sheet).test(names)));
  for (const sheet of needed) {
    if (sheet.silent) continue;
    const parts = [sheet.part, ...(await graph.reach([sheet.part], () => false))];
    for (const part of parts) {
      if (!/\.xml$/i.test(part)) continue;
      const others = sheets.filter((one) => !needed.has(one));
      const found = await graph.mentions(part, others.map(mentionOf));
      for (const at of found) needed.add(others[at] as Sheet);
    }
  }
  return needed;
}

/** What a formula holds that names cells of a sheet: alone, as the first of several, or as a table of it. For texts in lower case. */
export function mentionOf({ name, tables }: Pick<GraphSheet, 'name' | 'tables'>): RegExp {
  const own = literal(name.replaceAll("'", "''"));
  const all = [`${own}(?:'?!|:[^!<>"]{1,64}!)`, ...tables.map((table) => `${literal(table)}\\[`)];
  return new RegExp(all.join('|'));
}

/** A text as a regular expression for it in lower case. */
export const literal = (text: string): string => text.toLowerCase().replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
