/** What can be linked to an event: its number, name, text on the quotation and price. */
export interface Arrangement {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly price: number;
}

const NAMES: readonly (readonly [name: string, price: number])[] = [
  ['Ontvangst met koffie en gebak', 7.5],
  ['Lunchbuffet', 18.95],
  ['Lunchbuffet luxe', 24.5],
  ['Vergaderarrangement dagdeel', 29.95],
  ['Vergaderarrangement hele dag', 49.5],
  ['Borrel met hapjes', 16.25],
  ['Walking dinner', 47.5],
  ['Barbecue', 32.5],
  ['Barbecue luxe', 41],
  ['Diner drie gangen', 44.95],
  ['Diner vier gangen', 54.95],
  ['Stamppotbuffet', 22.5],
  ['High tea', 26.75],
  ['Koffietafel', 19.95],
  ['Bruiloft compleet', 119],
  ['Drankenpakket 3 uur', 21],
  ['Drankenpakket 5 uur', 31.5],
  ['Foodtruck friet', 8.75],
  ['Late snack', 6.95],
  ['Kinderfeest', 12.5],
];

/** Arrangements 1 to 20. */
export const ARRANGEMENTS: readonly Arrangement[] = NAMES.map(([name, price], index) => ({
  id: index + 1,
  name,
  description: `${name}, prijs per persoon`,
  price,
}));
