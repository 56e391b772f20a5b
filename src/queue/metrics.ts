import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, Registry } from 'prom-client';
import type { WorkerEvents } from './work.ts';

/** Serves a worker's figures, as Prometheus reads them, on this machine; port 0 takes a free one. Throws where the port is taken. */
export async function serveMetrics(port: number, events: WorkerEvents) {
  const registry = new Registry();
  const server = serverOf(registry);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  count(events, registry);
  return {
    /** Such as `http://127.0.0.1:9464/metrics`. */
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const serverOf = (registry: Registry): Server =>
  createServer((request, response) => {
    if (request.url === '/metrics')
      void registry
        .metrics()
        .then((text) => response.setHeader('content-type', registry.contentType).end(text));
    else response.writeHead(404).end();
  });

const makersIn = (registry: Registry) => {
  const registers = [registry];
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: `catersheet_${name}`, help, labelNames, registers }),
    gauge: (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name: `catersheet_${name}`, help, labelNames, registers }),
  };
};

/** Counts what a worker tells of runs. */
function count(events: WorkerEvents, registry: Registry): void {
  const { counter, gauge } = makersIn(registry);
  const runs = counter('runs_total', 'Runs by how they ended', 'end');
  const rows = counter('rows_total', 'Rows of runs that were sent, by status', 'status');
  const requests = counter('requests_total', 'Requests of runs that were sent');
  const refused = counter('refused_total', 'Requests that the service turned away');
  const queue = gauge('queue_runs', 'Runs by where they stand', 'state');
  const sending = gauge('sending', '1 while this worker sends');
  const looked = gauge('looked_timestamp_seconds', 'When the database last answered');
  const countRequests = (stats: { readonly requests: number; readonly refused: number }): void => {
    requests.inc(stats.requests);
    refused.inc(stats.refused);
  };
  for (const name of ['began', 'joined'] as const) events.on(name, () => sending.set(1));
  for (const name of ['helped', 'sent', 'stopped'] as const) events.on(name, () => sending.set(0));
  events.on('helped', (_run, { stats }) => countRequests(stats));
  events.on('sent', (_run, counts, stats) => {
    runs.inc({ end: 'sent' });
    for (const [status, number] of Object.entries(counts))
      if (status !== 'read') rows.inc({ status }, number);
    countRequests(stats);
  });
  events.on('stopped', (_run, _stop, again) => runs.inc({ end: again ? 'stopped' : 'given up' }));
  events.on('looked', (sizes) => {
    for (const [state, count] of Object.entries(sizes)) queue.set({ state }, count);
    looked.setToCurrentTime();
  });
}
