// Sends as many creates and updates as a bench asks for with undici alone: what the wire allows.
//   node bare-client.mjs URL ROWS IN_FLIGHT
import { Pool } from 'undici';

const [url, rows, inFlight] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(inFlight) });
const headers = {
  authorization: 'Bearer lean',
  'content-type': 'application/json',
  accept: 'application/json',
};
let next = 0;

async function send(method, path, body) {
  const answer = await pool.request({ method, path, headers, body: JSON.stringify(body) });
  return await answer.body.json();
}

async function sendRows() {
  while (next < Number(rows)) {
    const n = next++;
    const row = { ProductTypeID: 1, OmschrijvingIntern: `Lunchpakket ${n}`, Verkoopprijs: 12.5 };
    const { ProductID } = await send('PUT', '/api/v1/product/pakket/create', row);
    await send('POST', '/api/v1/product/pakket/update', { ...row, ProductID, ExternalID: 700_000_000 + n });
  }
}

await Promise.all(Array.from({ length: Number(inFlight) }, sendRows));
await pool.close();
