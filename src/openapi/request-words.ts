import { type Bilingual, t } from '../core/language.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import type { Resource } from '../schema/resource.ts';

/** One record of a group of requests, and several. */
type Records = Readonly<Record<'one' | 'many', Bilingual>>;

const RECORDS: Readonly<Record<string, Records>> = {
  packages: { one: t('a package', 'een pakket'), many: t('packages', 'pakketten') },
  recipes: { one: t('a recipe', 'een recept'), many: t('recipes', 'recepten') },
  events: { one: t('an event', 'een evenement'), many: t('events', 'evenementen') },
  trips: { one: t('a trip', 'een rit'), many: t('trips', 'ritten') },
};

const inWords = (make: (records: Readonly<Record<'one' | 'many', string>>) => Bilingual) => {
  return ({ one, many }: Records): Bilingual =>
    t(make({ one: one.en, many: many.en }).en, make({ one: one.nl, many: many.nl }).nl);
};

const BY_NUMBER = inWords(({ one }) => t(`Read ${one} by its number`, `Lees ${one} op nummer`));
const CHANGED = inWords(({ many }) => t(`List ${many} changed after LMT`, `Lees ${many} gewijzigd na LMT`));

/** What a request does, by its part in a resource. */
const PARTS: Readonly<Record<string, (records: Records) => Bilingual>> = {
  create: inWords(({ one }) => t(`Make ${one}`, `Maak ${one}`)),
  update: inWords(({ one }) => t(`Change ${one}`, `Wijzig ${one}`)),
  remove: inWords(({ one }) => t(`Delete ${one}`, `Verwijder ${one}`)),
  find: BY_NUMBER,
  findById: BY_NUMBER,
  findByExternal: inWords(({ one }) =>
    t(`Read ${one} by your own number, ExternalID`, `Lees ${one} op je eigen nummer, ExternalID`),
  ),
  list: CHANGED,
  all: inWords(({ many }) => t(`List ${many} of a period`, `Lees ${many} van een periode`)),
  allByLmt: CHANGED,
};

/** What a request does, by its name, where its part does not say it. */
const REQUESTS: Readonly<Record<string, Bilingual>> = {
  'stock.create': t(
    'Book a mutation of a product’s stock',
    'Boek een mutatie van de voorraad van een product',
  ),
  'stock.currenttotal': t('Tell what is in stock of a product', 'Zeg hoeveel er van een product is'),
  'events.processevent': t('Refresh an event', 'Ververs een evenement'),
  'events.allByLMT': t(
    'List events of a period changed after LMT',
    'Lees evenementen van een periode gewijzigd na LMT',
  ),
  'events.allkassa': t('List definitive events of a period', 'Lees definitieve evenementen van een periode'),
  'events.uploaddocument': t(
    'Put a file in a folder of an event',
    'Zet een bestand in een map van een evenement',
  ),
  'arrangements.list': t('List the packages of an event', 'Lees de arrangementen van een evenement'),
  'arrangements.create': t('Link a package to an event', 'Koppel een arrangement aan een evenement'),
  'arrangements.update': t('Change a package of an event', 'Wijzig een arrangement van een evenement'),
  'arrangements.delete': t(
    'End a link of a package and an event, with DEL true',
    'Ontkoppel een arrangement van een evenement, met DEL true',
  ),
  'arrangements.get': t('Read a link by a number', 'Lees een koppeling op een nummer'),
  'invoices.file': t(
    'Fetch an invoice as a file of the kind that extension names',
    'Haal een factuur op als bestand van de soort die extension noemt',
  ),
  'orders.sendAll': t(
    'Send every purchase order that waits to be sent',
    'Verstuur alle inkooporders die klaarstaan',
  ),
  'orders.send': t('Send one purchase order', 'Verstuur één inkooporder'),
  'lookups.producttype': t('List the types of products', 'Lees de producttypes'),
  'lookups.productcategory': t('List the categories of products', 'Lees de productcategorieën'),
  'lookups.productactiecategory': t(
    'List the categories that an update of a recipe takes',
    'Lees de categorieën die een wijziging van een recept aanneemt',
  ),
  'lookups.unit': t('List the units of calculation', 'Lees de rekeneenheden'),
  'lookups.department': t('List the departments', 'Lees de afdelingen'),
  'lookups.dropdownvalue': t('List the values of a dropdown list', 'Lees de waarden van een keuzelijst'),
  'lookups.relation': t('Read a customer by its number', 'Lees een relatie op nummer'),
  'lookups.contact': t('Read a contact person by its number', 'Lees een contactpersoon op nummer'),
  'lookups.location': t('Read a location by its number', 'Lees een locatie op nummer'),
  'lookups.product': t(
    'Read a product of any kind by its number',
    'Lees een product van elke soort op nummer',
  ),
  'lookups.ritten': t('List the trips to choose from', 'Lees de ritten om uit te kiezen'),
};

/** What a request does, in one line. */
export function requestWords(endpoint: Endpoint, resources: readonly Resource[]): Bilingual {
  const own = REQUESTS[endpoint.name];
  if (own !== undefined) return own;
  const parts = resources.flatMap(({ requests }) => Object.entries<Endpoint>(requests));
  const [part = ''] = parts.find(([, request]) => request === endpoint) ?? [];
  const group = groupOf(endpoint);
  const say = PARTS[part];
  return say === undefined ? t(endpoint.name, endpoint.name) : say(RECORDS[group] ?? recordsOf(group));
}

/** Those of a resource that is new. */
const recordsOf = (group: string): Records => ({
  one: t(`a record of ${group}`, `een record van ${group}`),
  many: t(`records of ${group}`, `records van ${group}`),
});

/** The group of a request, by which the document has it: the first part of its name. */
export const groupOf = ({ name }: Endpoint): string => name.split('.')[0] ?? name;

const GROUPS: Readonly<Record<string, Bilingual>> = {
  stock: t('Mutations of stock, and what there is', 'Voorraadmutaties, en wat er is'),
  orders: t('Purchase orders', 'Inkooporders'),
  lookups: t(
    'Lists and records whose numbers other requests take',
    'Lijsten en records waarvan andere verzoeken de nummers aannemen',
  ),
};

/** What a group of requests is about. */
export const groupWords = (group: string, resources: readonly Resource[]): Bilingual =>
  GROUPS[group] ?? resources.find(({ name }) => name === group)?.about ?? t(group, group);
