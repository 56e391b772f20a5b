// Saves a plan of one shape in a ledger and reads it back, in a process of its own: prints the figures as JSON.
//   node measure-ledger.mjs DIST create|update|unchanged|mixed|stock ROWS
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';

const [build, shape, count] = process.argv.slice(2);
const { openLedger } = await import(pathToFileURL(join(resolve(build), 'ledger/sqlite-ledger.js')).href);
const ROWS = Number(count);
/** As many rows as planning saves at once. */
const AT_ONCE = 500;
const RUN = '20270428-113000-abcd';

/** A row as planning makes it, with the members in its order. */
const row = (seq, over) => ({
  seq,
  sheet: 'Pakketten',
  row: seq + 2,
  resource: 'packages',
  action: 'unchanged',
  key: `id:${7000 + seq}`,
  id: 7000 + seq,
  external: 2_000_000 + seq,
  lmt: '2026-01-05 08:20:11',
  changes: [],
  steps: [],
  needs: [],
  issues: [],
  message: null,
  ...over,
});

const required = (n) => ({
  ProductTypeID: 1 + (n % 2),
  OmschrijvingIntern: `Lunchpakket ${n}`,
  Verkoopprijs: (n % 9000) / 100 + 5,
});

function create(n) {
  const external = 700_000_000 + n;
  const body = {
    ...required(n),
    OmschrijvingExtern: `Uitgebreide lunch nummer ${n} met koffie & thee`,
    Actief: n % 7 !== 0,
    ProductCategorieID: 10 + (n % 3),
    Offertetekst: 'Inclusief servies, bestek en linnen.',
    InterneOpmerking: `prijs nakijken voor seizoen ${n % 12}`,
    Volume: (n % 400) / 8,
    OpnemenInOfferte: true,
    OnderdelenInOfferte: false,
    OfferteCategorieTonen: n % 2 === 0,
  };
  const key = `external:${external}`;
  const named = { ProductID: { $ref: 'self' }, ExternalID: external, ...required(n) };
  const steps = [
    { purpose: 'create', endpoint: 'packages.create', body, fingerprint: key },
    { purpose: 'key', endpoint: 'packages.update', body: named },
  ];
  return row(n, { action: 'create', key, id: null, external, lmt: null, steps });
}

function update(n) {
  const Verkoopprijs = (n % 9000) / 100 + 200;
  const body = { ProductID: 7000 + n, ...required(n), Verkoopprijs };
  return row(n, {
    action: 'update',
    changes: [{ field: 'Verkoopprijs', from: (n % 9000) / 100 + 5, to: Verkoopprijs }],
    steps: [{ purpose: 'update', endpoint: 'packages.update', body }],
  });
}

const issue = (n, over) => ({
  code: 'number-grouping',
  found: `2.${100 + (n % 900)}`,
  hint: `2${100 + (n % 900)}`,
  field: 'Volume',
  address: `K${n + 2}`,
  severity: 'warning',
  ...over,
});

function invalid(n) {
  const price = { code: 'number-expected', found: 'twaalf', field: 'Verkoopprijs', address: `E${n + 2}` };
  return row(n, { action: 'invalid', issues: [issue(n, {}), issue(n, { ...price, severity: 'error' })] });
}

function stock(n) {
  const day = String(1 + (n % 28)).padStart(2, '0');
  const body = {
    ProductID: 7001 + (n % 20),
    WerknemerID: 12,
    DatumTijd: `2027-03-${day} 07:45:00`,
    AantalRekeneenheid: (n % 800) / 8 - 30,
    MutatieCategorieID: 4901,
    MutatieReden: `Weektelling koelcel ${n % 40}`,
  };
  return row(n, {
    ...{
      sheet: 'Voorraadmutaties',
      resource: 'stock-mutations',
      action: 'create',
      key: `product:${body.ProductID} ${n}`,
    },
    ...{ id: null, external: null, lmt: null },
    steps: [{ purpose: 'post', endpoint: 'stock.create', body, fingerprint: `key:T${n}` }],
  });
}

const mixed = (n) =>
  [(seq) => row(seq), update, create, invalid, update, (seq) => row(seq), create, update][n % 8](n);
const planned = { create, update, unchanged: (n) => row(n), mixed, stock }[shape];

const folder = mkdtempSync(join(tmpdir(), 'catersheet-bench-'));
const file = join(folder, 'ledger.db');
const start = {
  run: RUN,
  service: 'https://systeem.example/',
  file: 'plan.xlsx',
  startedAt: '2027-04-28 11:30:00',
};
try {
  await save(false);
  rmSync(file);
  const saved = await save(true);
  const found = await read();
  console.log(JSON.stringify({ ...saved, ...found, bytes: sizeOfFile() / ROWS }));
} finally {
  rmSync(folder, { recursive: true });
}

/** Saves the plan with four pieces under way, as planning does; the first time a small part of it, to warm up. */
async function save(whole) {
  const ledger = openLedger(file);
  await ledger.startRun(start);
  const pieces = [];
  for (let from = 0; from < (whole ? ROWS : 5000); from += AT_ONCE)
    pieces.push(Array.from({ length: AT_ONCE }, (_, at) => planned(from + at)));
  let next = 0;
  const saveNext = async () => {
    while (next < pieces.length) await ledger.savePlan(RUN, pieces[next++]);
  };
  const { ms, cpu } = await timed(() => Promise.all([saveNext(), saveNext(), saveNext(), saveNext()]));
  await ledger.close();
  return { saveMs: ms, saveCpu: cpu };
}

async function read() {
  const ledger = openLedger(file);
  let rows = 0;
  const all = await timed(async () => {
    for (let after = -1; ; ) {
      const page = await ledger.readRows(RUN, { after, limit: 500 });
      if (page.length === 0) break;
      rows += page.length;
      after = page.at(-1).planned.seq;
    }
  });
  if (rows !== ROWS) throw new Error(`${rows} rows came back`);
  // Places far from each other, so that no two are in one piece.
  const places = Array.from({ length: 200 }, (_, at) => (at * 7919) % ROWS);
  const find = await timed(async () => {
    for (const place of places) {
      const { resource, key } = planned(place);
      const [found] = await ledger.plannedFor(RUN, resource, key);
      if (found.seq !== place) throw new Error(`row ${place} was not found`);
    }
  });
  const pages = await timed(async () => {
    for (const after of places) await ledger.readRows(RUN, { after, limit: 10 });
  });
  await ledger.close();
  return { readMs: all.ms, readCpu: all.cpu, findCpu: find.cpu, pagesCpu: pages.cpu };
}

/** The size of the file with all in it that is still in the log beside it. */
function sizeOfFile() {
  const db = new Database(file);
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  return statSync(file).size;
}

async function timed(work) {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpu: (user + system) / 1000 };
}
