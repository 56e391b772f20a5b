/** Ids and names of the company's short lists. Some names are the same twice or nearly so, as in real companies. */
export type NamedList = readonly (readonly [id: number, name: string])[];

export const PRODUCT_TYPES: NamedList = [
  [1, 'Buffet'],
  [2, 'Arrangement'],
  [3, 'Los gerecht'],
  [4, 'Recept'],
];

export const PRODUCT_CATEGORIES: NamedList = [
  [1, 'Soepen'],
  [2, 'Salades'],
  [3, 'Barbecue'],
  [4, 'Buffetten'],
  [5, 'Vleesgerechten'],
  [6, 'Visgerechten'],
  [7, 'Desserts'],
  [8, 'Hapjes koud'],
  [9, 'Hapjes warm'],
  [10, 'Feestdagen'],
  [11, 'Dranken'],
  [12, 'Dranken'],
];

/** The group that tells the two categories of drinks apart. */
export const CATEGORY_GROUPS: Readonly<Record<number, string>> = { 11: 'Alcoholvrij', 12: 'Bar' };

export const ACTION_CATEGORIES: NamedList = [
  ...PRODUCT_CATEGORIES,
  [13, 'Snijden en voorbereiden'],
  [14, 'Portioneren'],
];

export const UNITS: NamedList = [
  [1, 'kilogram'],
  [2, 'gram'],
  [3, 'liter'],
  [4, 'milliliter'],
  [5, 'stuks'],
  [6, 'portie'],
];

export const UNIT_SYMBOLS: Readonly<Record<number, string>> = {
  1: 'kg',
  2: 'g',
  3: 'l',
  4: 'ml',
  5: 'st',
  6: 'port',
};

export const DEPARTMENTS: NamedList = [
  [1, 'Warme keuken'],
  [2, 'Koude keuken'],
  [3, 'Patisserie'],
  [4, 'Magazijn'],
  [5, 'Bar'],
];

/** Dropdown lists by their number. The interface gives 49, 96 and 97; the other numbers are this company's. */
export const DROPDOWNS: Readonly<Record<number, NamedList>> = {
  20: [
    [201, 'stuk'],
    [202, 'schaal'],
    [203, 'bak'],
    [204, 'emmer'],
  ],
  30: [
    [301, 'Gekoeld bewaren, max. 4 °C'],
    [302, 'Gekoeld bewaren, max. 7 °C'],
    [303, 'Diepvries, -18 °C'],
    [304, 'Droog en koel bewaren'],
  ],
  31: [
    [311, '1 dag'],
    [312, '2 dagen'],
    [313, '3 dagen'],
    [314, '5 dagen'],
  ],
  40: [
    [401, 'Inclusief btw'],
    [402, 'Exclusief btw'],
    [403, 'Btw verlegd'],
  ],
  41: [
    [411, 'Website'],
    [412, 'Telefoon'],
    [413, 'Beurs'],
    [414, 'Vaste klant'],
  ],
  42: [
    [421, 'Bruiloft'],
    [422, 'Bedrijfsfeest'],
    [423, 'Congres'],
    [424, 'Uitvaart'],
    [425, 'Jubileum'],
  ],
  43: [
    [431, 'Op locatie, binnen'],
    [432, 'Op locatie, tent'],
    [433, 'Buitenlucht'],
  ],
  49: [
    [4901, 'Telling'],
    [4902, 'Derving'],
    [4903, 'Correctie'],
    [4904, 'Inkoop'],
    [4905, 'Intern gebruik'],
  ],
  96: [
    [9601, 'Bezorgen'],
    [9602, 'Ophalen'],
    [9603, 'Opbouw'],
    [9604, 'Afbouw'],
  ],
  97: [
    [9701, 'Bestelbus'],
    [9702, 'Bestelbus koel'],
    [9703, 'Bakwagen'],
    [9704, 'Aanhanger'],
  ],
};

/** Employees have no endpoint of their own; stock mutations and account managers name them. */
export const EMPLOYEES: NamedList = [
  [11, 'Anouk Hendriks'],
  [12, 'Rik Vermeulen'],
  [13, 'Fatima El Amrani'],
  [14, 'Joris de Boer'],
];
