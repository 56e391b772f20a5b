import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, Registry } from 'prom-client';
import type { WorkerEvents } from './work.ts';

/** The figures of a worker, as Prometheus reads them. */
export interface WorkerMetrics {
  readonly events: WorkerEvents;
  /** Its address, `http://127.0.0.1:9464/metrics`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves a worker's figures on this machine; port 0 takes a free one. Throws where the port is taken. */
export async function serveMetrics(port: number): Promise<WorkerMetrics> {
  const registry = new Registry();
  const server = serverOf(registry);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    events: counting(registry),
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
function counting(registry: Registry): WorkerEvents {
  const { counter, gauge } = makersIn(registry);
  const runs = counter('runs_total', 'Runs by how they ended', 'end');
  const rows = counter('rows_total', 'Rows of runs that were sent, by status', 'status');
  const requests = counter('requests_total', 'Requests of runs that were sent');
  const refused = counter('refused_total', 'Requests that the service turned away');
  const queue = gauge('queue_runs', 'Runs by where they stand', 'state');
  const sending = gauge('sending', '1 while this worker sends');
  const looked = gauge('looked_timestamp_seconds', 'When the database last answered');
  const count = (stats: { readonly requests: number; readonly refused: number }): void => {
    requests.inc(stats.requests);
    refused.inc(stats.refused);
  };
  return {
    began: () => sending.set(1),
    joined: () => sending.set(1),
    helped(_run, { stats }) {
      sending.set(0);
      count(stats);
    },
    sent(_run, counts, stats) {
      sending.set(0);
      runs.inc({ end: 'sent' });
      for (const [status, number] of Object.entries(counts))
        if (status !== 'read') rows.inc({ status }, number);
      count(stats);
    },
    stopped(_run, _stop, again) {
      sending.set(0);
      runs.inc({ end: again ? 'stopped' : 'given up' });
    },
    looked(sizes) {
      for (const [state, count] of Object.entries(sizes)) queue.set({ state }, count);
      looked.setToCurrentTime();
    },
  };
}
