import type { Value, Values } from '../../core/value.ts';
import type { ProductName, StockRow } from './product.ts';

/**
 * What a row posts, in one shape whatever program saved the file: the product by one of its names, text without the blanks that programs change, moments to the second.
 */
export function contentOf(row: StockRow, product: ProductName | null): Values {
  const { resource } = row.mapping;
  const content: Record<string, Value> = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = row.values[name];
    if (field.create === 'none' || name === resource.product || value == null) continue;
    content[name] = field.codec.type === 'datetime' ? String(value).slice(0, 19) : plain(value);
  }
  if (product !== null) content[product.field] = product.value;
  return content;
}

function plain(value: Value): Value {
  if (typeof value === 'string') return value.normalize('NFC').replace(/\s+/g, ' ').trim();
  return typeof value === 'number' ? value + 0 : value;
}
