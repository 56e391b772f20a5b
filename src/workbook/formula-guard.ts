/** What a spreadsheet program takes for the begin of a formula, perhaps guarded already. */
const FORMULA = /^'*[=+\-@\t\r]/;
const APOSTROPHE = 39;

/** A text of a CSV that a spreadsheet program would run as a formula is preceded by an apostrophe. */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that was guarded. */
export function unguarded(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && FORMULA.test(text) ? text.slice(1) : text;
}
