import { type Bilingual, t } from '../core/language.ts';
import { FINANCE_SHEETS } from '../core/own-sheets.ts';
import type { FinanceColumn, FinanceDefinition, NameSource } from '../schema/finance-definition.ts';
import { arrangements } from './arrangements.ts';
import { events } from './events.ts';
import { dropdownValues, locations, products, relations } from './lookups.ts';
import { stockCount, stockMutations } from './stock.ts';
import { trips } from './trips.ts';

const eventTypes: NameSource = { called: t('types of event', 'soorten evenementen'), list: dropdownValues('eventtype') };
const vatModes: NameSource = { called: t('VAT modes', 'btw-modi'), list: dropdownValues('btwmodus') };
const vehicles: NameSource = { called: t('types of vehicle', 'typen voertuigen'), list: dropdownValues('voertuigtype', 97) };
const categories: NameSource = { called: t('categories of mutations', 'mutatiecategorieën'), list: dropdownValues('mutatiecategorie', 49) };

const column = (header: Bilingual, type: FinanceColumn['type'], member: string, help: Bilingual): FinanceColumn => ({ header, type, member, help });
const worked = (header: Bilingual, type: FinanceColumn['type'], value: FinanceColumn['worked'] & string, help: Bilingual): FinanceColumn => ({ header, type, worked: value, help });
const told = (header: Bilingual, type: FinanceColumn['type'], value: string, help: Bilingual): FinanceColumn => ({ header, type, told: value, help });
const named = (header: Bilingual, member: string, names: NameSource, help: Bilingual): FinanceColumn => ({ header, type: 'text', member, names, help });

/**
 * The finance export: events (interface 2.7), their arrangements (2.8) and trips (2.9), and the stock
 * mutations (2.6) that this program sent. Its headers differ from the interface's, so that no import takes
 * its sheets.
 */
export const finance: FinanceDefinition = {
  ...FINANCE_SHEETS,
  events: {
    resource: events,
    name: t('Events', 'Evenementen'),
    table: 'finance_events',
    label: 'PartijOmschrijving',
    noRevenue: 'GeenOmzet',
    notInvoiced: 'PartijNietFactureren',
    location: { title: t('Location', 'Locatie'), member: 'LocatieID', names: locations, called: t('location', 'locatie') },
    type: { title: t('Type of event', 'Soort evenement'), member: 'TypeWaardeID', names: eventTypes, called: t('type', 'soort') },
    manager: { title: t('Account manager', 'Accountmanager'), member: 'AccountmanagerID', names: null, called: t('account manager', 'accountmanager') },
    columns: [
      column(t('Event', 'Evenement'), 'id', 'PartijID', t('The service’s own number of the event', 'Het nummer van het evenement in het systeem')),
      column(t('Day', 'Dag'), 'day', 'Datum', t('Day of the event', 'Dag van het evenement')),
      worked(t('Month', 'Maand'), 'month', 'month', t('The first day of its month, by which the overview adds up', 'De eerste dag van de maand, waarop het overzicht optelt')),
      column(t('Description', 'Omschrijving'), 'text', 'PartijOmschrijving', t('Description of the event', 'Omschrijving van het evenement')),
      named(t('Customer', 'Relatie'), 'RelatieID', relations, t('Name of the customer', 'Naam van de relatie')),
      worked(t('Revenue', 'Omzet'), 'amount', 'revenue', t('Arrangements and trips together; 0 where the event has no revenue', 'Arrangementen en ritten samen; 0 waar het evenement geen omzet heeft')),
      column(t('Location no.', 'Locatienr.'), 'id', 'LocatieID', t('Number of the location', 'Nummer van de locatie')),
      named(t('Location', 'Locatie'), 'LocatieID', locations, t('Name of the location', 'Naam van de locatie')),
      column(t('Type no.', 'Soortnr.'), 'id', 'TypeWaardeID', t('Number of the type of event', 'Nummer van het soort evenement')),
      named(t('Type of event', 'Soort evenement'), 'TypeWaardeID', eventTypes, t('Name of the type of event', 'Naam van het soort evenement')),
      column(t('Account manager', 'Accountmanager'), 'id', 'AccountmanagerID', t('Number of the account manager; the interface gives no name', 'Nummer van de accountmanager; de interface geeft geen naam')),
      column(t('Status no.', 'Statusnr.'), 'id', 'StatusID', t('Number of the status; the interface gives no name', 'Nummer van de status; de interface geeft geen naam')),
      column(t('Cost centre', 'Kostenplaats'), 'id', 'KostenplaatsID', t('Number of the cost centre', 'Nummer van de kostenplaats')),
      named(t('VAT mode', 'Btw-modus'), 'BTWModusWaardeID', vatModes, t('Whether VAT is in the prices, where the service says so', 'Of de btw in de prijzen zit, waar het systeem dat zegt')),
      column(t('Guests', 'Gasten'), 'quantity', 'AantalGasten', t('Guests', 'Aantal gasten')),
      column(t('Order number', 'Inkoopordernr.'), 'text', 'Inkoopordernummer', t('The customer’s order number', 'Inkoopordernummer van de relatie')),
      column(t('Budget', 'Budget'), 'amount', 'Budget', t('Budget; it is in no total', 'Budget; het zit in geen totaal')),
      column(t('No revenue', 'Geen omzet'), 'boolean', 'GeenOmzet', t('Its arrangements and trips do not count as revenue', 'De arrangementen en ritten ervan tellen niet als omzet')),
      column(t('Not invoiced', 'Niet factureren'), 'boolean', 'PartijNietFactureren', t('Not to be invoiced; it counts as revenue all the same', 'Wordt niet gefactureerd; telt wel als omzet')),
      worked(t('Lines', 'Regels'), 'quantity', 'lines', t('How many arrangements it has', 'Hoeveel arrangementen het heeft')),
      worked(t('Arrangements', 'Arrangementen'), 'amount', 'arrangements', t('The sum of its arrangements’ line totals', 'De som van de regeltotalen van de arrangementen')),
      worked(t('Number of trips', 'Aantal ritten'), 'quantity', 'trip-count', t('How many trips it has in the period', 'Hoeveel ritten het in de periode heeft')),
      worked(t('Trips', 'Ritten'), 'amount', 'trips', t('The sum of the prices of its trips in the period', 'De som van de prijzen van de ritten ervan in de periode')),
    ],
  },
  lines: {
    resource: arrangements,
    name: t('Arrangements', 'Arrangementen'),
    table: 'finance_lines',
    label: 'ArrangementNaam',
    price: 'VerkoopPrijs',
    quantity: 'Aantal',
    columns: [
      column(t('Event', 'Evenement'), 'id', 'PartijID', t('Number of the event', 'Nummer van het evenement')),
      told(t('Description', 'Omschrijving'), 'text', 'label', t('Description of the event', 'Omschrijving van het evenement')),
      column(t('Day', 'Dag'), 'day', 'Datum', t('Day of the arrangement', 'Dag van het arrangement')),
      column(t('Arrangement no.', 'Arrangementnr.'), 'id', 'ArrangementID', t('Number of the arrangement', 'Nummer van het arrangement')),
      column(t('Arrangement', 'Arrangement'), 'text', 'ArrangementNaam', t('Name of the arrangement', 'Naam van het arrangement')),
      column(t('On the quotation', 'Op de offerte'), 'text', 'OfferteOmschrijving', t('Description on the quotation', 'Omschrijving op de offerte')),
      column(t('In use', 'In gebruik'), 'boolean', 'Actief', t('Whether the arrangement is in use; it is in the total either way', 'Of het arrangement in gebruik is; het zit hoe dan ook in het totaal')),
      column(t('Quantity', 'Hoeveelheid'), 'quantity', 'Aantal', t('How many', 'Aantal')),
      column(t('Price', 'Prijs'), 'amount', 'VerkoopPrijs', t('Sales price of one', 'Verkoopprijs van één')),
      worked(t('Line total', 'Regeltotaal'), 'amount', 'line-total', t('Quantity × price, not rounded; empty where one of them is', 'Hoeveelheid × prijs, niet afgerond; leeg waar een van beide leeg is')),
    ],
  },
  trips: {
    resource: trips,
    name: t('Trips', 'Ritten'),
    table: 'finance_trips',
    label: 'Omschrijving',
    event: 'PartijID',
    eventLabel: 'event.PartijOmschrijving',
    price: 'Verkoopprijs',
    cost: 'Kostprijs',
    distance: 'KM',
    columns: [
      column(t('Trip', 'Rit'), 'id', 'RitID', t('The service’s own number of the trip', 'Het nummer van de rit in het systeem')),
      column(t('Event', 'Evenement'), 'id', 'PartijID', t('Number of the event', 'Nummer van het evenement')),
      told(t('Description', 'Omschrijving'), 'text', 'label', t('Description of the event', 'Omschrijving van het evenement')),
      column(t('Day', 'Dag'), 'day', 'Datum', t('Day of the trip', 'Dag van de rit')),
      column(t('Trip description', 'Ritomschrijving'), 'text', 'Omschrijving', t('Description of the trip', 'Omschrijving van de rit')),
      column(t('Customer', 'Relatie'), 'text', 'relation.Bedrijfsnaam', t('Name of the customer', 'Naam van de relatie')),
      column(t('To', 'Bestemming'), 'text', 'Naar', t('Destination', 'Bestemming')),
      column(t('Driver', 'Chauffeur'), 'text', 'Chauffeur', t('Driver', 'Chauffeur')),
      named(t('Vehicle', 'Voertuig'), 'TypeVoertuigID', vehicles, t('Type of vehicle', 'Type voertuig')),
      column(t('Return trip', 'Retour'), 'boolean', 'RetourRit', t('Return trip', 'Retourrit')),
      column(t('Ledger account', 'Grootboekrekening'), 'id', 'GrootboekrekeningID', t('Number of the general ledger account', 'Nummer van de grootboekrekening')),
      column(t('Distance', 'Kilometers'), 'quantity', 'KM', t('Kilometres', 'Kilometers')),
      column(t('Cost', 'Kosten'), 'amount', 'Kostprijs', t('Cost price', 'Kostprijs')),
      column(t('Price', 'Prijs'), 'amount', 'Verkoopprijs', t('Sales price', 'Verkoopprijs')),
    ],
  },
  mutations: {
    resources: [stockMutations, stockCount],
    name: t('Stock mutations', 'Voorraadmutaties'),
    table: 'finance_mutations',
    columns: [
      told(t('Mutation', 'Mutatie'), 'id', 'id', t('The service’s own number of the mutation, where it gave one', 'Het nummer van de mutatie in het systeem, waar die er een gaf')),
      told(t('Sent at', 'Verstuurd op'), 'moment', 'at', t('When this program sent it', 'Wanneer dit programma de mutatie verstuurde')),
      told(t('Outcome', 'Uitkomst'), 'text', 'state', t('Whether the service is known to have it', 'Of bekend is dat het systeem de mutatie heeft')),
      column(t('Booked at', 'Geboekt op'), 'moment', 'DatumTijd', t('The mutation’s own day and time', 'Dag en tijd van de mutatie zelf')),
      column(t('Product no.', 'Productnr.'), 'id', 'ProductID', t('Number of the product', 'Nummer van het product')),
      named(t('Product', 'Product'), 'ProductID', products, t('Name of the product', 'Naam van het product')),
      column(t('Units of calculation', 'Rekeneenheden'), 'quantity', 'AantalRekeneenheid', t('Amount in units of calculation', 'Aantal rekeneenheden')),
      column(t('Product units', 'Producteenheden'), 'quantity', 'AantalProducteenheid', t('Amount in product units', 'Aantal producteenheden')),
      named(t('Category', 'Categorie'), 'MutatieCategorieID', categories, t('Category of the mutation', 'Mutatiecategorie')),
      column(t('Reason', 'Reden'), 'text', 'MutatieReden', t('Reason', 'Reden')),
      column(t('Employee', 'Medewerker'), 'id', 'WerknemerID', t('Number of the employee', 'Nummer van de werknemer')),
      told(
        t('Count or mutation', 'Telling of mutatie'),
        'text',
        'kind',
        t('Whether it was a count, which sets the stock, or a mutation, which adds to it', 'Of het een telling was, die de voorraad vastlegt, of een mutatie, die er iets bij of af doet'),
      ),
      told(t('Run', 'Run'), 'text', 'run', t('The run of this program that sent it (catersheet runs)', 'De run van dit programma die de mutatie verstuurde (catersheet runs)')),
      told(t('Sheet', 'Werkblad'), 'text', 'sheet', t('The sheet that it came from', 'Het werkblad waar de mutatie uit komt')),
      told(t('Row', 'Rij'), 'quantity', 'row', t('The row of the sheet', 'De rij van het werkblad')),
    ],
  },
  bookings: {
    name: t('Bookings', 'Boekingen'),
    table: 'finance_bookings',
    of: {
      lines: { day: 'Datum', description: 'ArrangementNaam', quantity: 'Aantal', price: 'VerkoopPrijs', id: 'ArrangementID' },
      trips: { day: 'Datum', description: 'Omschrijving', price: 'Verkoopprijs', debtor: 'relation.DebiteurNummer', vat: 'BTWID', account: 'GrootboekrekeningID', id: 'RitID' },
    },
    columns: [
      told(t('Day', 'Dag'), 'day', 'day', t('Day of the arrangement or trip', 'Dag van het arrangement of de rit')),
      column(t('Event', 'Evenement'), 'id', 'PartijID', t('Number of the event', 'Nummer van het evenement')),
      column(t('Description of the event', 'Omschrijving evenement'), 'text', 'PartijOmschrijving', t('Description of the event', 'Omschrijving van het evenement')),
      column(t('Customer no.', 'Relatienr.'), 'id', 'RelatieID', t('Number of the customer', 'Nummer van de relatie')),
      named(t('Customer', 'Relatie'), 'RelatieID', relations, t('Name of the customer', 'Naam van de relatie')),
      column(t('Invoice customer no.', 'Factuurrelatienr.'), 'id', 'FactuurRelatieID', t('Number of the customer that is invoiced', 'Nummer van de relatie die de factuur krijgt')),
      named(t('Invoice customer', 'Factuurrelatie'), 'FactuurRelatieID', relations, t('Name of the customer that is invoiced', 'Naam van de relatie die de factuur krijgt')),
      told(t('Debtor number', 'Debiteurnummer'), 'text', 'debtor', t('Of the customer of the trip; an arrangement has none', 'Van de relatie van de rit; een arrangement heeft er geen')),
      told(t('Booking', 'Boeking'), 'text', 'description', t('Name of the arrangement, or description of the trip', 'Naam van het arrangement, of omschrijving van de rit')),
      told(t('Quantity', 'Hoeveelheid'), 'quantity', 'quantity', t('How many arrangements; a trip has none', 'Hoeveel arrangementen; een rit heeft er geen')),
      told(t('Price', 'Prijs'), 'amount', 'price', t('Sales price of one', 'Verkoopprijs van één')),
      told(t('Total', 'Totaal'), 'amount', 'total', t('What it comes to, not rounded; empty where the service gives no amount', 'Wat het samen is, niet afgerond; leeg waar het systeem geen bedrag geeft')),
      told(t('VAT no.', 'Btw-nr.'), 'id', 'vat', t('Number of the VAT of the trip; the interface gives no rate', 'Nummer van de btw van de rit; de interface geeft geen tarief')),
      told(t('Ledger account', 'Grootboekrekening'), 'id', 'account', t('Number of the general ledger account of the trip', 'Nummer van de grootboekrekening van de rit')),
      column(t('Cost centre', 'Kostenplaats'), 'id', 'KostenplaatsID', t('Number of the cost centre of the event', 'Nummer van de kostenplaats van het evenement')),
      told(t('Source', 'Bron'), 'text', 'of', t('An arrangement, or a trip', 'Een arrangement, of een rit')),
      told(t('Source no.', 'Bronnr.'), 'id', 'id', t('Number of the arrangement or trip', 'Nummer van het arrangement of de rit')),
    ],
  },
};
