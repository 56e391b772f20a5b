import type { TestService } from '../helpers/test-service.ts';
import { askingOf, openSessionAt } from './open-desk.ts';
import { startProgram as startDesk } from './stories/desk-program.ts';

/** A desk as a program of its own, with an open session. */
export async function startProgram(service: TestService, { concurrency = 2 } = {}) {
  const more = ['--concurrency', String(concurrency), '--doubt', '2'];
  const { child, address } = await startDesk(service, { more });
  const { origin, session } = await openSessionAt(address);
  return { child, ...askingOf(origin, session) };
}
