// A service in a process of its own, which notes when each request was sent, by the clock of who sent it, as it
// hears of many at once itself where it had to wait for its turn.
import { createServer } from 'node:http';

const [latency = '5'] = process.argv.slice(2);
/** When each request was sent and its answer was done, ms, and whether it was turned away. */
const seen = [];
let refuseUntil = 0;
let delay = Number(latency);

const now = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  const came = now();
  const at = Number(request.headers['x-sent'] ?? came);
  const from = request.headers.authorization ?? '';
  const end = (status, body, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  if (request.url.startsWith('/control/')) {
    const asked = new URL(request.url, 'http://localhost');
    if (asked.pathname.endsWith('refuse')) refuseUntil = now() + Number(asked.searchParams.get('ms'));
    if (asked.pathname.endsWith('delay')) delay = Number(asked.searchParams.get('ms'));
    return end(200, seen);
  }
  request.resume();
  const entry = { from, at, end: null, refused: came < refuseUntil };
  seen.push(entry);
  setTimeout(() => {
    entry.end = now();
    if (!entry.refused) return end(200, { ProductID: 1, success: true });
    end(429, {}, { 'retry-after': String(Math.max(1, Math.ceil((refuseUntil - came) / 1000))) });
  }, delay);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
