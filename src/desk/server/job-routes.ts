import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { fileResponse } from './file-response.ts';

/** Work under way, and what it made. */
export function jobRoutes(desk: Desk): AnsweringOf<'listJobs' | 'job' | 'stopJob' | 'jobFile' | 'events'> {
  const { jobs, events } = desk;
  return {
    listJobs: async () => ({ jobs: jobs.list() }),
    job: async ({ params }) => ({ job: jobs.get(params.job) }),
    stopJob: async ({ params }) => ({ job: jobs.stop(params.job) }),
    jobFile: async ({ params }) => {
      const { name, path } = jobs.fileOf(params.job);
      return await fileResponse(path, name);
    },
    // The whole first, so that a page that was away knows what became of its jobs.
    events: async ({ context }) => events.stream(context, () => jobs.list().reverse()),
  };
}
