import type { Value, Values } from '../core/value.ts';
import { eventMembers } from '../resources/events.ts';
import { packages } from '../resources/packages.ts';
import { articleNumbers } from '../resources/product-record.ts';
import { recipes } from '../resources/recipes.ts';
import { contact, relation, trips } from '../resources/trips.ts';
import { ANSWERED, type Members } from '../schema/answer.ts';
import { CONTACTS, LOCATIONS, PRODUCT_TYPES, RELATIONS } from './company.ts';
import type { HandlerCall } from './handler.ts';
import type { SandboxDialect } from './options.ts';
import type { StoredRecord } from './store.ts';

/** A record as it is answered. */
type Answered = Record<string, unknown>;

const EMPTY: Readonly<Record<string, Value>> = { bool: false, string: '' };

/** The members of a record that holds nothing: flags that are off, empty texts, and nulls. */
const blank = (
  members: readonly (readonly [name: string, member: Members[string]])[],
): Record<string, Value> =>
  Object.fromEntries(members.map(([name, type]) => [name, EMPTY[String(type)] ?? null]));
const blankOf = (members: Members): Record<string, Value> => blank(Object.entries(members));

/** The members with the values given in their places; null is none. */
function filledIn(members: Values, values: Values): Record<string, Value> {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return { ...members, ...Object.fromEntries(given) };
}

const asText = (value: number): string =>
  Number.isInteger(value) || Math.round(value * 100) !== value * 100 ? String(value) : value.toFixed(2);

function mix(value: unknown, turn: number): unknown {
  if (value === null) return turn < 2 ? '' : null;
  if (typeof value === 'number') return turn < 2 ? asText(value) : value;
  if (typeof value === 'boolean')
    return turn === 0 ? String(Number(value)) : turn === 1 ? Number(value) : value;
  return value;
}

/**
 * The record in the types in which lists answer: some numbers as text, some flags as "0", "1", 0 or 1, some
 * nulls as empty text. Which ones depends on the field's name and the id alone, so an answer is the same each
 * time.
 */
function mixTypes(record: Readonly<Answered>, id: number): Answered {
  const mixed: Answered = {};
  for (const name in record) mixed[name] = mix(record[name], (name.length + name.charCodeAt(0) + id) % 5);
  return mixed;
}

/** The kinds of products that the sandbox keeps. */
type ProductKind = 'package' | 'recipe';

const detailOf = ({ fields }: typeof packages | typeof recipes): Record<string, Value> =>
  blank(
    Object.entries(fields).flatMap(([name, { reads, codec }]) =>
      reads === 'both' || reads === 'detail' ? [[name, ANSWERED[codec.type]] as const] : [],
    ),
  );

/** A list of packages has no nutrients (interface 2.5). */
const { nutrients: _, ...packageMembers } = packages.listed;

/** What a product without values is, read alone (interface 2.2, 2.4) and in a list (2.5). */
const PRODUCTS = {
  package: { detail: detailOf(packages), listed: blankOf(packageMembers) },
  recipe: { detail: detailOf(recipes), listed: blankOf(recipes.listed) },
};

/** What no detail has (interface 2.5). */
const LISTED_ALONE = ['RekenEenheidID', ...Object.keys(articleNumbers)];

/** The record of interface 2.2 or 2.4. A field that it lacks is returned as it was sent. */
export function productDetail(
  kind: ProductKind,
  product: StoredRecord,
  dialect: SandboxDialect,
): Record<string, Value> {
  const { ExternalID = null, ...values }: Record<string, Value> = { ...product.values };
  for (const name of LISTED_ALONE) delete values[name];
  return {
    ...filledIn(PRODUCTS[kind].detail, values),
    ProductID: product.id,
    LMT: product.lmt,
    // A service that never keeps ExternalID has none of its seeded records either.
    ExternalID: dialect.externalId === 'never' ? null : ExternalID,
  };
}

/** Recipes are all of one type; no input of theirs names it. */
const RECIPE_TYPE = 4;

/** The product of interface 2.5, as allModified lists it; `declaration`: with its ingredient declaration. */
export function productRecord(
  kind: ProductKind,
  product: StoredRecord,
  dialect: SandboxDialect,
  declaration: boolean,
): Answered {
  const { listed } = PRODUCTS[kind];
  const { Offertetekst = null, Kostprijs = null, ...fields } = productDetail(kind, product, dialect);
  fields.OfferteTekst = Offertetekst;
  for (const name of LISTED_ALONE) fields[name] = product.values[name] ?? null;
  if (kind === 'recipe') fields.ProductTypeID = RECIPE_TYPE;
  if (!declaration) fields.IngredientDeclaratie = fields.IngredientDeclaratieCategorie = null;
  const plain: Record<string, Value> = {};
  // Set one by one: spreading this many is ten times slower.
  for (const name in listed) plain[name] = fields[name] ?? listed[name] ?? null;
  for (const name in fields) plain[name] ??= fields[name] ?? null;
  const record = dialect.types === 'mixed' ? mixTypes(plain, product.id) : plain;
  return Object.assign(record, {
    ProductID: product.id,
    costPrice: Kostprijs,
    productType: PRODUCT_TYPES.find(({ ProductTypeID }) => ProductTypeID === plain.ProductTypeID) ?? null,
    ingredientDeclarationCategory: fields.IngredientDeclaratieCategorie ?? null,
    ingredientDeclaration: fields.IngredientDeclaratie ?? null,
    storageConditionsClosedId: fields.THTBewaaradviesGeslotenWaardeID ?? null,
    storageConditionsClosedDuration: fields.THTBewaaradviesGesloten ?? null,
    storageConditionsOpenId: fields.THTBewaaradviesGeopendWaardeID ?? null,
    storageConditionsOpenDurationId: fields.THTBewaaradviesGeopendDagWaardeID ?? null,
    ...linked(kind, product),
  });
}

/** The nested records of a product: a recipe has one link of each kind, a package a list. */
function linked(kind: ProductKind, product: StoredRecord): Answered {
  const { id } = product;
  if (kind === 'package') return { productLinks: id % 4 === 0 ? [] : [link(id, 0), link(id, 1)] };
  return {
    productStockLocation: product.values.VoorraadProduct === true ? stockLocation(id) : null,
    productActions: id % 3 === 0 ? link(id, 2) : null,
    productLinks: link(id, 0),
  };
}

const stockLocation = (id: number): Answered => ({
  ProductVoorraadLocatieID: id + 20_000,
  ProductID: id,
  VoorraadLocatieID: 1 + (id % 3),
  StellingID: 1 + (id % 5),
  SchapID: 1 + (id % 4),
  Standaard: true,
});

const link = (id: number, ordinal: number): Answered => ({
  ProductLinkID: id * 10 + ordinal,
  ParentID: id,
  ChildID: 7001 + ((id + ordinal * 7) % 30),
  AantalDagenVoorEersteActie: ordinal,
  AantalMinuten: 7.5 * (ordinal + 1),
  AantalMinutenOffset: 0,
  StickersPrinten: ordinal === 0,
  ActieWaardeID: null,
  ProductieActieCategorieID: 1 + (id % 4),
  CompetentieID: null,
  ProductTypeID: RECIPE_TYPE,
});

const EVENT = blankOf(eventMembers);
const NAMES = Object.keys(EVENT);
const upTo = (last: string): ReadonlySet<string> => new Set(NAMES.slice(0, NAMES.indexOf(last) + 1));

/** The reads of an event and where their records end (interface 2.7). */
const ENDS = {
  detail: null,
  list: null,
  definitive: upTo('GeenOmzet'),
  trip: upTo('AantalBlauweKasten'),
};

function address({ values }: StoredRecord): Values {
  const location = LOCATIONS.find(({ LocatieID }) => LocatieID === values.LocatieID);
  if (location === undefined) return {};
  const { Straat, Huisnummer, Postcode, Plaats } = location;
  return {
    AfleverAdresStraat: Straat,
    AfleverAdresHuisnummer: Huisnummer,
    AfleverAdresPostcode: Postcode,
    AfleverAdresPlaats: Plaats,
  };
}

const withoutMilliseconds = (value: Value): Value =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(value)
    ? value.slice(0, -4)
    : value;

/**
 * The record of interface 2.7 as one of the reads returns it. Lists give moments to the second and values in
 * mixed types; inside a trip booleans are booleans and ids numbers.
 */
export function eventRecord(event: StoredRecord, read: keyof typeof ENDS, dialect: SandboxDialect): Answered {
  // No read returns the times, and records spell the invoice's contact person their own way (interface 2.7,
  // 4.4).
  const { Starttijd = null, Eindtijd, FactuurContactpersoonID = null, ...given } = event.values;
  const record: Record<string, Value> = {
    ...filledIn({ ...EVENT, ...address(event) }, given),
    AdministratieID: 1,
    ProgrammaDatum: Starttijd === null ? null : `${String(Starttijd).slice(0, 10)} 00:00:00`,
    PartijID: event.id,
    FactuurContactPersoonID: FactuurContactpersoonID,
    LMT: event.lmt,
  };
  const last = ENDS[read];
  if (read !== 'detail') delete record.CentraleProductieLocatieID;
  if (dialect.externalId === 'never') record.ExternalID = null;
  for (const name of NAMES) if (last?.has(name) === false) delete record[name];
  if (read === 'trip' || dialect.types === 'plain') return record;
  if (read !== 'detail') for (const name in record) record[name] = withoutMilliseconds(record[name] ?? null);
  return mixTypes(record, event.id);
}

/** The customers and their contact persons as trips and lookups return them (interface 2.9). */
export const RELATION_RECORDS = RELATIONS.map((one) => ({ ...blankOf(relation), ...one }));
export const CONTACT_RECORDS = CONTACTS.map((one) => ({ ...blankOf(contact), ...one }));

const TRIP = blankOf(trips.listed);

/** The trip with its nested records (interface 2.9). Only the list by LMT returns SubtypeRitID. */
export function tripRecord(
  trip: StoredRecord,
  read: 'all' | 'byLmt',
  { store, dialect }: HandlerCall,
): Answered {
  const plain: Record<string, Value> = { ...filledIn(TRIP, trip.values), RitID: trip.id, LMT: trip.lmt };
  if (read === 'all') delete plain.SubtypeRitID;
  const event = store.get('event', Number(plain.PartijID));
  return {
    ...plain,
    contact: CONTACT_RECORDS.find((one) => one.ContactpersoonID === plain.ContactpersoonID) ?? null,
    relation: RELATION_RECORDS.find((one) => one.RelatieID === plain.RelatieID) ?? null,
    event: event === undefined ? null : eventRecord(event, 'trip', dialect),
    demand: demandRecord(trip, event),
  };
}

/** The demand that a trip makes on the planning (interface 2.9). */
function demandRecord(trip: StoredRecord, event: StoredRecord | undefined): Answered {
  const { Datum = null, Van = null, Tot = null, PartijID = null, Omschrijving = '' } = trip.values;
  return {
    BehoefteID: trip.id + 10_000,
    BehoefteTypeID: 2,
    PartijID,
    LocatieID: event?.values.LocatieID ?? null,
    AfdelingID: 2,
    Datum,
    AantalPersonen: 1,
    Van,
    Tot,
    CompetentieID: 1,
    Vertrek: Van,
    Retour: Tot,
    Omschrijving,
    RitID: trip.id,
    planning: planning(trip),
  };
}

/** The driver's planning, part of the demand; every third trip has none. */
function planning(trip: StoredRecord): Answered[] {
  if (trip.id % 3 === 0) return [];
  const { Datum = null, Van = null, Tot = null, LMTCreated = null } = trip.values;
  return [
    {
      PlanningID: trip.id + 20_000,
      BehoefteID: trip.id + 10_000,
      WerknemerID: 11 + (trip.id % 4),
      CompetentieID: 1,
      ...{ Datum, Vertrek: Van, Van, Tot, Retour: Tot },
      MedewerkerAkkoordDatum: null,
      MedewerkerAkkoord: trip.id % 2 === 0,
      MedewerkerOpmerking: '',
      PlanningOpmerking: '',
      Invoerdatum: LMTCreated,
      LMT: LMTCreated,
      Ziek: false,
      EigenAuto: false,
      PlanningAkkoordStatusID: 1,
    },
  ];
}
