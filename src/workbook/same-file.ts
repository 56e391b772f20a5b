import { stat } from 'node:fs/promises';

/** Whether two names are of one file that is there, by what the disk knows of them: names may differ in case, or be links. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((file) => stat(file, { bigint: true }).catch(() => undefined)),
  );
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}
