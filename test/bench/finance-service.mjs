// A service with so many definitive events of 2026, three arrangements and two trips each; prints where it is. It holds none of them: each answer is worked out from what was asked for.
//   node test/bench/finance-service.mjs 20000
import { createServer } from 'node:http';

const COUNT = Number(process.argv[2] ?? 20_000);
const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1);
const DAYS = 365;
const { LMT, ...FLAGS } = { LMT: '2026-11-01 12:00:00.000', DEL: false, Actief: true };

const dayOf = (event) => new Date(FIRST + (event % DAYS) * DAY).toISOString().slice(0, 10);

function* eventsOn(from, to) {
  for (let event = 1; event <= COUNT; event++) {
    const day = dayOf(event);
    if (day >= from && day <= to) yield { event, day };
  }
}

function eventOf({ event, day }) {
  return {
    ...{ PartijID: event, ExternalID: 700_000 + event, Datum: `${day} 00:00:00.000`, StatusID: 3, LMT },
    ...{
      Starttijd: `${day} 17:00:00.000`,
      Eindtijd: `${day} 23:00:00.000`,
      PartijOmschrijving: `Feest ${event}`,
    },
    ...{ RelatieID: 1 + (event % 900), LocatieID: 1 + (event % 40), TypeWaardeID: 1 + (event % 9) },
    ...{ AccountmanagerID: 1 + (event % 12), AantalGasten: 20 + (event % 300), GeenOmzet: event % 50 === 0 },
    ...{ KostenplaatsID: null, BTWModusWaardeID: 1, Inkoopordernummer: `PO-${event}`, Budget: 1250.5 },
  };
}

function linesOf(event) {
  return [1, 2, 3].map((line) => ({
    ...{ PartijID: event, ArrangementID: event * 10 + line, Datum: `${dayOf(event)} 00:00:00.000`, ...FLAGS },
    ...{ ArrangementNaam: `Buffet ${line}`, OfferteOmschrijving: `Buffet ${line} voor feest ${event}` },
    ...{ Aantal: 10 + (event % 90), VerkoopPrijs: 12.35 + line * 0.05 + (event % 7) },
  }));
}

function tripsOf({ event, day }) {
  return [1, 2].map((trip) => ({
    ...{ RitID: event * 10 + trip, PartijID: event, Datum: `${day} 15:00:00.000`, LMT, DEL: false },
    ...{
      Omschrijving: trip === 1 ? 'Brengen' : 'Halen',
      Naar: `Kade ${event % 200}`,
      Chauffeur: 'Jo',
      TypeVoertuigID: 1,
    },
    ...{
      RetourRit: trip === 2,
      GrootboekrekeningID: 8000,
      KM: 10 + (event % 60),
      Kostprijs: 21.15,
      Verkoopprijs: 34.5,
    },
    relation: { Bedrijfsnaam: `Relatie ${event % 900}` },
  }));
}

function answerTo(path, { DatumVan = '', DatumTot = '' }) {
  const days = [DatumVan.slice(0, 10), DatumTot.slice(0, 10)];
  if (/\/event\/all(kassa)?$/.test(path)) return [...eventsOn(...days)].map(eventOf);
  if (path.endsWith('/ritten/all')) return [...eventsOn(...days)].flatMap(tripsOf);
  if (path.endsWith('/allByLMT')) return [];
  const [, id] = /\/event\/(\d+)\/packages$/.exec(path) ?? [];
  return id === undefined ? null : linesOf(Number(id));
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const answer = answerTo(request.url.split('?')[0], text === '' ? {} : JSON.parse(text));
    response.writeHead(answer === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { message: 'weg' }));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, token: 'bench' }));
});
