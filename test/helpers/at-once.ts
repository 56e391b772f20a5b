/**
 * Tries all cases at the same time, each with a service and a folder of its own: for what waits more than it
 * works. Fails with the first case that fails, once all have ended, and names it.
 */
export async function atOnce<C>(cases: readonly C[], attempt: (one: C) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(cases.map(attempt));
  for (const [at, end] of ends.entries())
    if (end.status === 'rejected') {
      if (end.reason instanceof Error)
        end.reason.message = `${JSON.stringify(cases[at])}: ${end.reason.message}`;
      throw end.reason;
    }
}
