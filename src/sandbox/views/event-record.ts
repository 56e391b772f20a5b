import type { Value } from '../../core/value.ts';
import { filledIn, membersOf, mixTypes } from '../members.ts';
import type { SandboxDialect } from '../requests/options.ts';
import { LOCATIONS } from '../seed/relations.ts';
import type { StoredRecord } from '../store/store.ts';

/** The members of an event record, in order (interface 2.7). */
const EVENT_MEMBERS = membersOf(`
  ProgrammaDatum HeeftVulling=false PartijID RelatieID ContactpersoonID StatusID Datum LocatieID
  AdministratieID=1 AardIDNiveau1 AccountmanagerID SamenstellingGasten="" HerrinneringDatum Opmerkingen
  OpmerkingenFinancieel="" AfleverAdresStraat="" AfleverAdresHuisnummer="" AfleverAdresPostcode=""
  AfleverAdresPlaats="" AfleverAdresLand="" AfleverAdresContactpersoon="" AfleverAdresEmail=""
  AfleverAdresTelefoonnummer="" Reserveringsdatum BronWaardeID AnnuleringsredenWaardeID
  AnnuleringsredenToelichting="" LabelWaardeID ProjectmanagerID OptieDatum AantalGasten PartijOmschrijving
  Inkoopordernummer="" FactuurRelatieID FactuurContactPersoonID TypeWaardeID BehuizingstypeWaardeID
  SlagingsWaardeID RegioWaardeID PartijNietFactureren=false LocatiePrijslijstID
  LocatiePrijslijstIDAanvullend LMT OverruleFinancieelContact=false MeerdaagseEvenement=false
  SalesCoordinatorID Budget DeadlineVersturen ThemaSfeerID MateriaalOpmerkingen KeukenOpmerkingen
  AutomatischIncasseren=false AantalKinderen NietOpVerzamelFactuur=false WerkelijkAantalGasten
  AantalGastenDefinitief=false TAV Geachte KostenplaatsID BTWModusWaardeID CentraleProductieLocatieID
  GeenOmzet=false AantalRolcontainers AantalBlauweKasten CentraalProducerenWaardeID ExternalID
  LaatsteProductieVerversingLMT
`);

const NAMES = Object.keys(EVENT_MEMBERS);
const upTo = (last: string): ReadonlySet<string> => new Set(NAMES.slice(0, NAMES.indexOf(last) + 1));

/** The reads of an event and where their records end (interface 2.7). */
export type EventRead = 'detail' | 'list' | 'definitive' | 'trip';

const ENDS: Readonly<Partial<Record<EventRead, ReadonlySet<string>>>> = {
  definitive: upTo('GeenOmzet'),
  trip: upTo('AantalBlauweKasten'),
};

function address({ values }: StoredRecord): Record<string, Value> {
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

function members(event: StoredRecord): Record<string, Value> {
  // No read returns the times, and records spell the invoice's contact person their own way (interface 2.7,
  // 4.4).
  const { Starttijd = null, Eindtijd, FactuurContactpersoonID = null, ...given } = event.values;
  return {
    ...filledIn({ ...EVENT_MEMBERS, ...address(event) }, given),
    ProgrammaDatum: Starttijd === null ? null : `${String(Starttijd).slice(0, 10)} 00:00:00`,
    PartijID: event.id,
    FactuurContactPersoonID: FactuurContactpersoonID,
    LMT: event.lmt,
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
export function eventRecord(
  event: StoredRecord,
  read: EventRead,
  dialect: SandboxDialect,
): Record<string, unknown> {
  const record = members(event);
  const last = ENDS[read];
  if (read !== 'detail') delete record.CentraleProductieLocatieID;
  if (dialect.externalId === 'never') record.ExternalID = null;
  for (const name of NAMES) if (last !== undefined && !last.has(name)) delete record[name];
  if (read === 'trip' || dialect.types === 'plain') return record;
  if (read !== 'detail') for (const name in record) record[name] = withoutMilliseconds(record[name] ?? null);
  return mixTypes(record, event.id);
}
