const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** A text as the value of an attribute. */
export function escapeXml(text: string): string {
  return /[&<>"'\n\r\t]/.test(text) ? text.replace(/[&<>"'\n\r\t]/g, (one) => ENTITIES[one] ?? one) : text;
}

/** A text between tags; what XML can't hold must have been escaped already. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, (one) => ENTITIES[one] ?? one) : text;
}

/** The declaration that XML parts begin with. */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** One piece of text under a tag, with its outer blanks kept. */
export function textElement(tag: string, text: string): string {
  const kept = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : '';
  return `<${tag}${kept}>${escapeText(text)}</${tag}>`;
}
