import { StopError } from '../errors.ts';

/** What stopped this work, null when nothing did: for what comes after rows were sent, whose result must be given all the same. */
export async function stopOf(work: () => Promise<void>): Promise<StopError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof StopError) return error;
    throw error;
  }
}
