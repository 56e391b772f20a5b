import { openSession, type Session, type SessionHooks } from '../session/open-session.ts';
import type { SessionOptions } from '../session/settings.ts';
import { checkOptions } from './check-options.ts';

/** What every function for integrators can be told of the service and the program. */
export interface ProgramOptions extends SessionOptions, Omit<SessionHooks, 'exclusive'> {}

/** Opens what a function works with, and closes it however that ends. Throws StopError with EXIT.usage for options of another kind. */
export async function withSession<T>(
  options: ProgramOptions,
  exclusive: SessionHooks['exclusive'],
  work: (session: Session) => Promise<T>,
): Promise<T> {
  checkOptions('program', options);
  const { signal, onProgress, onWait } = options;
  const session = await openSession(options, { signal, onProgress, onWait, exclusive });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
