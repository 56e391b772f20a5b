/** What was read, so that contestants can be held against each other: counts, the sum of plain numbers, the characters of texts. */
export class Tally {
  rows = 0;
  cells = 0;
  numbers = 0;
  characters = 0;

  /** A row of values as the library gives them. */
  addRow(values) {
    this.rows++;
    for (let at = 0; at < values.length; at++) this.add(values[at]);
  }

  /** One value as the library gives it; a Date is counted only. */
  add(value) {
    if (value === null || value === undefined || value === '') return;
    this.cells++;
    if (typeof value === 'number') this.numbers += value;
    else if (typeof value === 'string') this.characters += value.length;
  }
}
