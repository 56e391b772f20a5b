import type { DeskRun, JobDocument } from '../contract/documents.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { sendByWorkers } from './send-run.ts';

/** How often it is looked which runs workers have, ms, while a page is open. */
const LOOK = 2000;
/** Who could not follow a run rests so long, ms. */
const REST = 10_000;

/** What is known of workers. */
export function workerRoutes(desk: Desk): AnsweringOf<'workers'> {
  const keys = new Map<string, string>();
  /** What the ledger calls the service in use. */
  const serviceKey = async (): Promise<string> => {
    const { ledger, baseUrl } = desk.settings();
    const place = JSON.stringify([ledger, baseUrl]);
    const known = keys.get(place);
    if (known !== undefined) return known;
    const found = await desk.inSession(undefined, async ({ context }) => context.serviceKey);
    keys.set(place, found);
    return found;
  };
  return {
    workers: async () => {
      const queued = desk.workers === null ? null : await desk.runs.queued();
      return { running: queued === null ? 0 : await queued.workers(await serviceKey()) };
    },
  };
}

/** The job that works on a run; one that workers have is followed from now on, whoever handed it over. */
export function followRun(desk: Desk, { run, workers, here, draft, file, job }: DeskRun): JobDocument | null {
  if (job !== null || workers === null || !here) return job;
  // What could not be followed a moment ago is not tried with each look.
  const last = desk.jobs.list().find((one) => one.run === run && one.state === 'failed');
  if (Date.now() - Date.parse(last?.endedAt ?? '') < REST) return null;
  return sendByWorkers(desk, run, { draft, title: file }, 'follows');
}

/** Tells open pages when other runs are with workers than before, also those that others hand over. */
export function watchQueue(desk: Desk): () => void {
  let before = '';
  const look = async (): Promise<void> => {
    if (!desk.events.isHeard || desk.workers === null) return;
    const now = await desk.users.during(async () => await (await desk.runs.queued())?.list());
    const known = JSON.stringify([...(now ?? [])].sort());
    if (known === before) return;
    before = known;
    for (const what of ['runs', 'drafts'] as const) desk.events.tell('changed', { what, id: null });
  };
  // One that fails is followed by the next.
  const timer = setInterval(() => void look().catch(() => {}), LOOK);
  return () => clearInterval(timer);
}
