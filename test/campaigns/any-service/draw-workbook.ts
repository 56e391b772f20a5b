import type { Random } from '../../second-service/random.ts';
import type { SecondService } from '../../second-service/second-service.ts';
import type { Kind } from '../../second-service/types.ts';
import type { Draws } from './draws.ts';

/** What a cell holds. */
export type Cell = string | number | boolean | null;

/** One row of a drawn workbook, and what it is meant to come to. */
export interface RowSpec {
  readonly sheet: string;
  /** The row's number in its sheet. */
  row: number;
  readonly kind: Kind;
  readonly does: 'create' | 'update' | 'delete' | 'post' | 'count';
  /** Every request that comes from this row has this number in it. */
  readonly token: number;
  readonly cells: Readonly<Record<string, Cell>>;
  /** The record it is about, where that was there before. */
  readonly target?: number;
}

/** Added to the number of a row in the fields that hold whole numbers. */
export const MANAGER = 70_000;
/** Added to the number of a row in the count of a link. */
export const AMOUNT = 1000;

/** What records hold that no row speaks of, and that is there afterwards. */
export const KEPT = { Offertetekst: 'Blijft', OPK: 3 } as const;

/** Draws the rows of a workbook, after putting there what they are about. */
export class WorkbookDraw {
  readonly rows: RowSpec[] = [];
  readonly #service: SecondService;
  readonly #random: Random;
  // Added to the number of a row in its ExternalID: a number of a till, or a bar code that 32 bits can't hold.
  readonly #external: number;
  readonly #isSmall: boolean;
  #token = 0;

  constructor(draws: Draws, service: SecondService, isSmall: boolean) {
    this.#service = service;
    this.#isSmall = isSmall;
    this.#random = draws.random('workbook');
    this.#external = draws.has('bits') ? 8_712_345_000_000 : 800_000;
    const parts = [
      () => this.#packages(),
      () => this.#recipes(),
      () => this.#events(),
      () => this.#mutations(),
      () => this.#counts(),
      () => this.#trips(),
    ];
    const sure = isSmall ? this.#random.pick(parts) : undefined;
    const chosen = parts.filter((part) => part === sure || this.#random.chance(isSmall ? 0.1 : 0.5));
    for (const part of chosen.length > 0 ? chosen : parts) part();
  }

  #packages(): void {
    const random = this.#random;
    const { add } = this.#service;
    const keyed = random.pick(['ExternalID', 'ExternalID', '#key', 'none']);
    this.#draw(2, 7, ['Pakketten', 'package', 'create'], (token) => {
      const OmschrijvingIntern = this.#name('P', token);
      return {
        ...this.#keyCells(keyed, token),
        OmschrijvingIntern,
        ProductTypeID: 1,
        Verkoopprijs: random.pick([10.125, 12.5, 9.995, 7.1, 0.05, 12_345_678.91, 24]),
        ...(random.chance(0.5) && { OmschrijvingExtern: this.#name('P', token) }),
        ...(random.chance(0.3) && { Offertetekst: `Regel ${token}\nTweede regel ` }),
        ...(random.chance(0.3) && { Volume: random.pick([0, 1.5, 2.25]) }),
        ...(random.chance(0.3) && { Actief: random.chance(0.8) }),
      };
    });
    this.#draw(0, 4, ['Pakketten', 'package', 'update'], (token) => ({
      ProductID: add.package({ OmschrijvingIntern: `Oud ${token}`, ExternalID: 300_000 + token, ...KEPT }),
      OmschrijvingIntern: this.#name('U', token),
      Verkoopprijs: 20.125,
    }));
    this.#draw(0, 3, ['Pakketten', 'package', 'delete'], (token) => ({
      ...{ ProductID: add.package({ OmschrijvingIntern: `Weg ${token}` }), '#action': 'delete' },
    }));
  }

  #recipes(): void {
    const random = this.#random;
    const keyed = random.pick(['ExternalID', '#key', 'none']);
    this.#draw(1, 6, ['Recepten', 'recipe', 'create'], (token) => ({
      ...this.#keyCells(keyed, token),
      OmschrijvingIntern: this.#name('R', token),
      ProductCategorieID: 11,
      ProductEenheidWaardeID: 501,
      Gewicht: random.pick([0.25, 0.333, 1]),
      OPK: random.pick([1, 4]),
      ...(random.chance(0.5) && { Verkoopprijs: random.pick([3.005, 4.25]) }),
    }));
    this.#draw(0, 3, ['Recepten', 'recipe', 'update'], (token) => ({
      ProductID: this.#service.add.recipe({ OmschrijvingIntern: `Oud ${token}`, ...KEPT }),
      OmschrijvingIntern: this.#name('U', token),
      Verkoopprijs: 5.125,
    }));
  }

  #events(): void {
    const random = this.#random;
    const keyed = random.pick(['ExternalID', 'ExternalID', '#key', 'none']);
    const day = (token: number) => `2027-0${1 + (token % 9)}-${10 + (token % 18)}`;
    const made: number[] = [];
    this.#draw(1, 6, ['Evenementen', 'event', 'create'], (token) => {
      made.push(token);
      return {
        ...this.#keyCells(keyed, token),
        RelatieID: 4001,
        ContactpersoonID: 6001,
        Datum: day(token),
        Starttijd: `${day(token)} 12:00`,
        Eindtijd: `${day(token)} 15:30`,
        AccountmanagerID: MANAGER + token,
        ...(random.chance(0.7) && { PartijOmschrijving: this.#name('E', token), AantalGasten: 20 + token }),
      };
    });
    this.#draw(0, 3, ['Evenementen', 'event', 'update'], (token) => ({
      PartijID: this.#service.add.event({ Datum: day(token), PartijOmschrijving: `Oud ${token}` }),
      PartijOmschrijving: this.#name('U', token),
      AantalGasten: 90 + token,
    }));
    if (random.chance(0.7)) this.#links(keyed === 'ExternalID' ? made : [], day);
  }

  #links(made: readonly number[], day: (token: number) => string): void {
    const { add } = this.#service;
    const parent = add.event({ Datum: '2027-04-04', PartijOmschrijving: 'Ouder' });
    this.#draw(1, 5, ['Arrangementen', 'link', 'create'], (token) => {
      const own = made[token % (made.length + 1)];
      const event = own === undefined ? { PartijID: parent } : { 'Event.ExternalID': this.#external + own };
      const ArrangementID = add.package({ OmschrijvingIntern: `Te koppelen ${token}` });
      return { ...event, ArrangementID, Aantal: AMOUNT + token, Datum: day(own ?? token) };
    });
    this.#draw(
      ...([0, 2, ['Arrangementen', 'link', 'update']] as const),
      (token) => ({
        PartijID: parent,
        ArrangementID: add.package({ OmschrijvingIntern: `Gekoppeld ${token}` }),
        Aantal: AMOUNT + token,
      }),
      ({ ArrangementID }) => add.link(parent, Number(ArrangementID), { Aantal: 3, Datum: '2027-04-04' }),
    );
  }

  #mutations(): void {
    const random = this.#random;
    const isKeyed = random.chance(0.5);
    const product = this.#service.add.recipe({ OmschrijvingIntern: 'Met voorraad' });
    this.#service.add.stock(product, 100);
    this.#draw(1, 6, ['Voorraadmutaties', 'mutation', 'post'], (token) => ({
      ...(isKeyed && { '#key': `m${token}` }),
      ProductID: product,
      WerknemerID: 12,
      DatumTijd: '2026-03-31 08:00',
      AantalRekeneenheid: random.pick([1, 2.5, -3]),
      MutatieCategorieID: 4901,
      MutatieReden: this.#name('M', token),
    }));
  }

  #counts(): void {
    const random = this.#random;
    this.#draw(1, 5, ['Voorraadtelling', 'mutation', 'count'], (token) => {
      const product = this.#service.add.recipe({ OmschrijvingIntern: `Geteld ${token}` });
      this.#service.add.stock(product, 50);
      return {
        ProductID: product,
        GeteldRekeneenheid: random.pick([48, 51.5, 50, 0]),
        WerknemerID: 12,
        DatumTijd: '2026-03-31 07:45',
        MutatieCategorieID: 4901,
        MutatieReden: `C${token} Telling`,
      };
    });
  }

  /** Trips are made by the service alone. */
  #trips(): void {
    const { add } = this.#service;
    this.#draw(1, 4, ['Ritten', 'trip', 'update'], (token) => ({
      RitID: add.trip({ Datum: '2027-03-01', Chauffeur: `Oud ${token}` }),
      Datum: '2027-03-01',
      Chauffeur: this.#name('T', token),
      RetourRit: true,
    }));
    this.#draw(0, 2, ['Ritten', 'trip', 'delete'], (token) => ({
      RitID: add.trip({ Datum: '2027-03-02', Chauffeur: `Weg ${token}` }),
      Datum: '2027-03-02',
      '#action': 'delete',
    }));
  }

  /** Some rows of one kind; what they update or delete is named by their first cell, unless it is told. */
  #draw(
    least: number,
    most: number,
    [sheet, kind, does]: readonly [string, Kind, RowSpec['does']],
    cellsOf: (token: number) => Record<string, Cell>,
    targetOf = (cells: Record<string, Cell>): number => Number(Object.values(cells)[0]),
  ): void {
    const isThere = does === 'update' || does === 'delete';
    const end = this.#isSmall ? least + 1.5 : most + 1;
    for (let times = Math.floor(this.#random.between(least, end)); times > 0; times -= 1) {
      this.#token += 1;
      const row = 2 + this.rows.filter((one) => one.sheet === sheet).length;
      const cells = cellsOf(this.#token);
      const told = { sheet, row, kind, does, token: this.#token, cells };
      this.rows.push(isThere ? { ...told, target: targetOf(cells) } : told);
    }
  }

  #keyCells(keyed: string, token: number): Record<string, Cell> {
    if (keyed === 'ExternalID') return { ExternalID: this.#external + token };
    return { '#action': 'create', ...(keyed === '#key' && { '#key': `k${token}` }) };
  }

  /** A name that begins with the row's number, and then has what services do something to. */
  #name(letter: string, token: number): string {
    return `${letter}${token} ${this.#random.pick([
      'Soep van de dag',
      'Brood & beleg',
      'Twee  blanken ',
      'Cr\u00e8me br\u00fbl\u00e9e',
      'Cre\u0300me bru\u0302le\u0301e',
      'Lunch "op <maat>"',
      'Een heel lange omschrijving die ergens wordt afgekapt',
      'Taart \u{1f370} en \u20ac',
    ])}`;
  }
}

/** The rows as sheets for a workbook, each with all columns that one of its rows has. */
export function sheetsOf(rows: readonly RowSpec[]): Record<string, Cell[][]> {
  const sheets: Record<string, Cell[][]> = {};
  for (const sheet of new Set(rows.map((row) => row.sheet))) {
    const own = rows.filter((row) => row.sheet === sheet);
    const header = [...new Set(own.flatMap(({ cells }) => Object.keys(cells)))];
    sheets[sheet] = [header, ...own.map(({ cells }) => header.map((name) => cells[name] ?? null))];
  }
  return sheets;
}

/** The same row with another value, where it can be found again by what the service or the row itself names. */
export function otherValues(row: RowSpec): RowSpec {
  const { kind, cells, does } = row;
  const isFound = cells.ExternalID !== undefined || does === 'update' || kind === 'link';
  if (!isFound || (does !== 'create' && does !== 'update')) return row;
  const others: { readonly [K in Kind]?: RowSpec['cells'] } = {
    event: { LocatieID: 802 },
    link: { Datum: '2027-05-05' },
    trip: { RetourRit: false },
    package: { Verkoopprijs: 31.375 },
    recipe: { Verkoopprijs: 6.375 },
  };
  return { ...row, cells: { ...cells, ...others[kind] } };
}
