/** What was read, so that contestants can be held against each other: counts, the sum of plain numbers, the characters of texts. */
export class Tally {
  rows = 0;
  cells = 0;
  numbers = 0;
  characters = 0;

  /** One value as the library gives it; a Date is counted only. */
  add(value) {
    if (value === null || value === undefined || value === '') return;
    this.cells++;
    if (typeof value === 'number') this.numbers += value;
    else if (typeof value === 'string') this.characters += value.length;
  }
}
