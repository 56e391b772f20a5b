/** What spreadsheet programs show for an error, in the languages of those who use this. */
const WORDS: ReadonlySet<string> = new Set(
  [
    ['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#VALUE!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#FIELD!'],
    ['#GETTING_DATA', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!'],
    ['#N/B', '#VERW!', '#NAAM?', '#DEEL/0!', '#WAARDE!', '#GETAL!', '#LEEG!', '#OVERLOOP!', '#BEREKENEN!'],
    ['#VELD!', '#GEBLOKKEERD!', '#ONBEKEND!'],
  ].flat(),
);

/** LibreOffice's errors that have no name. */
const NUMBERED = /^Err:\d{3}$/;

const HASH = 35;
const CAPITAL_E = 69;

/** True for text, without outer blanks, that is nothing but a spreadsheet's error: a CSV has no other way to hold one. */
export function isErrorWord(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === HASH) return WORDS.has(text.toUpperCase());
  return first === CAPITAL_E && NUMBERED.test(text);
}
