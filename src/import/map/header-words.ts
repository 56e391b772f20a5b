import { normaliseHeader } from '../../core/header.ts';
import { readOnly } from '../../schema/field.ts';
import type { Resource } from '../../schema/resource.ts';

/** What people call a column, in Dutch and in English, separated by commas. */
type FieldWords = readonly [nl: string, en: string];

/** The words for the fields of one resource. */
type ResourceWords = Readonly<Record<string, FieldWords>>;

/**
 * A number of one's own, as shops, tills and stock programs call it. What an article has on it is another: only
 * lists tell it (interface 2.5).
 */
const OWN_NUMBER: FieldWords = [
  'productnummer, productnr, prodnr, eigen nummer, extern nummer, extern id, kassanummer, kassacode, plu, plucode, nummer, nr, code',
  'product number, product no, plu code, external number, external id, ext id, own number, reference number',
];

const ARTICLE: FieldWords = [
  'artikelnummer, artikelnr, artikel nr, art nr, art nummer, artnr, artikelcode, art code, artikel code, productcode, code, ean, ean code, ean nummer, barcode, bar code, barcodenummer, streepjescode, gtin, sku',
  'article number, article no, article code, item number, item no, item code, product code, code, ean, ean code, barcode, bar code, gtin, upc, sku',
];
/** An article number of somebody else, as products have it. */
const OTHERS: FieldWords = [
  'artikelnummer leverancier, artikelnr leverancier, artikelcode leverancier, leveranciersnummer, leverancierscode, leveranciersartikelnummer, extern artikelnummer, artikelnummer extern, ean, ean code, ean nummer, barcode, bar code, barcodenummer, streepjescode, gtin',
  'supplier article number, supplier code, supplier number, supplier item number, external article number, ean, ean code, barcode, bar code, gtin, upc',
];

const SYSTEM_NUMBER: FieldWords = [
  'systeemnummer, nummer in het systeem, intern nummer, intern id, product id',
  'system number, system id, internal number, internal id',
];

const NAME: FieldWords = [
  'omschrijving, productomschrijving, artikelomschrijving, interne omschrijving, omschrijving keuken, naam, productnaam, artikelnaam, interne naam, naam keuken, benaming, product, artikel, titel, oms, omschr',
  'description, product description, item description, item name, internal description, name, product name, internal name, kitchen name, title, product, item',
];

const PRICE: FieldWords = [
  'prijs, verkoopprijs, verkoop, vkp, vk prijs, vkprijs, stukprijs, eenheidsprijs, prijs per stuk, prijs pp, prijs per persoon, prijs p p, tarief, adviesprijs, consumentenprijs',
  'price, sales price, sale price, selling price, sell price, unit price, retail price, list price, price each, price per person, rate',
];

const CATEGORY: FieldWords = [
  'categorie, productcategorie, artikelgroep, productgroep, hoofdgroep, groep, rubriek, assortimentsgroep, omzetgroep',
  'category, product category, group, product group, item group, item category, department group',
];

const ACTIVE: FieldWords = [
  'actief, in gebruik, in assortiment, beschikbaar, geactiveerd',
  'active, in use, enabled, available, is active',
];

const PRODUCT = {
  ProductID: SYSTEM_NUMBER,
  ExternalID: OWN_NUMBER,
  Artikelnummer: ARTICLE,
  ArtikelnummerExtern: OTHERS,
  OmschrijvingIntern: NAME,
  Verkoopprijs: PRICE,
  ProductCategorieID: CATEGORY,
} satisfies ResourceWords;

const PACKAGES: ResourceWords = {
  ...PRODUCT,
  OmschrijvingIntern: [
    `${NAME[0]}, pakket, pakketnaam, arrangement, arrangementnaam`,
    `${NAME[1]}, package, package name`,
  ],
  ExternalID: [`${OWN_NUMBER[0]}, pakketnummer, pakketnr, pakketcode`, `${OWN_NUMBER[1]}, package number`],
  ProductTypeID: [
    'soort, type, producttype, productsoort, soort product, artikelsoort',
    'type, product type, kind',
  ],
  OmschrijvingExtern: [
    'omschrijving extern, externe omschrijving, omschrijving gast, naam gast, naam voor de gast, externe naam, menutekst, naam op menukaart, naam op offerte',
    'external description, guest name, name for the guest, public name, external name, display name, menu name',
  ],
  Actief: ACTIVE,
  Offertetekst: [
    'tekst offerte, tekst op offerte, offerte omschrijving, lange omschrijving, uitgebreide omschrijving, verkooptekst',
    'quotation text, quote text, long description, sales text',
  ],
  InterneOpmerking: [
    'opmerking, opmerkingen, notitie, notities, interne notitie, memo',
    'remark, remarks, note, notes, internal note, comment, comments',
  ],
  Volume: ['inhoud, volume', 'volume, contents'],
  OpnemenInOfferte: [
    'op offerte, in offerte, tonen op offerte',
    'on quotation, in quotation, on quote, show on quote',
  ],
};

const RECIPES: ResourceWords = {
  ...PRODUCT,
  OmschrijvingIntern: [
    `${NAME[0]}, recept, receptnaam, gerecht, gerechtnaam, naam gerecht`,
    `${NAME[1]}, recipe, recipe name, dish, dish name`,
  ],
  ExternalID: [
    `${OWN_NUMBER[0]}, receptnummer, receptnr, receptcode`,
    `${OWN_NUMBER[1]}, recipe number, recipe code`,
  ],
  ProductEenheidWaardeID: [
    'producteenheid, eenheid, verkoopeenheid, besteleenheid, verpakking',
    'product unit, unit, sales unit, uom, packaging',
  ],
  RekenEenheidID: [
    'rekeneenheid, basiseenheid, receptuureenheid',
    'unit of calculation, base unit, recipe unit',
  ],
  Gewicht: [
    'gewicht, gewicht per stuk, nettogewicht, netto gewicht, gewicht kg',
    'weight, net weight, weight per piece, weight kg',
  ],
  OPK: ['o p k', 'opk'],
  PerStukWeergeven: ['per stuk, per stuk tonen', 'per piece, show per piece'],
  Chargegrootte: ['charge, batch, batchgrootte, portiegrootte charge', 'batch size, batch, yield'],
  MinimaleProductieHoeveelheid: [
    'minimale productie, minimum productie, min productie',
    'minimum production, min production, smallest production',
  ],
  SubAfdelingID: [
    'afdeling, subafdeling, keukenafdeling, keuken',
    'department, sub department, kitchen, section',
  ],
  THTDagenDroog: ['tht droog, houdbaarheid droog, houdbaar droog', 'shelf life dry, dry shelf life'],
  THTDagen: [
    'tht, tht dagen, houdbaarheid, houdbaar, houdbaarheid dagen, dagen houdbaar, houdbaar dagen',
    'shelf life, shelf life days, shelf life in days, best before days',
  ],
  VoorraadProduct: [
    'voorraad bijhouden, op voorraad houden, voorraadartikel',
    'stock item, stocked, kept in stock, track stock',
  ],
  MinimaalVoorraad: [
    'minimumvoorraad, minimale voorraad, min voorraad, minimum voorraad, bestelpunt',
    'minimum stock, min stock, reorder point, reorder level',
  ],
  MaximaalVoorraad: [
    'maximumvoorraad, maximale voorraad, max voorraad, maximum voorraad',
    'maximum stock, max stock',
  ],
};

/** The event of a row, by the number of the service or by one's own. */
const EVENT_NUMBER: FieldWords = [
  'partijnummer, partij, partij id, evenement id, evenementnummer in het systeem',
  'party id, party number, event id',
];

const OWN_EVENT_NUMBER: FieldWords = [
  'evenementnummer, evenementnr, eventnummer, eventnr, boekingsnummer, boekingnr, reserveringsnummer, ordernummer, opdrachtnummer, projectnummer, extern nummer, extern id',
  'event number, event no, booking number, booking no, reservation number, order number, project number, external number, external id',
];

const DAY: FieldWords = [
  'dag, datum, dag van het evenement, evenementdatum, eventdatum, uitvoerdatum, leverdatum, datum evenement',
  'day, date, event date, date of event, delivery date',
];

const EVENTS: ResourceWords = {
  PartijID: EVENT_NUMBER,
  ExternalID: OWN_EVENT_NUMBER,
  RelatieID: [
    'relatie, relatienummer, klant, klantnummer, klantnr, klant id, debiteur, debiteurnummer, opdrachtgever',
    'customer, customer number, customer no, customer id, client, client id, relation',
  ],
  ContactpersoonID: [
    'contactpersoon, contact, contact id, contactpersoonnummer',
    'contact, contact person, contact id',
  ],
  Datum: DAY,
  Starttijd: [
    'start, begin, begintijd, aanvang, aanvangstijd, van, tijd van, startuur',
    'start, start time, begin, begin time, from, starts at',
  ],
  Eindtijd: ['einde, eind, eindtijd, tot, tijd tot, einduur', 'end, end time, until, finish, ends at'],
  PartijOmschrijving: [
    'omschrijving, naam, evenement, naam evenement, titel, evenementnaam, event, eventnaam, onderwerp',
    'description, name, event, event name, title, subject',
  ],
  AantalGasten: [
    'gasten, aantal personen, personen, aantal pers, pax, aantal deelnemers, deelnemers, aantal',
    'guests, number of guests, persons, people, pax, covers, headcount, attendees',
  ],
  AantalKinderen: ['kinderen', 'children, kids, number of children'],
  WerkelijkAantalGasten: [
    'werkelijk aantal, werkelijke gasten, gekomen gasten, werkelijk aantal personen, opkomst',
    'actual guests, guests who came, actual number of guests, turnout',
  ],
  AantalGastenDefinitief: [
    'aantal definitief, gasten definitief, definitief aantal',
    'guests final, final number, number is final',
  ],
  LocatieID: ['locatie, locatienummer, zaal, ruimte, locatie id', 'location, venue, room, location id'],
  StatusID: ['status, statusnummer', 'status, state'],
  MateriaalOpmerkingen: [
    'opmerkingen materiaal, materiaal, opmerking materiaal',
    'equipment remarks, remarks on equipment, equipment notes',
  ],
  KeukenOpmerkingen: [
    'opmerkingen keuken, opmerking keuken, dieetwensen, allergieen, dieten',
    'kitchen remarks, kitchen notes, remarks for the kitchen, dietary wishes, allergies, diets',
  ],
  Opmerkingen: [
    'opmerking, notitie, notities, bijzonderheden, memo',
    'remark, remarks, note, notes, comment, comments',
  ],
  KostenplaatsID: ['kostenplaats, kostenplaatsnummer', 'cost centre, cost center'],
  TypeWaardeID: [
    'soort, type, soort evenement, type evenement, eventtype',
    'type, event type, type of event, kind',
  ],
  BronWaardeID: ['bron, herkomst', 'source, origin'],
  AccountmanagerID: ['accountmanager, verkoper', 'account manager, sales manager'],
};

/** The product of a stock row by one's own number. */
const STOCK = {
  ProductID: SYSTEM_NUMBER,
  'Product.ExternalID': OWN_NUMBER,
  'Product.Artikelnummer': [`${ARTICLE[0]}, ${OTHERS[0]}`, `${ARTICLE[1]}, ${OTHERS[1]}`],
  WerknemerID: [
    'werknemer, werknemernummer, medewerker, medewerkernummer, personeelsnummer, teller, geteld door, geteld door nummer, wie, door, naam teller, ingevoerd door',
    'employee, employee number, employee no, staff number, counted by, counter, who, by, entered by',
  ],
  DatumTijd: [
    'datum, datum en tijd, datum tijd, tijdstip, moment, wanneer, datum telling, teldatum, geteld op, datum mutatie, mutatiedatum, boekdatum, boekingsdatum, tijd',
    'date, date and time, date time, datetime, timestamp, time, when, count date, date counted, counted on, counted at, posting date, mutation date',
  ],
  MutatieCategorieID: [
    'categorie, mutatiecategorie, soort, soort mutatie, mutatiesoort, type mutatie',
    'category, mutation category, type, kind, kind of mutation, type of mutation',
  ],
  MutatieReden: [
    'reden, waarom, opmerking, toelichting, mutatiereden, reden mutatie, oorzaak, notitie, reden telling',
    'reason, why, remark, explanation, comment, note, cause',
  ],
} satisfies ResourceWords;

const [AMOUNTS, AMOUNTS_EN] = [
  'hoeveelheid, stand, voorraad, totaal',
  'amount, quantity, qty, number, count, stock',
];
/** A count without its unit may be in either. */
const COUNTED: FieldWords = [
  `${AMOUNTS}, geteld, aantal geteld, geteld aantal, getelde hoeveelheid, getelde voorraad, telling, teltotaal`,
  `${AMOUNTS_EN}, counted, counted quantity, quantity counted, counted amount, amount counted, on hand, qty counted, physical count`,
];

const STOCK_COUNT: ResourceWords = {
  ...STOCK,
  GeteldRekeneenheid: [
    `${COUNTED[0]}, geteld in rekeneenheden, aantal rekeneenheden, aantal kg, kilo, geteld kg, geteld rekeneenheden`,
    `${COUNTED[1]}, counted units of calculation, counted base units, counted kg`,
  ],
  GeteldProducteenheid: [
    `${COUNTED[0]}, geteld in producteenheden, aantal producteenheden, aantal verpakkingen, aantal dozen, dozen, geteld producteenheden`,
    `${COUNTED[1]}, counted product units, counted packs, counted boxes, boxes`,
  ],
};

const STOCK_MUTATIONS: ResourceWords = {
  ...STOCK,
  AantalRekeneenheid: [
    `aantal, ${AMOUNTS}, mutatie, verschil, aantal rekeneenheden, aantal kg, kilo`,
    `${AMOUNTS_EN}, mutation, difference, units of calculation, amount in kg`,
  ],
  AantalProducteenheid: [
    `aantal, ${AMOUNTS}, mutatie, verschil, aantal producteenheden, aantal verpakkingen, aantal dozen, dozen`,
    `${AMOUNTS_EN}, mutation, difference, product units, number of packs, boxes`,
  ],
};

const ARRANGEMENTS: ResourceWords = {
  PartijID: EVENT_NUMBER,
  'Event.ExternalID': OWN_EVENT_NUMBER,
  ArrangementID: [
    'arrangement, arrangementnummer, arrangementnr, pakket, pakketnummer, pakketnr, arrangement id',
    'package, package number, package id, arrangement, arrangement number',
  ],
  Aantal: [
    'hoeveelheid, aantal personen, personen, gasten, pax, aantal pers',
    'quantity, qty, amount, number, persons, people, guests, pax, how many',
  ],
  Datum: DAY,
  OfferteOmschrijving: [
    'omschrijving, omschrijving offerte, offertetekst, tekst offerte',
    'description, quotation description, quote text, description on the quotation',
  ],
};

const TRIPS: ResourceWords = {
  RitID: ['rit, ritnummer, ritnr, rit id', 'trip, trip number, trip no, trip id'],
  Chauffeur: ['bestuurder, rijder, wie rijdt, naam chauffeur', 'driver, driver name, name of driver'],
  TypeVoertuigID: [
    'voertuig, type voertuig, voertuigtype, auto, bus, wagen, soort voertuig',
    'vehicle, vehicle type, type of vehicle, car, van type',
  ],
  SubtypeRitID: [
    'soort rit, ritsoort, subtype, subtype rit, type rit',
    'trip type, type of trip, trip subtype, subtype',
  ],
  RetourRit: ['retour, heen en terug, retourrit', 'return, return trip, round trip'],
};

const DOCUMENTS: ResourceWords = {
  PartijID: EVENT_NUMBER,
  'Event.ExternalID': OWN_EVENT_NUMBER,
  Datum: DAY,
  Submap: ['map, folder, map bij het evenement, doelmap', 'folder, directory, sub folder, target folder'],
  Document: [
    'bestand, bestandsnaam, pad, bijlage, naam bestand',
    'file, file name, filename, path, attachment',
  ],
};

const INVOICES: ResourceWords = {
  id: [
    'factuurnummer, factuurnr, factnr, factuur, factuur id, nummer',
    'invoice number, invoice no, invoice, invoice id, number',
  ],
  extension: ['bestandstype, soort bestand, extensie, formaat', 'file type, kind of file, format'],
};

const REFRESHES: ResourceWords = {
  PartijID: EVENT_NUMBER,
  'Event.ExternalID': OWN_EVENT_NUMBER,
  Datum: DAY,
};

/**
 * What a kitchen, a storekeeper and a planner call the columns of each resource, in their own lists and in
 * exports of other programs. A word that fits two fields stands with both: which is meant only they know.
 */
const HEADER_WORDS: Readonly<Record<string, ResourceWords>> = {
  packages: PACKAGES,
  recipes: RECIPES,
  events: EVENTS,
  'stock-mutations': STOCK_MUTATIONS,
  'stock-count': STOCK_COUNT,
  arrangements: ARRANGEMENTS,
  trips: TRIPS,
  documents: DOCUMENTS,
  invoices: INVOICES,
  refresh: REFRESHES,
};

/** A header longer than this is a sentence. */
const LONGEST = 60;

/** Marks above letters, which people leave out. */
const ACCENTS = /\p{M}/gu;
const NOT_A_LETTER = /[^\p{L}\p{N}]/gu;
/** Units and remarks: `Prijs (excl. btw)`. */
const BRACKETS = /\([^)]*\)|\[[^\]]*\]/g;
const NUMBER = /numm?e?r|numbe?r/g;
/** What people say of money behind its word. */
const OF_MONEY = /(?:(?:excl|ex|incl|inc|exclusief|inclusief|excluding|including)(?:btw|vat|tax)?|eur|euro)$/;

/** The letters and digits of a name, without case and accents: `Art.-nr.` and `artnr` are one. */
export function lettersOf(name: string): string {
  const plain = normaliseHeader(name).normalize('NFD').replace(ACCENTS, '');
  return plain.replace(NOT_A_LETTER, '').replace(NUMBER, 'nr');
}

/** The ways in which a header is looked up: as it stands, without brackets, without what is said of money. */
function waysOf(header: string): string[] {
  const whole = lettersOf(header);
  const short = lettersOf(header.replace(BRACKETS, ' '));
  const ways = [whole, short, short.replace(OF_MONEY, '')];
  return [...new Set(ways.filter((one) => one !== ''))];
}

type Words = ReadonlyMap<string, ReadonlySet<string>>;

const known = new WeakMap<Resource, Words>();

/**
 * The fields that each word may mean: the table's words, the fields' own names, and what help calls them.
 */
function wordsOf(resource: Resource): Words {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const words = new Map<string, Set<string>>();
  const own = HEADER_WORDS[resource.name] ?? {};
  for (const [name, field] of Object.entries(resource.fields)) {
    if (readOnly(field) && !resource.keys.includes(name)) continue;
    const helped = [field.help.nl, field.help.en].map((help) => help.split(/[,;:]/)[0] ?? '');
    const called = (own[name] ?? []).flatMap((list) => list.split(','));
    for (const word of [name, ...helped, ...called].map(lettersOf)) {
      if (word === '') continue;
      words.set(word, (words.get(word) ?? new Set()).add(name));
    }
  }
  known.set(resource, words);
  return words;
}

/** The fields that a header means by the table of words, or as a field's own name in other letters. */
export function meantFields(resource: Resource, header: string): readonly string[] {
  if (header.length > LONGEST || header.startsWith('#')) return [];
  const words = wordsOf(resource);
  const way = waysOf(header).find((one) => words.has(one));
  return [...(words.get(way ?? '') ?? [])];
}

/** A unit in brackets: nobody converts to that of the field. */
export const namesUnit = (header: string): boolean =>
  /[([]\s*(?:m?g|gr|grams?|kg|kilo|[mcd]?l|liters?|litres?|ton)\s*[)\]]/i.test(header);
