/** At most so many members are named, and so deep. */
const NAMED = 5;
const DEEPEST = 3;
/** What members are called; any other name may be a value. */
const NAME = /^(?:[A-Za-z_]\w{0,29}|\d{1,4})$/;

/**
 * What came in short, such as `{success: true, data: [19 × {Aantal: 2.5, …}]}`: names, numbers and flags, and
 * no texts, as those may be about people.
 */
export function outline(value: unknown, depth = 0): string {
  if (value === undefined) return '(nothing)';
  if (typeof value === 'string') return value === '' ? '""' : '"…"';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return ofList(value, depth);
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  if (depth === DEEPEST) return '{…}';
  const said = names.slice(0, NAMED).map((name) => {
    const member = (value as Record<string, unknown>)[name];
    return `${NAME.test(name) ? name : '…'}: ${outline(member, depth + 1)}`;
  });
  return `{${[...said, ...(names.length > NAMED ? ['…'] : [])].join(', ')}}`;
}

function ofList(list: readonly unknown[], depth: number): string {
  if (list.length === 0) return '[]';
  if (depth === DEEPEST) return '[…]';
  const first = outline(list[0], depth + 1);
  return list.length === 1 ? `[${first}]` : `[${list.length} × ${first}]`;
}
